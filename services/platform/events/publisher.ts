import type { EventsServiceDefinition, NewEvent } from "../../../proto/gen/events/v1/events.js";
import { createBatcher } from "../../kernel/batching/batcher.js";
import { crashPoint } from "../../kernel/process/crash-point.js";
import { outgoing, type Client } from "../../kernel/grpc/client.js";
import type { OutboxRow, RowHandler } from "../../kernel/outbox/index.js";
import { isAwayOrLate, Refusal } from "../../kernel/refusal.js";
import { publishKind, type EventPayload } from "./row.js";
import { isConfidential, subjectTypeOf } from "./types.js";

export interface PublisherDeps {
  /** Undefined where the service has no address of events: rows wait. */
  events: Pick<Client<EventsServiceDefinition>, "publishEvents"> | undefined;
}

interface Waiting {
  event: NewEvent;
  interactionId: string;
  resolve(): void;
  reject(error: unknown): void;
}

const maxEvents = 100;
// Events of one call stay far below what a message may have.
const weighedBytes = 30_000;
const timeoutMs = 10_000;

/**
 * Handler of the rows that tell events, for the service's relay. Rows of a tenant that run at the
 * same time go in one call. A row is deleted when its event is kept: what it says of people is then
 * in one place.
 */
export function createEventPublisher({ events }: PublisherDeps): Record<string, RowHandler> {
  const batcher = createBatcher<Waiting>({
    maxBatchSize: maxEvents,
    maxInFlight: 2,
    minBatchSize: maxEvents,
    weightOf: ({ event }) => Math.max(1, Math.ceil(event.dataJson.length / weighedBytes)),
    run: publish,
  });

  async function send(tenantId: string, waiting: readonly Waiting[]): Promise<void> {
    if (events === undefined) throw new Refusal("UNAVAILABLE", "EVENTS_ADDRESS is not set");
    const [first] = waiting;
    const call = outgoing({ tenantId, interactionId: first?.interactionId ?? "" }, { timeoutMs });
    await events.publishEvents({ events: waiting.map(({ event }) => event) }, call);
  }

  async function publish(tenantId: string, waiting: Waiting[]): Promise<void> {
    try {
      await send(tenantId, waiting);
      crashPoint("shared.event.published");
      for (const { resolve } of waiting) resolve();
    } catch (error) {
      if (waiting.length === 1 || isAwayOrLate(error)) for (const { reject } of waiting) reject(error);
      // One that is refused holds up none of the others.
      else await Promise.all(waiting.map((one) => publish(tenantId, [one])));
    }
  }

  return {
    [publishKind]: async (row: OutboxRow) => {
      const event = eventOf(row);
      const { interactionId } = row;
      await new Promise<void>((resolve, reject) =>
        batcher.add(row.tenantId, { event, interactionId, resolve, reject }),
      );
      return "forget";
    },
  };
}

function eventOf({ id, interactionId, payload }: OutboxRow): NewEvent {
  const published = payload as unknown as EventPayload;
  const { type, subjectId, at, customerId, dataJson, isConfidential: isHidden = false } = published;
  return {
    eventId: id,
    type,
    occurredAt: at,
    subjectType: subjectTypeOf(type),
    subjectId,
    interactionId,
    dataJson,
    customerId,
    isConfidential: isHidden || isConfidential(type),
  };
}
