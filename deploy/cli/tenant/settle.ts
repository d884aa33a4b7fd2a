import { setTimeout as sleep } from "node:timers/promises";
import { longestRunMs } from "../../../services/kernel/outbox/relay.js";
import { comment, nativeOf, type Place } from "../places.js";

const pollMs = 500;

/**
 * Waits until nobody works on a held tenant any more: no row of its outboxes is leased, and a
 * handler or request that began before the hold has had the longest time that it may take. It would
 * otherwise call a partner here while the row is worked on at the other end.
 */
export async function awaitEnd(
  places: readonly Place[],
  tenantId: string,
  print: (line: string) => void,
  pause: (ms: number) => Promise<unknown> = sleep,
): Promise<void> {
  print(`waits ${longestRunMs / 1_000} s for what runs`);
  await pause(longestRunMs);
  for (let printed = 0; ;) {
    const leased = await countLeased(places, tenantId);
    if (leased === 0) return;
    if (leased !== printed) print(`waits for ${leased} outbox rows that are worked on`);
    printed = leased;
    await pause(pollMs);
  }
}

async function countLeased(places: readonly Place[], tenantId: string): Promise<number> {
  // The server's clock, as the leases are set by it.
  const leased = { tenantId, state: "DUE", $expr: { $gt: ["$leasedUntil", "$$NOW"] } };
  let count = 0;
  for (const { databases } of places) {
    for (const db of databases.values()) {
      count += await nativeOf(db).collection("outbox").countDocuments(leased, { comment });
    }
  }
  return count;
}
