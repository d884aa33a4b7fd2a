import type {
  Event as WireEvent,
  ListEventsRequest,
  NewEvent as WireNewEvent,
} from "../../../proto/gen/events/v1/events.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import { parseJson } from "../../kernel/json.js";
import { eventTypes, isEventType, isSubjectType, isConfidential, subjectTypeOf } from "../../platform/events/types.js";
import { invalidInput } from "../../kernel/refusal.js";
import { idFromWire } from "../../kernel/text/wire-text.js";
import { typesOf, type RecordedEvent, type NewEvent } from "../domain/event.js";
import { noSuchType } from "../domain/endpoint.js";
import type { EventQuery } from "../store/events.js";

const maxDataBytes = 65_536;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const usualPage = 20;
const maxPage = 100;

/** Refuses INVALID_INPUT at the path for what no service of ours tells. */
export function newEventFromWire(event: WireNewEvent, path: string): NewEvent {
  const { eventId, type, occurredAt, subjectId, interactionId, dataJson, customerId } = event;
  if (!uuid.test(eventId)) throw invalidInput(`${path}.eventId`, "must be a UUID");
  if (!isEventType(type)) throw invalidInput(`${path}.type`, "is not a type of event");
  if (event.subjectType !== subjectTypeOf(type)) throw invalidInput(`${path}.subjectType`, "is not that of the type");
  if (occurredAt === undefined) throw invalidInput(`${path}.occurredAt`, "is required");
  if (Buffer.byteLength(dataJson) > maxDataBytes) {
    throw invalidInput(`${path}.dataJson`, `must have at most ${maxDataBytes} bytes`);
  }
  const data = parsed(dataJson, path);
  if (typeof data !== "object" || data === null || Array.isArray(data)) {
    throw invalidInput(`${path}.dataJson`, "must be an object");
  }
  return {
    eventId,
    type,
    occurredAt,
    subjectId: idFromWire(subjectId, `${path}.subjectId`),
    interactionId,
    dataJson,
    customerId,
    // Whoever tells it may be stricter, never laxer.
    isConfidential: event.isConfidential || isConfidential(type),
  };
}

function parsed(dataJson: string, path: string): unknown {
  try {
    return parseJson(dataJson);
  } catch {
    throw invalidInput(`${path}.dataJson`, "must be JSON");
  }
}

export function eventToWire(event: RecordedEvent): WirePartial<WireEvent> {
  const { eventId, type, occurredAt, subjectType, subjectId, sequence, interactionId, body = "", place } = event;
  return {
    eventId,
    type,
    occurredAt,
    subjectType,
    subjectId,
    sequence: BigInt(sequence),
    interactionId,
    body,
    place: placeToWire(place),
  };
}

export const placeToWire = (place: number): string => String(place);

/** Refuses INVALID_INPUT at the path for what is no cursor of ours. */
export function placeFromWire(text: string, path: string): number {
  if (!/^\d{1,15}$/.test(text)) throw invalidInput(path, "is not a cursor");
  return Number(text);
}

export function pageSizeFromWire(size: number, usual = usualPage): number {
  if (size < 0 || size > maxPage) throw invalidInput("pageSize", `must be 1 to ${maxPage}`);
  return size === 0 ? usual : size;
}

/** Refuses INVALID_INPUT for a subject without its id, an unknown type, and a foreign cursor. */
export function queryFromWire(request: ListEventsRequest): EventQuery {
  const { subjectType, subjectId, type, from, cursor, pageSize, includeConfidential } = request;
  if ((subjectType === "") !== (subjectId === "")) throw invalidInput("subject", "must be a type and an id");
  if (subjectType !== "" && !isSubjectType(subjectType)) throw invalidInput("subject", "is of no type that is known");
  if (type !== "" && typesOf(type, eventTypes).length === 0) throw unknownType(type);
  return {
    ...(isSubjectType(subjectType) && { subjectType, subjectId }),
    ...(type !== "" && { type }),
    ...(from !== undefined && { from }),
    ...(cursor !== "" && { after: placeFromWire(cursor, "cursor") }),
    isConfidentialShown: includeConfidential,
    limit: pageSizeFromWire(pageSize),
  };
}

function unknownType(type: string) {
  return invalidInput("type", noSuchType(type, eventTypes));
}
