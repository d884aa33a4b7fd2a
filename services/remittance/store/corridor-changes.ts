import type { ClientSession, Connection } from "mongoose";
import { tenantCollection } from "../../kernel/mongo/tenant-collection.js";
import type { CorridorChange } from "../domain/corridor-change.js";
import { collections } from "./collections.js";

const projection = { _id: 0, tenantId: 0 };

/** Changes of corridors that two persons make. */
export function createCorridorChangeStore(db: Connection) {
  const changes = tenantCollection<CorridorChange & { tenantId: string }>(db, collections.corridorChanges);
  return {
    forTenant: (tenantId: string) => ({
      async findCorridorChange(
        by: { changeId: string } | { fingerprint: string; status: "ASKED" },
        session?: ClientSession,
      ): Promise<CorridorChange | undefined> {
        return (await changes.forTenant(tenantId).findOne({ ...by }, { projection, session })) ?? undefined;
      },

      insertCorridorChange: (change: CorridorChange, session: ClientSession): Promise<void> =>
        changes.forTenant(tenantId).insertOne(change, { session }),

      /** Nothing where it was decided before. */
      async noteCorridorChange(
        changeId: string,
        part: Partial<Pick<CorridorChange, "status" | "approvalId" | "decidedBy">>,
        session?: ClientSession,
      ): Promise<void> {
        await changes.forTenant(tenantId).updateOne({ changeId, status: "ASKED" }, { $set: part }, { session });
      },
    }),
  };
}
