import type { HeldArrival } from "../domain/held-arrival.js";
import type { Collection, Session } from "./collections.js";

/** Unique in its tenant: the ids of credits come from each tenant's own bank. */
export type HeldRow = HeldArrival & { tenantId: string };

export function heldStore(held: Collection<HeldRow>) {
  return {
    async insertHeld(arrival: HeldArrival, session: Session): Promise<void> {
      await held.insertOne(arrival, { session });
    },
    async findHeld(heldId: string): Promise<HeldArrival | undefined> {
      const row = await held.findOne({ heldId });
      return row === null ? undefined : heldOf(row);
    },
    async releaseHeld(heldId: string, releasedAt: Date, session: Session): Promise<void> {
      const change = { $set: { status: "RELEASED" as const, releasedAt } };
      await held.updateOne({ heldId, status: "HELD" }, change, { session });
    },
    /** What is held now, or all that ever was. */
    async listHeld(fit: { heldOnly: boolean }, after: string, limit: number): Promise<HeldArrival[]> {
      const filter = {
        ...(fit.heldOnly ? { status: "HELD" as const } : {}),
        ...(after === "" ? {} : { heldId: { $gt: after } }),
      };
      return (await held.find(filter, { sort: { heldId: 1 }, limit })).map(heldOf);
    },
  };
}

export function heldOf(row: HeldRow): HeldArrival {
  const { tenantId: _tenantId, ...arrival } = row;
  return arrival;
}
