import type {
  Case as WireCase,
  CaseEvent as WireEvent,
  CaseFile as WireFile,
  ChangeCaseRequest,
  ListCasesRequest,
} from "../../../../proto/gen/compliance/v1/cases.js";
import type { WirePartial } from "../../../kernel/grpc/definition.js";
import { invalidInput } from "../../../kernel/refusal.js";
import { isReadable } from "../../../kernel/text/reason.js";
import { trimmedFromWire } from "../../../kernel/text/wire-text.js";
import type { CaseKind } from "../../common/domain/case-join.js";
import {
  caseOutcomes,
  casePriorities,
  caseTags,
  type Case,
  type CaseEvent,
  type CaseFile,
  type CaseOutcome,
  type CasePriority,
  type CaseStatus,
  type RequestedChange,
} from "../domain/case.js";
import { orders, placeOf, queues, type CaseQuery, type Order, type Place } from "../store/case-queues.js";
import { oneOf } from "../../common/wire/one-of.js";
import { pageFromWire } from "../../common/wire/pages.js";

const maxNoteLength = 4_000;
const kinds = ["SCREENING", "MONITORING", "MANUAL"] as const satisfies readonly CaseKind[];
const statuses = ["OPEN", "INVESTIGATING", "CLOSED"] as const satisfies readonly CaseStatus[];
const forms = ["PDF", "JSON"] as const;

export function caseToWire(one: Case, timeline: readonly CaseEvent[] = []): WirePartial<WireCase> {
  const { rank: _rank, isOpen: _isOpen, waitingScreeningIds: _waiting, number, files, ...rest } = one;
  return { ...rest, number: BigInt(number), files: files.map(fileToWire), timeline: timeline.map(eventToWire) };
}

export function fileToWire({ bytes, ...rest }: CaseFile): WirePartial<WireFile> {
  return { ...rest, bytes: BigInt(bytes) };
}

function eventToWire({ sequence, at, actor, kind, text, details }: CaseEvent): WirePartial<WireEvent> {
  return { sequence, at, actor, kind, text, details };
}

/**
 * What an officer writes: lines of visible characters. Refuses INVALID_INPUT where it is empty, too
 * long, or hides something.
 */
export function commentFromWire(given: string, path: string): string {
  const text = trimmedFromWire(given.replaceAll("\r\n", "\n"), path, maxNoteLength);
  if (!isReadable(text)) {
    throw invalidInput(path, "must not hold invisible or direction-changing characters");
  }
  return text;
}

export function outcomeFromWire(outcome: string): CaseOutcome {
  return oneOf(caseOutcomes, outcome, "outcome");
}

/** Undefined where none is named. */
export function priorityFromWire(priority: string): CasePriority | undefined {
  return priority === "" ? undefined : oneOf(casePriorities, priority, "priority");
}

export function formFromWire(form: string): (typeof forms)[number] {
  return oneOf(forms, form, "form");
}

/** Refuses INVALID_INPUT where it asks for nothing, or for a snooze and its end. */
export function changeFromWire(request: ChangeCaseRequest): RequestedChange {
  const { assignee, dueAt, snoozedUntil, endSnooze, tags } = request;
  if (assignee !== undefined && assignee.length > 128)
    throw invalidInput("assignee", "must have at most 128 characters");
  if (endSnooze && snoozedUntil !== undefined) throw invalidInput("endSnooze", "contradicts snoozedUntil");
  const requested: RequestedChange = {
    ...(assignee !== undefined && { assignee }),
    ...(request.priority !== undefined && { priority: oneOf(casePriorities, request.priority, "priority") }),
    ...(dueAt !== undefined && { dueAt }),
    ...(snoozedUntil !== undefined && { snoozedUntil }),
    ...(endSnooze && { endSnooze }),
    ...(tags !== undefined && {
      tags: [...new Set(tags.tags.map((tag, index) => oneOf(caseTags, tag, `tags.${index}`)))],
    }),
  };
  if (Object.keys(requested).length === 0) throw invalidInput("version", "is named with nothing to change");
  return requested;
}

/** Refuses INVALID_INPUT naming the first fault. */
export function queryFromWire(request: ListCasesRequest, caller: string, now: Date): CaseQuery {
  const { customerId } = request;
  const order = request.order === "" ? "AGE" : oneOf(orders, request.order, "order");
  const requested = request.queue || (request.status === "" ? "OPEN" : "ALL");
  const page = pageFromWire(request);
  return {
    queue: oneOf(queues, requested, "queue"),
    caller,
    now,
    order,
    limit: page.limit,
    ...(request.kind !== "" && { kind: oneOf(kinds, request.kind, "kind") }),
    ...(customerId !== "" && { customerId }),
    ...(request.status !== "" && { status: oneOf(statuses, request.status, "status") }),
    ...(page.after !== undefined && { after: placeFromCursor(page.after, order) }),
  };
}

/** Absent on the last page. */
export function cursorAfter(found: readonly Case[], { limit, order }: CaseQuery): string {
  const last = found.at(-1);
  if (last === undefined || found.length < limit) return "";
  const { number, by } = placeOf(last, order);
  return by === undefined ? `${number}` : `${by}.${number}`;
}

function placeFromCursor(cursor: string, order: Order): Place {
  const [, by, number] = /^(?:(\d{1,15})\.)?(\d{1,10})$/.exec(cursor) ?? [];
  if (number === undefined || (by === undefined) !== (order === "AGE")) {
    throw invalidInput("cursor", "must be the cursor of the page before");
  }
  return { number: Number(number), ...(by !== undefined && { by: Number(by) }) };
}
