import { setTimeout as sleep } from "node:timers/promises";
import type { EventStore } from "../store/events.js";

const everyMs = 250;

export type Arrivals = ReturnType<typeof createArrivals>;

/**
 * Waits for events of tenants. Those that this process keeps are seen at once, those of other
 * replicas at the next look; all who wait for a tenant share one.
 */
export function createArrivals({ events }: { events: EventStore }) {
  const polls = new Map<string, { woken: PromiseWithResolvers<void>; seen: Promise<number> }>();

  function poll(tenantId: string) {
    const known = polls.get(tenantId);
    if (known !== undefined) return known;
    const woken = Promise.withResolvers<void>();
    const started = (async () => {
      await Promise.race([woken.promise, sleep(everyMs, undefined, { ref: false })]);
      polls.delete(tenantId);
      return events.forTenant(tenantId).lastPlace();
    })();
    const fresh = { woken, seen: started };
    polls.set(tenantId, fresh);
    return fresh;
  }

  return {
    /** Events of the tenant were kept. */
    wake: (tenantId: string): void => polls.get(tenantId)?.woken.resolve(),
    /**
     * The place of the last event, as soon as it is above `place`, at the latest after `waitMs`.
     */
    async after(tenantId: string, place: number, waitMs: number, signal: AbortSignal): Promise<number> {
      const until = performance.now() + waitMs;
      let last = await events.forTenant(tenantId).lastPlace();
      while (last <= place && performance.now() < until && !signal.aborted) last = await poll(tenantId).seen;
      return last;
    },
  };
}
