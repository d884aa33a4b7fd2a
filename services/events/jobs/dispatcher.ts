import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../kernel/time/clock.js";
import type { Logger } from "../../kernel/process/log.js";
import { keepPace } from "../../kernel/polling/pace.js";
import type { WakeUps } from "../../kernel/polling/wake-ups.js";
import { processMetrics } from "../../kernel/telemetry/metrics.js";
import type { Delivery } from "../domain/delivery.js";
import type { Endpoint } from "../domain/endpoint.js";
import type { RecordedEvent } from "../domain/event.js";
import type { EventsStore } from "../store/index.js";
import type { Lane } from "../store/lanes.js";
import type { Tried, Try } from "./attempts.js";
import type { Health } from "./health.js";
import type { Results } from "./results.js";
import { createSlots } from "./slots.js";

export interface DispatcherDeps {
  store: EventsStore;
  clock: Clock;
  log: Logger;
  tryOnce: Try;
  results: Results;
  health: Health;
  /** Of the replicas that share the deliveries. */
  wakeUps?: WakeUps | undefined;
  /** Looks so often, in ms, also while nothing happens. */
  pollMs?: number | undefined;
  /** How long a delivery of a killed process stays out of reach; longer than an attempt, ms. */
  leaseMs?: number | undefined;
}

type OwnedLane = Lane & { tenantId: string };

const maxLanes = 200;
const fastPollMs = 200;
/** Of a lease, what an attempt may take. */
const leastShare = 2 / 3;

export interface Dispatcher {
  /** Something is due: looks at once. */
  wake(): void;
  /** Takes no more and waits for what is under way; then gives it back. */
  stop(graceMs?: number): Promise<void>;
}

/**
 * Sends deliveries as they fall due. Any number of replicas share them by leases. An endpoint has
 * slots of its own in each: one that hangs holds up its own deliveries.
 */
export function startDispatcher(deps: DispatcherDeps): Dispatcher {
  const { store, clock, log, tryOnce, results, health, wakeUps, pollMs, leaseMs = 30_000 } = deps;
  const slots = createSlots();
  const stopping = new AbortController();
  const cutOff = new AbortController();
  const running = new Set<Promise<void>>();
  let polling = Promise.resolve();
  let isPolling = false;
  let pollAgain = false;
  let isBlind = false;

  function poll(): void {
    pollAgain = true;
    if (!isPolling) polling = pollUntilNothing();
  }

  async function pollUntilNothing(): Promise<void> {
    isPolling = true;
    try {
      while (pollAgain && !stopping.signal.aborted && slots.hasRoom()) {
        pollAgain = false;
        const { lanes, nextInMs } = await store.lanes.due(clock.now(), slots.full(), maxLanes, pace.aheadMs());
        if (nextInMs !== undefined) pace.within(nextInMs);
        if (lanes.length > 0) pollFast();
        if ((await pullAll(lanes)) || lanes.length === maxLanes) pollAgain = true;
        isBlind = false;
      }
    } catch (error) {
      if (!isBlind) log.warn({ err: error }, "cannot look for webhooks that are due");
      isBlind = true;
      pace.pollFast();
    } finally {
      isPolling = false;
    }
  }

  /** Whether there may be more of one of them. One that fails holds up none of the others. */
  async function pullAll(lanes: readonly OwnedLane[]): Promise<boolean> {
    const pulled = await Promise.allSettled(lanes.map(pull));
    const failed = pulled.filter((one) => one.status === "rejected");
    if (failed.length > 0 && failed.length === pulled.length) throw failed[0]!.reason;
    for (const { reason } of failed) log.warn({ err: reason as unknown }, "cannot look at an endpoint's webhooks");
    return pulled.some((one) => one.status === "fulfilled" && one.value);
  }

  /** Takes what is due of an endpoint, as far as there is room; whether there may be more of it. */
  async function pull(lane: OwnedLane): Promise<boolean> {
    const { tenantId, endpointId } = lane;
    const room = slots.roomFor(endpointId);
    if (room <= 0) return false;
    const endpoint = await store.endpoints.forTenant(tenantId).find(endpointId);
    if (endpoint === undefined || endpoint.status !== "ACTIVE") return false;
    const now = clock.now();
    const deliveries = store.deliveries.forTenant(tenantId);
    const lanes = store.lanes.forTenant(tenantId);
    const due = await deliveries.due(endpointId, now, room);
    // Other endpoints of this look have taken slots meanwhile.
    const reserved = slots.reserve(endpointId, due.length);
    const rate = endpoint.rateLimitPerSecond;
    let started = 0;
    let allowed = reserved;
    try {
      if (rate !== 0 && reserved > 0) allowed = await lanes.takeTokens(endpointId, rate, reserved);
      if (allowed > 0) {
        const until = new Date(now.getTime() + leaseMs);
        const leased = await deliveries.lease(due.slice(0, allowed), randomUUID(), now, until);
        const events = await store.events.forTenant(tenantId).findMany(leased.map(({ eventId }) => eventId));
        for (const delivery of leased) start(lane, endpoint, delivery, events.get(delivery.eventId));
        started = leased.length;
      }
    } finally {
      slots.release(endpointId, reserved - started);
    }
    if (allowed < reserved) {
      await lanes.settle(lane, new Date(now.getTime() + Math.max(20, 1_000 / rate)));
      return false;
    }
    if (due.length < room) await lanes.settle(lane, await deliveries.nextDue(endpointId));
    return due.length === room || reserved < due.length;
  }

  /** In a slot that is reserved. */
  function start(lane: OwnedLane, endpoint: Endpoint, delivery: Delivery, event: RecordedEvent | undefined): void {
    const ended = run(lane, endpoint, delivery, event)
      // MongoDB is away: the lease runs out and the delivery is taken again.
      .catch((error: unknown) => log.warn({ err: error }, "cannot record what became of a webhook"))
      .finally(() => running.delete(ended));
    running.add(ended);
  }

  async function run(lane: OwnedLane, endpoint: Endpoint, delivery: Delivery, event: RecordedEvent | undefined) {
    const { tenantId } = lane;
    let tried: Tried | undefined;
    try {
      // Too late to be over before the lease is: it is taken again when that ends.
      if (timeLeft(delivery, clock.now()) < leaseMs * leastShare) return;
      tried = await tryOnce(tenantId, endpoint, delivery, event, cutOff.signal);
      if (cutOff.signal.aborted && tried.attempt.status === undefined) return await giveBack(tenantId, delivery);
      const { verdict, attempt } = tried;
      processMetrics.webhook(verdict, attempt.durationMs / 1_000);
      const hasNext = await results.write(tenantId, { delivery, ...tried });
      await health.note(tenantId, lane, verdict, endpoint.url);
      if (hasNext) poll();
    } finally {
      const wasFull = slots.give(endpoint.endpointId, tried);
      if (wasFull) poll();
    }
  }

  /** What was cut off counts for nothing: another replica sends it. */
  async function giveBack(tenantId: string, { deliveryId, endpointId, leaseToken = "" }: Delivery): Promise<void> {
    const now = clock.now();
    await store.deliveries.forTenant(tenantId).giveBack([deliveryId], leaseToken, now);
    await store.lanes.forTenant(tenantId).touch([endpointId], now);
  }

  const pace = keepPace({
    poll,
    quickMs: pollMs ?? fastPollMs,
    // What a killed process has leased is taken again soon after.
    ...(pollMs === undefined ? { quickForMs: leaseMs + 10_000 } : { slowMs: pollMs }),
  });
  const unlisten = wakeUps?.listen(pace.pollFast);
  /** Deliveries are made or tried: all replicas look quickly for a while. */
  function pollFast(): void {
    pace.pollFast();
    wakeUps?.tell();
  }

  const unwatch = processMetrics.watchWebhooks(() => store.lanes.oldestDueS(clock.now()));
  poll();
  return {
    wake(): void {
      pollFast();
      poll();
    },
    async stop(graceMs = 5_000) {
      stopping.abort();
      pace.stop();
      unlisten?.();
      unwatch();
      await polling;
      await Promise.race([Promise.all(running), sleep(graceMs, undefined, { ref: false })]);
      cutOff.abort();
      await Promise.all(running);
    },
  };
}

function timeLeft({ dueAt }: Delivery, now: Date): number {
  return dueAt === undefined ? 0 : dueAt.getTime() - now.getTime();
}
