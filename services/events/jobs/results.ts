import { createBatcher } from "../../kernel/batching/batcher.js";
import type { Clock } from "../../kernel/time/clock.js";
import { crashPoint } from "../../kernel/process/crash-point.js";
import { passesByItself } from "../../kernel/outbox/patience.js";
import { givenUpWith, type Attempt, type Delivery } from "../domain/delivery.js";
import { subjectKey } from "../domain/event.js";
import type { Outcome } from "../store/deliveries.js";
import type { EventsStore } from "../store/index.js";

export interface Result {
  delivery: Delivery;
  attempt: Attempt | undefined;
  outcome: Outcome;
}

interface Waiting extends Result {
  resolve(): void;
  reject(error: unknown): void;
}

/** Writes what came of deliveries: those that end at the same time in one go. */
export function createResults({ store, clock }: { store: EventsStore; clock: Clock }) {
  const batcher = createBatcher<Waiting>({ maxBatchSize: 100, maxInFlight: 2, minBatchSize: 100, run: recordAll });

  async function recordAll(tenantId: string, waiting: readonly Waiting[]): Promise<void> {
    try {
      await store.deliveries.forTenant(tenantId).record(waiting);
      for (const { resolve } of waiting) resolve();
    } catch (error) {
      // One that cannot be written is told by itself; what was written is not due any more.
      if (waiting.length > 1 && !passesByItself(error)) {
        await Promise.all(waiting.map((one) => recordAll(tenantId, [one])));
      } else for (const { reject } of waiting) reject(error);
    }
  }

  const record = (tenantId: string, result: Result) =>
    new Promise<void>((resolve, reject) => batcher.add(tenantId, { ...result, resolve, reject }));

  /** A head that ended hands its line on in the same commit. */
  async function endHead(tenantId: string, { delivery, attempt, outcome }: Result): Promise<boolean> {
    if ("dueAt" in outcome) throw new Error("a head that is tried again has not ended");
    const { status } = outcome;
    const givenUp = status === "GIVEN_UP" ? givenUpWith(delivery) : undefined;
    const deliveries = store.deliveries.forTenant(tenantId);
    const subject = subjectKey({ type: delivery.eventType, subjectId: delivery.subjectId });
    const ended = await store.transaction(
      async (session) => {
        const found = await deliveries.endHead(delivery, attempt, { status, givenUp, now: clock.now() }, session);
        // An event of the subject that is kept at this moment would
        // stand behind a head that is gone.
        if (found === "ENDED") await store.events.forTenant(tenantId).touchSubjects([subject], session);
        return found;
      },
      async () => ((await deliveries.find(delivery.deliveryId))?.status === "PENDING" ? undefined : "NEXT"),
    );
    return ended === "NEXT";
  }

  return {
    /**
     * Resolves when it is written; whether something of the endpoint is due at once. Nothing is
     * written where another process has the delivery by now.
     */
    async write(tenantId: string, result: Result): Promise<boolean> {
      const { delivery, outcome } = result;
      crashPoint("events.delivery.sent");
      const { endpointId, line } = delivery;
      const lanes = store.lanes.forTenant(tenantId);
      if ("dueAt" in outcome || line === undefined) {
        await record(tenantId, result);
        crashPoint("events.delivery.recorded");
        if ("dueAt" in outcome) await lanes.touch([endpointId], outcome.dueAt);
        return false;
      }
      const hasNext = await endHead(tenantId, result);
      crashPoint("events.delivery.recorded");
      if (hasNext) await lanes.touch([endpointId], clock.now());
      return hasNext;
    },
  };
}

export type Results = ReturnType<typeof createResults>;
