import { setTimeout as sleep } from "node:timers/promises";
import type { mongo } from "mongoose";
import { everyTenant } from "../../../services/kernel/mongo/held-tenants.js";
import { nativeOf, type DatabaseService, type Place } from "../places.js";
import { findOpen, setHold } from "./hold.js";
import { withLock } from "./lock.js";

const retryMs = 1_000;

/** A time of one replica set's oplog: seconds, and which of the entries within the second. */
export type BarrierTimes = ReadonlyMap<DatabaseService, { t: number; i: number }>;

export interface BarrierOptions {
  /** Runs before writes go on. */
  readonly meanwhile?: ((times: BarrierTimes) => Promise<void>) | undefined;
  /** Takes a lock that was left behind. */
  readonly isTaken?: boolean;
  /** Ends the barrier early: it throws the signal's reason once writes go on. */
  readonly signal?: AbortSignal;
  readonly print?: (line: string) => void;
}

/**
 * Refuses all writes of all services for a moment and reads each database's time within it. No
 * service wrote between the first of these times and the last, so databases restored each to its
 * own are one point in time over all. Returns and throws only once writes go on again. Throws where
 * a collection took writes before the end, and where somebody else changes holds there.
 */
export function takeBarrier(place: Place, options: BarrierOptions = {}): Promise<BarrierTimes> {
  const { isTaken = false, print = () => {} } = options;
  return withLock(place, isTaken, async () => {
    try {
      return await readTimes(place, options);
    } finally {
      await releaseAll(place, print);
    }
  });
}

async function readTimes(place: Place, { meanwhile, signal }: BarrierOptions): Promise<BarrierTimes> {
  await setHold(place, everyTenant, true);
  signal?.throwIfAborted();
  const times = new Map<DatabaseService, { t: number; i: number }>();
  for (const [service, db] of place.databases) {
    // What changed the last validator is with the majority, and so is all before it.
    const { operationTime } = await nativeOf(db).command({ ping: 1 });
    times.set(service, timeOf(operationTime as mongo.Timestamp));
  }
  await meanwhile?.(times);
  signal?.throwIfAborted();
  const open = await findOpen(place, everyTenant);
  if (open.length > 0) throw new Error(`no barrier: writes went on in ${open.join(", ")}`);
  return times;
}

/** An election on the way is no reason to leave writes refused. */
async function releaseAll(place: Place, print: (line: string) => void): Promise<void> {
  for (;;) {
    try {
      return await setHold(place, everyTenant, false);
    } catch (error) {
      print(`writes are still refused, trying again: ${(error as Error).message}`);
      await sleep(retryMs);
    }
  }
}

function timeOf(time: mongo.Timestamp): { t: number; i: number } {
  return { t: time.getHighBitsUnsigned(), i: time.getLowBitsUnsigned() };
}
