import type { ClientSession, Connection } from "mongoose";
import { recordCollection } from "../../kernel/mongo/record-collection.js";
import type { AskedChange } from "../domain/asked-change.js";

/** Changes of settings that two persons make, of one kind. */
export function createAskedChangeStore<C extends AskedChange>(db: Connection, name: string) {
  // What all kinds have is what they are found by.
  const changes = recordCollection<AskedChange>(db, name);
  return {
    forTenant: (tenantId: string) => ({
      find: (
        by: { changeId: string } | { fingerprint: string; status: "ASKED" },
        session?: ClientSession,
      ): Promise<C | undefined> =>
        changes.forTenant(tenantId).findOne({ ...by }, { session }) as Promise<C | undefined>,

      insert: (change: C, session: ClientSession): Promise<void> =>
        changes.forTenant(tenantId).insertOne(change, { session }),

      /** Nothing where it was decided before. */
      async note(
        changeId: string,
        part: Partial<Pick<AskedChange, "status" | "approvalId" | "decidedBy">>,
        session?: ClientSession,
      ): Promise<void> {
        await changes.forTenant(tenantId).updateOne({ changeId, status: "ASKED" }, { $set: part }, { session });
      },
    }),
  };
}

export type AskedChangeStore<C extends AskedChange> = ReturnType<
  ReturnType<typeof createAskedChangeStore<C>>["forTenant"]
>;
