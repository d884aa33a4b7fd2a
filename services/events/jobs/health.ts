import type { Clock } from "../../kernel/time/clock.js";
import type { Outbox } from "../../kernel/outbox/index.js";
import { processMetrics } from "../../kernel/telemetry/metrics.js";
import { disabledAfterMs } from "../domain/schedule.js";
import type { Verdict } from "../domain/delivery.js";
import type { EventsStore } from "../store/index.js";
import type { Lane } from "../store/lanes.js";
import { rowKinds } from "../row-kinds.js";

/** Disables endpoints that want nothing any more, or fail for days, and has their managers told. */
export function createHealth({ store, clock, outbox }: { store: EventsStore; clock: Clock; outbox: Outbox }) {
  async function disable(tenantId: string, endpointId: string, url: string, why: string): Promise<void> {
    const endpoints = store.endpoints.forTenant(tenantId);
    const isDone = await store.transaction(
      async (session) => {
        const found = await endpoints.find(endpointId, session);
        // What an old address answers says nothing of the one it has now.
        if (found?.status !== "ACTIVE" || found.url !== url) return false;
        const now = clock.now();
        const put = await endpoints.put({ ...found, status: "DISABLED", statusReason: why, changedAt: now }, session);
        await store.lanes.forTenant(tenantId).setActive(endpointId, false, now, session);
        const row = {
          tenantId,
          interactionId: endpointId,
          actor: "events",
          aggregate: `webhook-endpoint:${endpointId}`,
          seq: put.version,
          kind: rowKinds.tellManagers,
          payload: { endpointId, url: found.url, why },
        };
        await outbox.add(row, session);
        return true;
      },
      async () => undefined,
    );
    if (!isDone) return;
    processMetrics.webhooksDisabled.inc();
    outbox.wake();
  }

  return {
    /** After an attempt at this address. */
    async note(tenantId: string, { endpointId, failingSince }: Lane, verdict: Verdict, url: string): Promise<void> {
      const lanes = store.lanes.forTenant(tenantId);
      if (verdict === "UNSENT") return;
      if (verdict === "ARRIVED") {
        if (failingSince !== undefined) await lanes.noteSuccess(endpointId);
        return;
      }
      if (verdict === "GONE") return disable(tenantId, endpointId, url, "it answered 410 Gone");
      const now = clock.now();
      const isLong = (since: Date) => now.getTime() - since.getTime() >= disabledAfterMs;
      if (failingSince !== undefined && !isLong(failingSince)) return;
      // Another attempt may have arrived since the lane was read.
      const since = await lanes.noteFailure(endpointId, now);
      if (isLong(since)) await disable(tenantId, endpointId, url, `every attempt failed since ${since.toISOString()}`);
    },
  };
}

export type Health = ReturnType<typeof createHealth>;
