import { isCash, isCounted } from "./conditions.js";
import { isHistoryCurrent, type CustomerHistory, type HistoryVersion } from "./customer-history.js";
import { isCurrent, statusFactsOf, type CustomerRecord } from "./customer.js";
import { emptyDay, withTransaction } from "./day-activity.js";
import { changedUsage, usageOf, type DayRecord } from "./day-usage.js";
import type { DecisionInputs } from "./decision.js";
import { figuresFrom, firstDay, pastFigures } from "./figures.js";
import type { ForcedDecision } from "./forced-decision.js";
import { figurePlanOf, type CompiledPolicy } from "./policy.js";
import { missingDetails } from "./personal-details.js";
import { givenMembers } from "./transparency.js";
import { hold } from "./reservation.js";
import { recipientCodeOf } from "../../screening/domain/screening-targets.js";
import { holdsOn } from "../../screening/domain/subject-hold.js";
import { summaryOf, type ScreeningRun } from "../../screening/domain/summary.js";
import { countedFacts, ownPart, type TransactionFacts } from "./transaction.js";

/** The customer was last assessed by another policy, or something of theirs has expired since. */
export class Stale extends Error {}

/** A customer and what is asked about them, before anything of their past is read. */
export interface CustomerSnapshot {
  facts: TransactionFacts;
  policy: CompiledPolicy | undefined;
  customer: CustomerRecord;
  /** Absent where the customer is not locked. */
  historyVersion?: HistoryVersion | undefined;
  /** What this process worked out before, current or not. */
  history?: CustomerHistory | undefined;
  /** Business time. */
  now: Date;
  /** Calendar day of `now`, and the one that the lock was taken for. */
  day: string;
  dayOfLock: string;
  timeZone: string;
  /** What a sandbox was told to decide on it. */
  forced?: ForcedDecision | undefined;
  /** Personal details that the tenant requires. */
  requiredDetails: readonly string[];
  /** How it went to compare its parties with lists; absent where nobody is to learn of it. */
  screening?: ScreeningRun | undefined;
}

/** What is still to be read of a customer. */
export interface MissingReads {
  /** The first day; the last is today. */
  fromDay: string;
  /** Whether it is unknown that the customer has sent to the recipient before. */
  asksRecipient: boolean;
  /** The history, where it is current. */
  history: CustomerHistory | undefined;
}

/** What a decision rests on. */
export interface DecisionBasis {
  now: Date;
  policy: CompiledPolicy | undefined;
  customer: CustomerRecord;
  inputs: DecisionInputs;
  today: DayRecord;
  /** Something was decided on it before. */
  isDayStored: boolean;
  /**
   * What holds as long as no day before changes; absent where the customer is not locked for this
   * day.
   */
  history?: CustomerHistory;
}

/** What is to be read before a decision on a customer. Throws Stale. */
export function missingReads(snapshot: CustomerSnapshot): MissingReads {
  const { facts, policy, customer, historyVersion: version, now, day } = snapshot;
  const policyVersion = policy?.version ?? 0;
  const isDecidedByStatus =
    customer.status === "CONFIRMED" || (customer.status === "PENDING" && !isCounted(facts.operation));
  if (isDecidedByStatus && !isCurrent(customer, policyVersion, now)) throw new Stale();
  // Of a customer whom identity never told of, it is asked what they have given.
  if (isDecidedByStatus && customer.details === undefined && requiresDetails(snapshot)) throw new Stale();
  const isKnown =
    version !== undefined &&
    snapshot.history !== undefined &&
    isHistoryCurrent(snapshot.history, { version, policyVersion, day });
  const history = isKnown ? snapshot.history : undefined;
  return {
    history,
    fromDay: history === undefined ? firstDay(day, Math.max(1, figurePlanOf(policy).maxDays)) : day,
    asksRecipient: facts.recipient !== "" && history?.recipients.has(facts.recipient) !== true,
  };
}

function requiresDetails(snapshot: CustomerSnapshot): boolean {
  const { policy, facts } = snapshot;
  const isAsked = facts.operation === "REMITTANCE" && policy?.transparency.has(facts.originCountry) === true;
  return isAsked || detailsMissingOf(snapshot).length > 0;
}

function detailsMissingOf({ requiredDetails, customer, facts, day }: CustomerSnapshot): string[] {
  return missingDetails(requiredDetails, customer.details, facts, day);
}

/** Everything that a decision rests on, from what was read for it. */
export function decisionBasis(
  snapshot: CustomerSnapshot,
  { history: known, asksRecipient }: MissingReads,
  read: { days: readonly DayRecord[]; isKnownRecipient: boolean },
): DecisionBasis {
  const { facts, policy, customer, historyVersion, now, day, dayOfLock, timeZone, forced, screening: run } = snapshot;
  const plan = figurePlanOf(policy);
  const stored = read.days.find((one) => one.day === day);
  const today = stored ?? { ...emptyDay(day), customerId: facts.customerId, usage: [] };
  const past = known?.figures ?? pastFigures(plan, read.days, day);
  const status = statusFactsOf(customer, now);
  const screening = run && summaryOf(run, holdsOn(customer.holds ?? [], recipientCodeOf(facts)));
  const inputs: DecisionInputs = {
    facts,
    ...status,
    unmet: [...new Set([...status.unmet, ...detailsMissingOf(snapshot)])].toSorted(),
    ...(facts.operation === "REMITTANCE" && { given: givenMembers(customer.details, day) }),
    newBeneficiary: asksRecipient && !read.isKnownRecipient,
    figures: figuresFrom(plan, past, today, ownPart(facts)),
    day,
    timeZone,
    usage: usageOf(today, facts.amount.currency),
    ...(forced !== undefined && { forced }),
    ...(screening !== undefined && { screening }),
  };
  const history = historyVersion &&
    day === dayOfLock && {
      policyVersion: policy?.version ?? 0,
      day,
      figures: past,
      recipients: known?.recipients ?? new Set<string>(),
      version: historyVersion,
    };
  return { now, policy, customer, inputs, today, isDayStored: stored !== undefined, ...(history && { history }) };
}

/**
 * The day once an approval takes its part of the limit and counts in the sums. Refuses
 * AMOUNT_TOO_LARGE beyond int64.
 */
export function heldDay({ today, inputs }: DecisionBasis, take = hold): DayRecord {
  const { facts } = inputs;
  const counted = withTransaction(today, countedFacts(facts));
  // What may be sent in a day is not about cash.
  if (isCash(facts.operation)) return { ...today, ...counted };
  const change = take(inputs.usage, facts.amount.minor);
  return { ...today, ...counted, usage: changedUsage(today, facts.amount.currency, change) };
}

/**
 * Whether the held day is another than the last one, as when the day turned while the customer's
 * lock was waited for.
 */
export function isPastChanged({ inputs, history }: DecisionBasis): boolean {
  return history === undefined || inputs.day !== history.version.lastDay;
}

/**
 * What may be kept for the customer's next decision once this one is committed; undefined where it
 * would not be current.
 */
export function historyAfter(basis: DecisionBasis, held: DayRecord | undefined): CustomerHistory | undefined {
  const { history, inputs } = basis;
  if (history === undefined || isPastChanged(basis)) return undefined;
  const { recipient } = inputs.facts;
  if (held === undefined || recipient === "" || history.recipients.has(recipient)) return history;
  return { ...history, recipients: new Set([...history.recipients, recipient]) };
}
