import type { mongo } from "mongoose";
import { everyTenant } from "../../../services/shared/mongo/held-tenants.js";
import { nativeOf, type DatabaseService, type Place } from "../places.js";
import { holdTenant, releaseTenant } from "./hold.js";

/** A time of one replica set's oplog: seconds, and which of the entries within the second. */
export type BarrierTimes = ReadonlyMap<DatabaseService, { t: number; i: number }>;

/**
 * Refuses all writes of all services for a moment and reads each database's time within it. No
 * service wrote between the first of these times and the last, so databases restored each to its
 * own are one point in time over all. `meanwhile` runs before writes go on.
 */
export async function takeBarrier(
  place: Place,
  meanwhile?: (times: BarrierTimes) => Promise<void>,
): Promise<BarrierTimes> {
  try {
    await holdTenant(place, everyTenant);
    const times = new Map<DatabaseService, { t: number; i: number }>();
    for (const [service, db] of place.databases) {
      // What changed the last validator is with the majority, and so is all before it.
      const { operationTime } = await nativeOf(db).command({ ping: 1 });
      times.set(service, timeOf(operationTime as mongo.Timestamp));
    }
    await meanwhile?.(times);
    return times;
  } finally {
    await releaseTenant(place, everyTenant);
  }
}

function timeOf(time: mongo.Timestamp): { t: number; i: number } {
  return { t: time.getHighBitsUnsigned(), i: time.getLowBitsUnsigned() };
}
