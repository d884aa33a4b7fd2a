import { randomUUID } from "node:crypto";
import type { Clock } from "../../kernel/time/clock.js";
import { leaveRow } from "../../kernel/outbox/left-rows.js";
import type { Logger } from "../../kernel/process/log.js";
import { retentionMs } from "../store/collections.js";
import type { EventsStore } from "../store/index.js";
import { noLongerRetained, unsent } from "./attempts.js";
import type { Results } from "./results.js";

export interface ExpiryDeps {
  store: EventsStore;
  clock: Clock;
  log: Logger;
  results: Results;
  everyMs?: number | undefined;
}

const hourMs = 3_600_000;
const leaseMs = 30_000;
/** Heads of lines end in a transaction each. */
const pageSize = 50;

/**
 * Gives up what an endpoint has not got for as long as events are kept: what waits for
 * one that is paused, disabled or slower than what comes would grow without end. Any
 * number of replicas share it by leases.
 */
export function startExpiry({ store, clock, log, results, everyMs = hourMs }: ExpiryDeps) {
  const stopping = new AbortController();
  let polling: Promise<void> | undefined;

  async function poll(): Promise<void> {
    for (const { tenantId, endpointId } of await store.lanes.open()) {
      if (stopping.signal.aborted) return;
      await giveUpOld(tenantId, endpointId).catch((error: unknown) =>
        leaveRow(log, "expiry", { tenantId, endpointId }, error),
      );
    }
  }

  /** Page by page: one of which nothing can be given up keeps none behind it. */
  async function giveUpOld(tenantId: string, endpointId: string): Promise<void> {
    const deliveries = store.deliveries.forTenant(tenantId);
    let after: number | undefined;
    while (!stopping.signal.aborted) {
      const now = clock.now();
      const page = await deliveries.openSince(endpointId, new Date(now.getTime() - retentionMs), pageSize, after);
      if (page.length === 0) return;
      const ids = page.map(({ deliveryId }) => deliveryId);
      // One that waits behind a head is due when that one has ended.
      const leased = await deliveries.lease(ids, randomUUID(), now, new Date(now.getTime() + leaseMs));
      if (leased.length === 0) {
        after = page.at(-1)!.place;
        continue;
      }
      const given = await Promise.allSettled(
        leased.map((delivery) => results.write(tenantId, { delivery, ...unsent(now, noLongerRetained) })),
      );
      // What could not be given up stays leased for a while, so that
      // those behind it have their turn.
      for (const [index, one] of given.entries()) {
        const { deliveryId } = leased[index]!;
        if (one.status === "rejected") leaveRow(log, "deliveries", { tenantId, deliveryId }, one.reason);
      }
    }
  }

  const timer = setInterval(() => {
    polling ??= poll()
      .catch((error: unknown) => log.warn({ err: error }, "cannot give up webhooks whose events are not kept any more"))
      .finally(() => (polling = undefined));
  }, everyMs);
  return {
    async stop(): Promise<void> {
      stopping.abort();
      clearInterval(timer);
      await polling;
    },
  };
}
