import { printJson } from "../../kernel/json.js";
import { rowKindsOf, type NewRow } from "../../kernel/outbox/index.js";
import type { EventData } from "./declare.js";
import { subjectTypeOf, type EventType } from "./types.js";

/** Kind of the outbox rows that tell events. */
export const publishKind = rowKindsOf({ publish: "event.publish" }).publish;

// One change of a subject tells at most so many events: one that ends a loan rejects every
// repayment that waited. Their numbers stay exact up to 2^33 versions.
const partsPerVersion = 2 ** 20;

export interface PublishedEvent<Type extends EventType> {
  type: Type;
  subjectId: string;
  /** Of the subject, raised by every change of it: its events are told in this order. */
  version: number;
  /** From 0: the order of events that one change tells; 0 when absent. */
  part?: number;
  at: Date;
  /** Whom it is about, where it is about a customer. */
  customerId?: string | undefined;
  /** Reaches nobody without the compliance permission, whatever its type says. */
  isConfidential?: boolean;
  data: EventData<Type>;
}

/** Payload of an event's row. */
export interface EventPayload {
  type: EventType;
  subjectId: string;
  at: Date;
  customerId: string;
  /** Absent where the type alone says it. */
  isConfidential?: boolean;
  /** Printed when it is written, so that what is told is what was committed. */
  dataJson: string;
}

type Cause = Pick<NewRow, "tenantId" | "interactionId" | "actor">;

/**
 * The row that tells an event, to be added in the transaction that changes the subject. Its
 * aggregate is the subject's events alone: no row of other work holds them up. The event's id is
 * the row's.
 */
export function eventRow<Type extends EventType>(cause: Cause, published: PublishedEvent<Type>): NewRow {
  const { type, subjectId, version, part = 0, at, customerId = "", isConfidential = false, data } = published;
  if (part < 0 || part >= partsPerVersion) throw new Error(`a change tells at most ${partsPerVersion} events`);
  const { tenantId, interactionId, actor } = cause;
  const payload: EventPayload = { type, subjectId, at, customerId, dataJson: printJson(data) };
  if (isConfidential) payload.isConfidential = true;
  return {
    tenantId,
    interactionId,
    actor,
    aggregate: `told:${subjectTypeOf(type)}:${subjectId}`,
    seq: version * partsPerVersion + part,
    kind: publishKind,
    payload: { ...payload },
  };
}
