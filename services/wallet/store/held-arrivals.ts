import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import type { HeldArrival } from "../domain/held-arrival.js";
import type { Session } from "./collections.js";

export function heldStore(held: RecordCollection<HeldArrival>) {
  return {
    insertHeld: (arrival: HeldArrival, session: Session): Promise<void> => held.insertOne(arrival, { session }),
    /** Unique in its tenant: the ids of credits come from each tenant's own bank. */
    findHeld: (heldId: string): Promise<HeldArrival | undefined> => held.findOne({ heldId }),
    async releaseHeld(heldId: string, releasedAt: Date, session: Session): Promise<void> {
      const change = { $set: { status: "RELEASED" as const, releasedAt } };
      await held.updateOne({ heldId, status: "HELD" }, change, { session });
    },
    /** What is held now, or all that ever was. */
    listHeld(fit: { heldOnly: boolean }, after: string, limit: number): Promise<HeldArrival[]> {
      const filter = {
        ...(fit.heldOnly ? { status: "HELD" as const } : {}),
        ...(after === "" ? {} : { heldId: { $gt: after } }),
      };
      return held.find(filter, { sort: { heldId: 1 }, limit });
    },
  };
}
