import { emptyDay, figuresFrom, firstDay, maxWindow, pastParts, withTransaction } from "./figures.js";
import { isMovement } from "./conditions.js";
import { isCurrent, standingOf, type CustomerRecord } from "./customer.js";
import { countedFacts, ownPart, type DecisionInputs, type ForcedDecision, type TransactionFacts } from "./decision.js";
import { freshnessOf, type Freshness, type KnownPast } from "../checks/history-cache.js";
import { hold } from "./reservation.js";
import { conditionsOf, type Policy } from "./policy.js";
import type { CustomerMarks, DayRecord } from "../store/index.js";
import { changedUsage, usageOf } from "./day-usage.js";

/** The customer was last worked out by another policy, or something of theirs has expired since. */
export class Stale extends Error {}

/** A customer as a decision meets them, before anything of their past is read. */
export interface CustomerSnapshot {
  facts: TransactionFacts;
  policy: Policy | undefined;
  customer: CustomerRecord;
  /** Absent without a lock. */
  marks: CustomerMarks | undefined;
  /** What this process remembers of them. */
  remembered: KnownPast | undefined;
  /** Business time. */
  now: Date;
  /** Calendar day of `now`, and the one that the lock was taken for. */
  day: string;
  dayOfLock: string;
  timeZone: string;
  /** What a sandbox was told to decide on it. */
  forced?: ForcedDecision | undefined;
}

/** What is still to be read. */
export interface MissingReads {
  fresh: Freshness;
  /** The first day to read; none where absent. */
  from?: string;
  asksRecipient: boolean;
}

/** What a decision rests on. */
export interface DecisionBasis {
  now: Date;
  policy: Policy | undefined;
  customer: CustomerRecord;
  inputs: DecisionInputs;
  today: DayRecord;
  /** Something was decided on it before. */
  isDayKept: boolean;
  /** What can be remembered if nothing but the day changes; absent without a lock. */
  known?: KnownPast;
}

/** What is to be read before a decision on a customer. Throws Stale. */
export function missingReads({ facts, policy, customer, marks, remembered, now, day }: CustomerSnapshot): MissingReads {
  const { recipient } = facts;
  const counts = customer.status === "CONFIRMED" || (customer.status === "PENDING" && !isMovement(facts.operation));
  if (counts && !isCurrent(customer, policy?.version ?? 0, now)) throw new Stale();
  const at = { version: customer.version, policyVersion: policy?.version ?? 0, day };
  const fresh = marks === undefined ? "everything" : freshnessOf(remembered, { ...at, marks });
  const isRemembered = fresh !== "everything" && remembered?.recipients.has(recipient) === true;
  const asksRecipient = recipient !== "" && !isRemembered;
  if (fresh === "nothing") return { fresh, asksRecipient };
  if (fresh === "today") return { fresh, asksRecipient, from: day };
  return { fresh, asksRecipient, from: firstDay(day, Math.max(1, maxWindow(conditionsOf(policy)))) };
}

/** Everything that a decision rests on, from what was read for it. Pure. */
export function gatheredFrom(
  met: CustomerSnapshot,
  { fresh, asksRecipient }: MissingReads,
  read: readonly DayRecord[],
  isKnownRecipient: boolean,
): DecisionBasis {
  const { facts, policy, customer, marks, now, day, dayOfLock, timeZone } = met;
  const remembered = fresh === "everything" ? undefined : met.remembered;
  const conditions = conditionsOf(policy);
  const kept = fresh === "nothing" ? remembered?.today : read.find((one) => one.day === day);
  const today = kept ?? { ...emptyDay(day), customerId: facts.customerId, usage: [] };
  const parts = remembered === undefined ? pastParts(conditions, read, day) : remembered.parts;
  const recipients = remembered === undefined ? new Set<string>() : remembered.recipients;
  const inputs: DecisionInputs = {
    facts,
    ...standingOf(customer, now),
    newBeneficiary: asksRecipient && !isKnownRecipient,
    figures: figuresFrom(conditions, parts, today, ownPart(facts)),
    day,
    timeZone,
    usage: usageOf(today, facts.amount.currency),
    ...(met.forced !== undefined && { forced: met.forced }),
  };
  const at = { customer, policyVersion: policy?.version ?? 0, day };
  const known = marks && day === dayOfLock ? { ...at, marks, parts, today, recipients } : undefined;
  return { now, policy, customer, inputs, today, isDayKept: kept !== undefined, ...(known && { known }) };
}

/** The day once an approval takes its part of the limit and counts in the sums. Refuses AMOUNT_TOO_LARGE beyond int64. */
export function heldDay({ today, inputs }: DecisionBasis, take = hold): DayRecord {
  const { facts } = inputs;
  const change = take(inputs.usage, facts.amount.minor);
  const counted = withTransaction(today, countedFacts(facts));
  return { ...today, ...counted, usage: changedUsage(today, facts.amount.currency, change) };
}

/** Whether the held day is another than the last one: decided on a day that others have left behind, or that turned while we waited for the customer. */
export function isPastChanged({ inputs, known }: DecisionBasis): boolean {
  return known === undefined || inputs.day !== known.marks.lastDay;
}
