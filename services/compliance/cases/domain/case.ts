import { invalidInput, Refusal } from "../../../kernel/refusal.js";
import type { CaseKind, CaseSubject } from "../../common/domain/case-join.js";
import type { ContentType } from "../../decisions/domain/document.js";

/** INVESTIGATING has somebody who works it. */
export type CaseStatus = "OPEN" | "INVESTIGATING" | "CLOSED";

export const caseOutcomes = ["FALSE_POSITIVE", "CONFIRMED_RISK", "USEFUL"] as const;
export type CaseOutcome = (typeof caseOutcomes)[number];

/** From the least urgent on. */
export const casePriorities = ["LOW", "NORMAL", "HIGH", "URGENT"] as const;
export type CasePriority = (typeof casePriorities)[number];

/** What a case can be marked with. */
export const caseTags = [
  "ADVERSE_MEDIA",
  "FRAUD",
  "IDENTITY",
  "MULE",
  "PEP",
  "REPORTED",
  "SANCTIONS",
  "SOURCE_OF_FUNDS",
  "STRUCTURING",
  "TERRORIST_FINANCING",
  "WAITS_FOR_CUSTOMER",
] as const;
export type CaseTag = (typeof caseTags)[number];

/** A file of a case, without its bytes. */
export interface CaseFile {
  fileId: string;
  name: string;
  mediaType: ContentType;
  bytes: number;
  /** Hexadecimal. */
  sha256: string;
  attachedBy: string;
  attachedAt: Date;
}

/** What compliance officers work in. Its timeline is kept apart. */
export interface Case extends CaseSubject {
  caseId: string;
  /** 1, 2, 3… per tenant. */
  number: number;
  kind: CaseKind;
  transactionIds: string[];
  screeningIds: string[];
  /** Screenings of which a hit waits for a decision. */
  waitingScreeningIds: string[];
  status: CaseStatus;
  outcome?: CaseOutcome;
  /** User id. */
  assignee?: string;
  priority: CasePriority;
  /** Place of the priority, for sorting; 3 is URGENT. */
  rank: number;
  dueAt: Date;
  snoozedUntil?: Date;
  tags: CaseTag[];
  files: CaseFile[];
  openedAt: Date;
  closedAt?: Date;
  /** The subject's case before this one. */
  previousCaseId?: string;
  /** Present while it is not closed: one such case a subject. */
  isOpen?: true;
  /** The sequence of the last entry of the timeline. */
  version: number;
}

export const caseEventKinds = [
  "OPENED",
  "SCREENING_JOINED",
  "TRANSACTION_JOINED",
  "HIT_DECIDED",
  "BLOCK_NOTED",
  "IDENTITY_CHECKED",
  "LIST_CHANGED",
  "TRANSACTION_DECIDED",
  "ASSIGNED",
  "NOTED",
  "FILE_ATTACHED",
  "SNOOZED",
  "CHANGED",
  "CLOSED",
  "REOPENED",
  "EXPORTED",
] as const;
export type CaseEventKind = (typeof caseEventKinds)[number];

/** An entry of a case's timeline. Added and read, never changed. */
export interface CaseEvent {
  caseId: string;
  /** 1, 2, 3… without gaps. */
  sequence: number;
  /** Whose texts go when the retention is over; empty for staff. */
  customerId: string;
  at: Date;
  /** User id, or "compliance". */
  actor: string;
  kind: CaseEventKind;
  /** Free text, the only place where somebody may be named. */
  text: string;
  /** Ids and values by name. */
  details: Record<string, string>;
  /** Of the outbox row that caused it, which is applied once. */
  rowId?: string;
}

/** An event as a change words it; sequence and case are put to it by `withEvents`. */
export type NewCaseEvent = Pick<CaseEvent, "kind" | "text" | "details">;

/** A case after a change, with what the timeline says of it. */
export interface CaseChange {
  after: Case;
  events: readonly NewCaseEvent[];
}

/** Days of 24 hours from when a case is opened, reopened or given a priority. */
export const dueDays: Readonly<Record<CasePriority, number>> = { LOW: 30, NORMAL: 7, HIGH: 3, URGENT: 1 };

const dayMs = 86_400_000;
const maxDueDays = 365;
const maxSnoozeDays = 180;

export function dueFrom(now: Date, priority: CasePriority): Date {
  return new Date(now.getTime() + dueDays[priority] * dayMs);
}

export function rankOf(priority: CasePriority): number {
  return casePriorities.indexOf(priority);
}

export interface RequestedChange {
  /** Empty takes the assignee away. */
  assignee?: string;
  priority?: CasePriority;
  dueAt?: Date;
  snoozedUntil?: Date;
  endSnooze?: true;
  tags?: CaseTag[];
}

/**
 * What a person changes. A new priority sets the due date anew unless the same change names one.
 * Refuses STATE_CONFLICT for a closed case, INVALID_INPUT for a time that is past or too far off.
 */
export function changeCase(before: Case, requested: RequestedChange, now: Date): CaseChange {
  assertOpen(before);
  const after = { ...before };
  const events: NewCaseEvent[] = [];
  if (requested.assignee !== undefined && requested.assignee !== (before.assignee ?? "")) {
    assign(after, requested.assignee);
    events.push(note("ASSIGNED", { assignee: requested.assignee, assigneeBefore: before.assignee ?? "" }));
  }
  const details = { ...prioritise(after, requested, now), ...retag(after, requested) };
  if (Object.keys(details).length > 0) events.push(note("CHANGED", details));
  const snooze = snoozed(after, requested, now);
  if (snooze !== undefined) events.push(snooze);
  return { after, events };
}

function assign(after: Case, assignee: string): void {
  if (assignee === "") delete after.assignee;
  else after.assignee = assignee;
  after.status = assignee === "" ? "OPEN" : "INVESTIGATING";
}

function prioritise(after: Case, requested: RequestedChange, now: Date): Record<string, string> {
  const { priority, dueAt } = requested;
  const details: Record<string, string> = {};
  if (priority !== undefined && priority !== after.priority) {
    Object.assign(details, { priority, priorityBefore: after.priority });
    Object.assign(after, { priority, rank: rankOf(priority) });
  }
  if (dueAt !== undefined) assertWithin(dueAt, now, maxDueDays, "dueAt");
  const due = dueAt ?? (details["priority"] === undefined ? after.dueAt : dueFrom(now, after.priority));
  if (due.getTime() !== after.dueAt.getTime()) {
    Object.assign(details, { dueAt: due.toISOString(), dueAtBefore: after.dueAt.toISOString() });
    after.dueAt = due;
  }
  return details;
}

function retag(after: Case, { tags }: RequestedChange): Record<string, string> {
  if (tags === undefined) return {};
  const [before, wanted] = [after.tags.toSorted().join(", "), tags.toSorted()];
  if (wanted.join(", ") === before) return {};
  after.tags = wanted;
  return { tags: wanted.join(", "), tagsBefore: before };
}

function snoozed(after: Case, { snoozedUntil, endSnooze }: RequestedChange, now: Date): NewCaseEvent | undefined {
  if (snoozedUntil !== undefined) {
    assertWithin(snoozedUntil, now, maxSnoozeDays, "snoozedUntil");
    if (after.snoozedUntil?.getTime() === snoozedUntil.getTime()) return undefined;
    after.snoozedUntil = snoozedUntil;
    return note("SNOOZED", { until: snoozedUntil.toISOString() });
  }
  if (endSnooze === undefined || after.snoozedUntil === undefined) return undefined;
  delete after.snoozedUntil;
  return note("SNOOZED", { until: "" });
}

/** What a case's outcome has to agree with. */
export interface CaseFacts {
  /** Screenings of which a hit waits for a decision. */
  waitingScreeningIds: readonly string[];
  /** Transactions that wait for a person. */
  waitingTransactionIds: readonly string[];
  /** A hit of its screenings is or was confirmed. */
  isHitConfirmed: boolean;
  /** A person has refused a transaction of it. */
  isTransactionRefused: boolean;
}

/**
 * Closes a case of which nothing waits any more. Refuses STATE_CONFLICT where it is closed,
 * where hits or transactions wait for a decision, or where what was decided on them says
 * something else than the outcome.
 */
export function closeCase(
  before: Case,
  { outcome, reason }: { outcome: CaseOutcome; reason: string },
  facts: CaseFacts,
  now: Date,
): CaseChange {
  assertOpen(before);
  const waiting = [
    ...facts.waitingScreeningIds.map((id) => `screening ${id}`),
    ...facts.waitingTransactionIds.map((id) => `transaction ${id}`),
  ];
  if (waiting.length > 0) {
    const [named, more] = [waiting.slice(0, 3).join(", "), waiting.length - 3];
    throw conflict(`still waiting for a decision: ${named}${more > 0 ? ` and ${more} more` : ""}`);
  }
  assertAgrees(before, outcome, facts);
  const { isOpen: _open, snoozedUntil: _until, ...rest } = before;
  const after: Case = { ...rest, status: "CLOSED", outcome, closedAt: now };
  return { after, events: [{ kind: "CLOSED", text: reason, details: { outcome } }] };
}

/**
 * A report that says there was nothing beside a confirmed hit, or the other way round,
 * would be wrong in one of the two.
 */
function assertAgrees(
  { screeningIds }: Case,
  outcome: CaseOutcome,
  { isHitConfirmed, isTransactionRefused }: CaseFacts,
): void {
  if (outcome === "FALSE_POSITIVE" && isHitConfirmed) {
    throw conflict("a hit of this case was confirmed: it was no false positive");
  }
  const isAnyRisk = isHitConfirmed || isTransactionRefused;
  if (outcome === "CONFIRMED_RISK" && screeningIds.length > 0 && !isAnyRisk) {
    throw conflict("no hit of this case was confirmed, and no transaction of it refused: its risk is not confirmed");
  }
}

/** Opens a closed case again, due as if it were new. Refuses STATE_CONFLICT where it is open. */
export function reopenCase(before: Case, reason: string, now: Date): CaseChange {
  if (before.status !== "CLOSED") throw conflict(`case ${before.number} is ${before.status}`);
  const { outcome = "", closedAt: _closed, ...rest } = before;
  const status = before.assignee === undefined ? "OPEN" : "INVESTIGATING";
  const after: Case = { ...rest, status, isOpen: true, dueAt: dueFrom(now, before.priority) };
  return { after, events: [{ kind: "REOPENED", text: reason, details: { outcomeBefore: outcome } }] };
}

/** Refuses STATE_CONFLICT where somebody else was first. */
export function assertVersion({ number, version }: Case, read: number): void {
  if (read !== version) throw conflict(`case ${number} is at version ${version}: read it again`, version);
}

function assertOpen({ number, status }: Case): void {
  if (status === "CLOSED") throw conflict(`case ${number} is closed: reopen it first`);
}

function assertWithin(at: Date, now: Date, maxDays: number, path: string): void {
  if (at <= now) throw invalidInput(path, "must be in the future");
  if (at.getTime() - now.getTime() > maxDays * dayMs) throw invalidInput(path, `must be within ${maxDays} days`);
}

export function conflict(message: string, version?: number): Refusal {
  return new Refusal(
    "STATE_CONFLICT",
    message,
    version === undefined ? undefined : { figures: { version: `${version}` } },
  );
}

function note(kind: CaseEventKind, details: Record<string, string>): NewCaseEvent {
  return { kind, text: "", details };
}
