import type { ClientSession, Connection } from "mongoose";
import { recordCollection } from "../../kernel/mongo/record-collection.js";
import type { CorridorChange } from "../domain/corridor-change.js";
import { collections } from "./collections.js";

/** Changes of corridors that two persons make. */
export function createCorridorChangeStore(db: Connection) {
  const changes = recordCollection<CorridorChange>(db, collections.corridorChanges);
  return {
    forTenant: (tenantId: string) => ({
      findCorridorChange: (
        by: { changeId: string } | { fingerprint: string; status: "ASKED" },
        session?: ClientSession,
      ): Promise<CorridorChange | undefined> => changes.forTenant(tenantId).findOne({ ...by }, { session }),

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
