import { isEventType, subjectTypeOf, type EventType, type SubjectType } from "../../platform/events/types.js";

/** An event as a service tells it. */
export interface NewEvent {
  eventId: string;
  type: EventType;
  occurredAt: Date;
  subjectId: string;
  interactionId: string;
  /** A JSON object, printed. */
  dataJson: string;
  /** Whom it is about, or empty. */
  customerId: string;
  isConfidential: boolean;
}

/** An event as it is kept. */
export interface RecordedEvent extends Omit<NewEvent, "dataJson"> {
  subjectType: SubjectType;
  /** 1, 2, 3… of the subject, without gaps. */
  sequence: number;
  /** Rises with every event of the tenant; not without gaps. */
  place: number;
  recordedAt: Date;
  /** The bytes that are sent, a JSON object; absent where the person was erased. */
  body?: string;
}

/** What names a subject within its tenant. */
export function subjectKey({ type, subjectId }: Pick<NewEvent, "type" | "subjectId">): string {
  return `${subjectTypeOf(type)}:${subjectId}`;
}

/** The bytes that are sent, the same for everybody and at every try. */
export function bodyOf(event: NewEvent, sequence: number, version: number): string {
  const { eventId: id, type, occurredAt, subjectId, interactionId, dataJson } = event;
  const timestamp = occurredAt.toISOString();
  const head = JSON.stringify({
    id,
    type,
    version,
    timestamp,
    subject: { type: subjectTypeOf(type), id: subjectId },
    sequence,
    interactionId,
  });
  return `${head.slice(0, -1)},"data":${dataJson}}`;
}

/** Whether a subscription such as `transaction.paid` or `transaction.*` wants an event. */
export function isWanted(patterns: readonly string[], type: EventType): boolean {
  return patterns.some((pattern) =>
    pattern.endsWith(".*") ? type.startsWith(pattern.slice(0, -1)) : pattern === type,
  );
}

/** The types that a pattern means; none where it means nothing. */
export function typesOf(pattern: string, all: readonly EventType[]): EventType[] {
  if (pattern.endsWith(".*")) return all.filter((type) => type.startsWith(pattern.slice(0, -1)));
  return isEventType(pattern) && all.includes(pattern) ? [pattern] : [];
}
