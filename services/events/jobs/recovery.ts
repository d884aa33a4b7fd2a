import type { Clock } from "../../kernel/time/clock.js";
import { crashPoint } from "../../kernel/process/crash-point.js";
import type { Outbox, RowHandler } from "../../kernel/outbox/index.js";
import { newDelivery, lineStatesOf } from "../publishing/lines.js";
import type { Delivery } from "../domain/delivery.js";
import { subjectKey, type RecordedEvent } from "../domain/event.js";
import { wants } from "../publishing/publish.js";
import type { EventsStore, Session } from "../store/index.js";
import type { Endpoint } from "../domain/endpoint.js";
import { rowKinds } from "../row-kinds.js";

interface Recovery {
  endpointId: string;
  since: Date;
  /**
   * The place up to which events are looked through: later ones came to the endpoint by themselves.
   */
  until: number;
  /** The place that it has come to. */
  after?: number;
}

const pageSize = 100;
/**
 * Of one row: well within the time that it has, also where each page waits for the tenant's turn.
 */
const usualPagesPerRow = 50;

/**
 * Sends again what was given up since a time, and what the endpoint missed while it got nothing.
 * Going through it twice sends nothing twice: what is open or was delivered stays as it is. A long
 * one goes on from row to row, each of which knows the place that the one before has come to.
 */
export function recoveries({
  store,
  clock,
  outbox,
  wake,
  pagesPerRow = usualPagesPerRow,
}: {
  store: EventsStore;
  clock: Clock;
  outbox: Pick<Outbox, "add" | "wake">;
  wake(): void;
  pagesPerRow?: number;
}): Record<string, RowHandler> {
  /** One page; the place that the next one begins behind, undefined at the end. */
  async function page(tenantId: string, { endpointId, since, until, after = 0 }: Recovery, session: Session) {
    const events = store.events.forTenant(tenantId);
    await events.takePlaces(1, session);
    const endpoint = await store.endpoints.forTenant(tenantId).find(endpointId, session);
    if (endpoint === undefined || endpoint.status !== "ACTIVE") return undefined;
    const range = { from: since, after, until, isConfidentialShown: endpoint.includesConfidential, limit: pageSize };
    const found = await events.list(range);
    const wanted = found.filter((event) => event.body !== undefined && wants(endpoint, event));
    await events.touchSubjects([...new Set(wanted.map(subjectKey))], session);
    await sendAll(tenantId, endpoint, wanted, session);
    await store.lanes.forTenant(tenantId).touch([endpointId], clock.now(), session);
    return found.length === pageSize ? found.at(-1)?.place : undefined;
  }

  /**
   * Those of the page that were given up or never came, in the order of their events: one that is
   * sent for the first time may stand before one that is sent again.
   */
  async function sendAll(
    tenantId: string,
    endpoint: Endpoint,
    wanted: readonly RecordedEvent[],
    session: Session,
  ): Promise<void> {
    const deliveries = store.deliveries.forTenant(tenantId);
    const ids = wanted.map(({ eventId }) => eventId);
    const lost = await deliveries.givenUpAmong(endpoint.endpointId, ids, session);
    const again = new Map(lost.map(({ eventId, deliveryId }) => [eventId, deliveryId]));
    const sent = await deliveries.eventsWith(endpoint.endpointId, ids, session);
    const pairs = wanted
      .filter(({ eventId }) => again.has(eventId) || !sent.has(eventId))
      .toSorted((one, other) => one.place - other.place)
      .map((event) => ({ event, endpoint }));
    const now = clock.now();
    const states = await lineStatesOf(pairs, deliveries, now, session);
    const fresh: Delivery[] = [];
    for (const [index, pair] of pairs.entries()) {
      const deliveryId = again.get(pair.event.eventId);
      if (deliveryId === undefined) fresh.push(newDelivery(pair, states[index]!, now));
      // What was given up before it comes before it now.
      else await deliveries.reopen([deliveryId], states[index]!, session, { givenUp: true });
    }
    if (fresh.length > 0) await deliveries.insert(fresh, session);
  }

  return {
    async [rowKinds.recover](row, { signal, complete }) {
      const { until, after = 0, ...rest } = row.payload as unknown as Recovery;
      let recovery: Recovery = { ...rest, until: Number(until), after: Number(after) };
      for (let pages = 1; ; pages++) {
        const isLast = pages === pagesPerRow;
        const next = await store.transaction(
          async (session) => {
            const place = await page(row.tenantId, recovery, session);
            if (place === undefined || !isLast) return { place };
            await complete(session);
            const seq = await store.events.forTenant(row.tenantId).takePlaces(1, session);
            const { id: _id, ...same } = row;
            await outbox.add({ ...same, seq, payload: { ...recovery, after: place } }, session);
            return { place };
          },
          async () => undefined,
        );
        crashPoint("events.recovery.page");
        wake();
        if (next.place === undefined) return;
        if (isLast) return outbox.wake();
        recovery = { ...recovery, after: next.place };
        signal.throwIfAborted();
      }
    },
  };
}
