import type { ClientSession, Connection } from "mongoose";
import { tenantCollection, type Filter } from "../../kernel/mongo/tenant-collection.js";
import type { AskedChange } from "../domain/asked-change.js";

const projection = { _id: 0, tenantId: 0 };

/** Changes of settings that two persons make, of one kind. */
export function createAskedChangeStore<C extends AskedChange>(db: Connection, name: string) {
  const changes = tenantCollection<C & { tenantId: string }>(db, name);
  type Owned = Filter<C & { tenantId: string }>;
  return {
    forTenant: (tenantId: string) => ({
      async find(
        by: { changeId: string } | { fingerprint: string; status: "ASKED" },
        session?: ClientSession,
      ): Promise<C | undefined> {
        const found = await changes.forTenant(tenantId).findOne({ ...by } as Owned, { projection, session });
        return (found as C | null) ?? undefined;
      },

      insert: (change: C, session: ClientSession): Promise<void> =>
        changes.forTenant(tenantId).insertOne(change as never, { session }),

      /** Nothing where it was decided before. */
      async note(
        changeId: string,
        part: Partial<Pick<AskedChange, "status" | "approvalId" | "decidedBy">>,
        session?: ClientSession,
      ): Promise<void> {
        const open = { changeId, status: "ASKED" } as Owned;
        await changes
          .forTenant(tenantId)
          .updateOne(open, { $set: part as Partial<C & { tenantId: string }> }, { session });
      },
    }),
  };
}

export type AskedChangeStore<C extends AskedChange> = ReturnType<
  ReturnType<typeof createAskedChangeStore<C>>["forTenant"]
>;
