import type { CaseJoin, CaseKind, CaseSubject } from "../../common/domain/case-join.js";
import { dueFrom, rankOf, type Case, type CaseChange, type CasePriority, type NewCaseEvent } from "./case.js";

// A hit may mean that nobody may be paid; whoever it is about is usually innocent and waits.
const priorityOf: Readonly<Record<CaseKind, CasePriority>> = {
  SCREENING: "HIGH",
  MONITORING: "NORMAL",
  MANUAL: "NORMAL",
};

const graver: Readonly<Record<CaseKind, number>> = { MANUAL: 0, MONITORING: 1, SCREENING: 2 };

export interface Opening {
  caseId: string;
  number: number;
  subject: CaseSubject;
  kind: CaseKind;
  priority?: CasePriority;
  /** The subject's last case, which is closed. */
  previous?: Case;
}

/** A new case and the first entry of its timeline. */
export function openCase(opening: Opening, now: Date): CaseChange {
  const { caseId, number, kind, previous, priority = priorityOf[kind] } = opening;
  const { subjectKind, subjectId, customerId } = opening.subject;
  const after: Case = {
    caseId,
    number,
    kind,
    subjectKind,
    subjectId,
    customerId,
    transactionIds: [],
    screeningIds: [],
    waitingScreeningIds: [],
    status: "OPEN",
    priority,
    rank: rankOf(priority),
    dueAt: dueFrom(now, priority),
    tags: [],
    files: [],
    openedAt: now,
    ...(previous !== undefined && { previousCaseId: previous.caseId }),
    isOpen: true,
    version: 0,
  };
  const before: Record<string, string> =
    previous === undefined ? {} : { previousCaseId: previous.caseId, previousNumber: `${previous.number}` };
  return { after, events: [{ kind: "OPENED", text: "", details: { kind, priority, ...before } }] };
}

const eventKinds = {
  HIT: "SCREENING_JOINED",
  REVIEW: "TRANSACTION_JOINED",
  HIT_DECIDED: "HIT_DECIDED",
  REVIEW_DECIDED: "TRANSACTION_DECIDED",
  BLOCK: "BLOCK_NOTED",
  IDENTITY: "IDENTITY_CHECKED",
  OFF_LIST: "LIST_CHANGED",
} as const;

/** Whether it opens a case where the subject has none that is open. */
export function opensCase({ event }: CaseJoin): boolean {
  return event === "HIT" || event === "REVIEW" || event === "IDENTITY";
}

/**
 * A case that something has joined. A hit or a review ends its snooze; a hit makes it a SCREENING
 * case and raises what is below its priority, with the due date that goes with it.
 */
export function joinCase(before: Case, join: CaseJoin, now: Date): CaseChange {
  const { screeningId, transactionId, transactionIds = [], event, text } = join;
  const details: Record<string, string> = {
    ...(screeningId !== undefined && { screeningId }),
    ...(transactionId !== undefined && { transactionId }),
  };
  const after: Case = {
    ...before,
    transactionIds: [transactionId, ...transactionIds].reduce(including, before.transactionIds),
    screeningIds: including(before.screeningIds, screeningId),
  };
  // A note on a block comes late: the screening may be decided since it was read.
  if (screeningId !== undefined && event !== "BLOCK") {
    const others = before.waitingScreeningIds.filter((id) => id !== screeningId);
    const waits = event === "HIT" || join.waits === true;
    after.waitingScreeningIds = waits ? [...others, screeningId] : others;
  }
  if (opensCase(join) && before.status !== "CLOSED") Object.assign(details, raised(after, join.kind, now));
  return { after, events: [{ kind: eventKinds[event], text, details }] };
}

/** What a person puts into a case that is open already. */
export function joinByHand(
  before: Case,
  { note, transactionIds, priority }: { note: string; transactionIds: readonly string[]; priority?: CasePriority },
  now: Date,
): CaseChange {
  const fresh = transactionIds.filter((id) => !before.transactionIds.includes(id));
  const after: Case = { ...before, transactionIds: [...before.transactionIds, ...fresh] };
  const raise = priority === undefined ? {} : atLeast(after, priority, now);
  const events: NewCaseEvent[] = [
    ...fresh.map((transactionId) => ({ kind: "TRANSACTION_JOINED" as const, text: "", details: { transactionId } })),
    { kind: "NOTED", text: note, details: raise },
  ];
  return { after, events };
}

function raised(after: Case, kind: CaseKind, now: Date): Record<string, string> {
  const details: Record<string, string> = {};
  if (after.snoozedUntil !== undefined) {
    details["snoozeEnded"] = after.snoozedUntil.toISOString();
    delete after.snoozedUntil;
  }
  if (graver[kind] > graver[after.kind]) {
    Object.assign(details, { kind, kindBefore: after.kind });
    after.kind = kind;
  }
  return { ...details, ...atLeast(after, priorityOf[kind], now) };
}

function atLeast(after: Case, priority: CasePriority, now: Date): Record<string, string> {
  if (rankOf(priority) <= after.rank) return {};
  const details = { priority, priorityBefore: after.priority };
  const due = dueFrom(now, priority);
  Object.assign(after, { priority, rank: rankOf(priority), dueAt: due < after.dueAt ? due : after.dueAt });
  return details;
}

function including(ids: string[], id: string | undefined): string[] {
  return id === undefined || ids.includes(id) ? [...ids] : [...ids, id];
}
