import { v7 as uuidv7 } from "uuid";
import type { Delivery } from "../domain/delivery.js";
import { subjectKey, type RecordedEvent } from "../domain/event.js";
import type { Subscription } from "../store/endpoints.js";
import type { Session } from "../store/index.js";
import type { TenantDeliveries } from "../store/deliveries.js";

/** An event that an endpoint is to get. */
export interface Pair {
  event: Pick<RecordedEvent, "eventId" | "type" | "subjectId" | "sequence" | "place" | "customerId">;
  endpoint: Pick<Subscription, "endpointId" | "ordered">;
}

/** Where a delivery stands: due at once, or behind another of its subject. */
export type LineState = Pick<Delivery, "dueAt" | "line" | "isHead" | "isWaiting">;

/**
 * Deliveries of these pairs, which come in the order of their events. The tenant's turn must have
 * been taken: two who open one line at the same time would both be its head. And the transaction
 * must write the events' subjects, as who empties a line does: else the line could be emptied
 * behind its back.
 */
export async function newDeliveries(
  pairs: readonly Pair[],
  deliveries: Pick<TenantDeliveries, "headed">,
  now: Date,
  session: Session,
): Promise<Delivery[]> {
  const states = await lineStatesOf(pairs, deliveries, now, session);
  return pairs.map((pair, index) => newDelivery(pair, states[index]!, now));
}

export function newDelivery({ event, endpoint }: Pair, state: LineState, now: Date): Delivery {
  return {
    deliveryId: uuidv7(),
    endpointId: endpoint.endpointId,
    eventId: event.eventId,
    eventType: event.type,
    subjectId: event.subjectId,
    sequence: event.sequence,
    place: event.place,
    customerId: event.customerId,
    status: "PENDING",
    attemptCount: 0,
    attempts: [],
    createdAt: now,
    ...state,
  };
}

/** Where each of them stands, as they come one after the other. */
export async function lineStatesOf(
  pairs: readonly Pair[],
  deliveries: Pick<TenantDeliveries, "headed">,
  now: Date,
  session: Session,
): Promise<LineState[]> {
  const lines = new Set(pairs.flatMap((pair) => lineOf(pair) ?? []));
  const headed = await deliveries.headed([...lines], session);
  return pairs.map((pair): LineState => {
    const line = lineOf(pair);
    if (line === undefined) return { dueAt: now };
    if (headed.has(line)) return { line, isWaiting: true };
    headed.add(line);
    return { line, isHead: true, dueAt: now };
  });
}

function lineOf({ event, endpoint }: Pair): string | undefined {
  return endpoint.ordered ? `${endpoint.endpointId} ${subjectKey(event)}` : undefined;
}
