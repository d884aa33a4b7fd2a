import type { ClientSession, Connection } from "mongoose";
import type { Clock } from "../time/clock.js";
import { outboxCollection } from "./leases.js";
import type { StoredRow } from "./row.js";
import { tenantCollection } from "../mongo/tenant-collection.js";

/**
 * Makes an aggregate's rows due now, however long the oldest of them was to wait:
 * what is added behind it need not.
 */
export function createHasten(db: Connection, clock: Clock) {
  const rows = tenantCollection<StoredRow>(db, outboxCollection);
  return async (tenantId: string, aggregate: string, session: ClientSession): Promise<void> => {
    const now = clock.now();
    const waiting = { aggregate, state: "DUE" as const, notBefore: { $gt: now } };
    await rows.forTenant(tenantId).updateMany(waiting, { $set: { dueAt: now, notBefore: now } }, { session });
  };
}
