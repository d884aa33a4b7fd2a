import type { Outbox } from "../../kernel/outbox/index.js";
import { createBatcher } from "../../kernel/batching/batcher.js";
import type { Clock } from "../../kernel/time/clock.js";
import { crashPoint } from "../../kernel/process/crash-point.js";
import { declarations } from "../../platform/events/declare.js";
import { subjectTypeOf } from "../../platform/events/types.js";
import { messageRowsOf } from "../notifications/announced.js";
import { bodyOf, isWanted, subjectKey, type RecordedEvent, type NewEvent } from "../domain/event.js";
import type { EventsStore, Session } from "../store/index.js";
import type { Subscription } from "../store/endpoints.js";
import { newDeliveries } from "./lines.js";

export interface PublishDeps {
  store: EventsStore;
  clock: Clock;
  outbox: Pick<Outbox, "addAll" | "wakeSoon">;
  /** Told after a commit which endpoints have something to send, and that events came. */
  wake(tenantId: string, endpointIds: readonly string[]): void;
}

interface Call {
  events: readonly NewEvent[];
  resolve(sequences: Map<string, number>): void;
  reject(error: unknown): void;
}

export type Publishing = ReturnType<typeof createPublishing>;

const maxEvents = 200;

/** Keeps events and makes their deliveries, in one transaction for calls that come at once. */
export function createPublishing({ store, clock, outbox, wake }: PublishDeps) {
  // One at a time: publications of a tenant take turns anyway, and those that wait go together.
  const batcher = createBatcher<Call>({
    maxBatchSize: maxEvents,
    maxInFlight: 1,
    minBatchSize: maxEvents,
    maxHoldMs: 5_000,
    weightOf: ({ events }) => events.length,
    run: keepAll,
  });

  async function keepAll(tenantId: string, calls: Call[]): Promise<void> {
    try {
      const sequences = await record(
        tenantId,
        calls.flatMap(({ events }) => events),
      );
      for (const { resolve } of calls) resolve(sequences);
    } catch (error) {
      if (calls.length === 1) for (const { reject } of calls) reject(error);
      else for (const call of calls) await keepAll(tenantId, [call]);
    }
  }

  async function record(tenantId: string, published: readonly NewEvent[]): Promise<Map<string, number>> {
    const all = [...new Map(published.map((event) => [event.eventId, event])).values()];
    const ids = all.map(({ eventId }) => eventId);
    const events = store.events.forTenant(tenantId);
    const known = await events.sequencesOf(ids);
    const subscribed = new Set<string>();
    let messages = 0;
    let sequences = known;
    // Who kept some of them may have died before telling the
    // dispatchers, after `known` was read too.
    let before = known;
    if (known.size < all.length) {
      sequences = await store.transaction(
        async (session) => {
          subscribed.clear();
          const place = await events.takePlaces(all.length, session);
          const there = await events.sequencesOf(ids, session);
          if (there.size > 0) before = there;
          const fresh = all.filter(({ eventId }) => !there.has(eventId));
          const recorded = await number(tenantId, fresh, place - all.length, session);
          for (const id of await deliver(tenantId, recorded, session)) subscribed.add(id);
          const rows = messageRowsOf(tenantId, recorded);
          await outbox.addAll(rows, session);
          messages = rows.length;
          crashPoint("events.publish.written");
          return new Map([...there, ...recorded.map(({ eventId, sequence }) => [eventId, sequence] as const)]);
        },
        async () => {
          const there = await events.sequencesOf(ids);
          if (there.size < ids.length) return undefined;
          before = there;
          return there;
        },
      );
    }
    crashPoint("events.publish.kept");
    if (messages > 0) outbox.wakeSoon();
    await show(tenantId, subscribed, before);
    return sequences;
  }

  /** Numbers them and keeps them. */
  async function number(tenantId: string, fresh: readonly NewEvent[], before: number, session: Session) {
    if (fresh.length === 0) return [];
    const events = store.events.forTenant(tenantId);
    const known = await events.lastSequences([...new Set(fresh.map(subjectKey))], session);
    const last = new Map(known);
    const about = new Set(fresh.flatMap(({ customerId }) => (customerId === "" ? [] : [customerId])));
    const erased = await events.erasedAmong([...about], session);
    const recordedAt = clock.now();
    const recorded = fresh.map((event, index): RecordedEvent => {
      const key = subjectKey(event);
      const sequence = (last.get(key) ?? 0) + 1;
      last.set(key, sequence);
      const { dataJson: _data, ...rest } = event;
      const body = erased.has(event.customerId) ? undefined : bodyOf(event, sequence, declarations[event.type].version);
      return {
        ...rest,
        subjectType: subjectTypeOf(event.type),
        sequence,
        place: before + index + 1,
        recordedAt,
        ...(body !== undefined && { body }),
      };
    });
    await events.putLastSequences(last, known, session);
    await events.insert(recorded, session);
    return recorded;
  }

  /** Makes deliveries for the endpoints that want them; ids of those endpoints. */
  async function deliver(tenantId: string, recorded: readonly RecordedEvent[], session: Session): Promise<Set<string>> {
    if (recorded.length === 0) return new Set();
    const subscriptions = await store.endpoints.forTenant(tenantId).subscriptions(session);
    const pairs = recorded.flatMap((event) =>
      subscriptions.filter((one) => wants(one, event)).map((endpoint) => ({ event, endpoint })),
    );
    if (pairs.length === 0) return new Set();
    const deliveries = store.deliveries.forTenant(tenantId);
    await deliveries.insert(await newDeliveries(pairs, deliveries, clock.now(), session), session);
    return new Set(pairs.map(({ endpoint }) => endpoint.endpointId));
  }

  /**
   * Tells the dispatchers. Where the process dies before it, the service that tells the events does
   * so again, and they are known: then every endpoint is looked at.
   */
  async function show(tenantId: string, subscribed: Set<string>, known: Map<string, number>): Promise<void> {
    if (known.size > 0) {
      for (const { endpointId } of await store.endpoints.forTenant(tenantId).list()) subscribed.add(endpointId);
    }
    await store.lanes.forTenant(tenantId).touch([...subscribed], clock.now());
    wake(tenantId, [...subscribed]);
  }

  return {
    /** Their sequences, by their ids. Resolves when they are kept. */
    publish(tenantId: string, events: readonly NewEvent[]): Promise<Map<string, number>> {
      return new Promise((resolve, reject) => batcher.add(tenantId, { events, resolve, reject }));
    },
    /** One event for one endpoint, whatever it subscribes to, in the caller's transaction. */
    async publishTo(tenantId: string, endpoint: Subscription, event: NewEvent, session: Session) {
      const place = await store.events.forTenant(tenantId).takePlaces(1, session);
      const recorded = await number(tenantId, [event], place - 1, session);
      const deliveries = store.deliveries.forTenant(tenantId);
      const pairs = recorded.map((one) => ({ event: one, endpoint: { ...endpoint, ordered: false } }));
      const made = await newDeliveries(pairs, deliveries, clock.now(), session);
      await deliveries.insert(made, session);
      await store.lanes.forTenant(tenantId).touch([endpoint.endpointId], clock.now(), session);
      return made[0]!;
    },
  };
}

export function wants({ eventTypes, includesConfidential }: Subscription, event: RecordedEvent): boolean {
  return isWanted(eventTypes, event.type) && (includesConfidential || !event.isConfidential);
}
