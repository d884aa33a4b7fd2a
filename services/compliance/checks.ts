import { isDeepStrictEqual } from "node:util";
import type { Clock } from "../shared/clock.js";
import { crashPoint } from "../shared/crash-point.js";
import type { OutgoingContext } from "../shared/grpc/client.js";
import type { Money } from "../shared/money.js";
import type { Outbox } from "../shared/outbox/index.js";
import { Refusal } from "../shared/refusal.js";
import {
  emptyDay,
  figuresFrom,
  firstDay,
  longestWindow,
  pastParts,
  withTransaction,
  type DayActivity,
} from "./activity.js";
import type { AuditEntry } from "./audit.js";
import { isMovement } from "./conditions.js";
import { isCurrent, newCustomer, standingOf, type CustomerRecord } from "./customer.js";
import type { Customers } from "./customers.js";
import { calendarDay } from "./days.js";
import {
  countedFacts,
  decide,
  leftOfDay,
  ownPart,
  refusal,
  type DecisionInputs,
  type Outcome,
  type TransactionFacts,
} from "./decision.js";
import { createKnownPasts, freshnessOf, type KnownPast } from "./known-pasts.js";
import { confirm, giveBack, hold, release, type ReservationState, type UsageChange } from "./limits.js";
import { decisionRow, type Origin } from "./news.js";
import type { People } from "./people.js";
import type { Policy } from "./policy.js";
import type { PolicyVersions } from "./policy-versions.js";
import type { Preferences } from "./preferences.js";
import { demandDocuments } from "./requirements.js";
import type { ComplianceStore, DayRecord, KeptDecision, Session, TenantStore } from "./store.js";
import { createTurns } from "../shared/turns.js";

export interface ChecksDeps {
  store: ComplianceStore;
  policies: PolicyVersions;
  people: People;
  preferences: Preferences;
  customers: Customers;
  outbox: Outbox;
  clock: Clock;
}

export type Checks = ReturnType<typeof createChecks>;

/** The customer was last worked out by another policy, or something of theirs has expired since. */
class Stale extends Error {}

interface Gathered {
  now: Date;
  policy: Policy | undefined;
  customer: CustomerRecord;
  inputs: DecisionInputs;
  today: DayRecord;
  /** What can be remembered if nothing but the day changes; absent without a lock. */
  known?: KnownPast;
}

const maxFlags = 20;
const steps = { CONFIRMED: confirm, RELEASED: release, REFUNDED: giveBack } as const;
type Settled = keyof typeof steps;

/** Decisions on transactions, and the day's sums and limits that they write. */
export function createChecks(deps: ChecksDeps) {
  const { store, policies, people, preferences, customers, outbox, clock } = deps;
  const turns = createTurns();
  const pasts = createKnownPasts();

  /** The customer as they are; with a session taken for its transaction. */
  async function takeCustomer(tenant: TenantStore, customerId: string, day: string, session: Session | undefined) {
    if (session === undefined) return { customer: await tenant.findCustomer(customerId), marks: undefined };
    return (await tenant.lockCustomerOn(customerId, day, session)) ?? { customer: undefined, marks: undefined };
  }

  /** What a decision would rest on now. With a session the customer is taken for its transaction. */
  async function gather(
    tenantId: string,
    facts: TransactionFacts,
    timeZone: string,
    session?: Session,
    policyNow?: Promise<Policy | undefined>,
  ): Promise<Gathered> {
    const tenant = store.forTenant(tenantId);
    const { customerId, recipient } = facts;
    const dayOfLock = calendarDay(clock.now(), timeZone);
    const { customer = newCustomer(customerId), marks } = await takeCustomer(tenant, customerId, dayOfLock, session);
    const now = clock.now();
    const day = calendarDay(now, timeZone);
    const policy = await (policyNow ?? policies.current(tenantId, tenant, session));
    const counts = customer.status === "CONFIRMED" || (customer.status === "PENDING" && !isMovement(facts.operation));
    if (counts && !isCurrent(customer, policy?.version ?? 0, now)) throw new Stale();
    const conditions = (policy?.transactionRules ?? []).map(({ condition }) => condition);
    const before = marks && pasts.of(tenantId, customerId);
    const at = { version: customer.version, policyVersion: policy?.version ?? 0, day };
    const fresh = marks === undefined ? "everything" : freshnessOf(before, { ...at, marks });
    const from = fresh === "everything" ? firstDay(day, Math.max(1, longestWindow(conditions))) : day;
    const read = fresh === "nothing" ? [] : await tenant.listDays(customerId, from, day, session);
    const today = (fresh === "nothing" ? before?.today : read.find((one) => one.day === day)) ?? {
      ...emptyDay(day),
      customerId,
      usage: [],
    };
    const parts = fresh === "everything" || before === undefined ? pastParts(conditions, read, day) : before.parts;
    const recipients = fresh === "everything" || before === undefined ? new Set<string>() : before.recipients;
    const isKnown =
      recipient !== "" &&
      (recipients.has(recipient) || (await tenant.isKnownRecipient(customerId, recipient, session)));
    const inputs: DecisionInputs = {
      facts,
      ...standingOf(customer, now),
      newBeneficiary: recipient !== "" && !isKnown,
      figures: figuresFrom(conditions, parts, today, ownPart(facts)),
      day,
      timeZone,
      usage: usageOf(today, facts.amount),
    };
    const known = marks && day === dayOfLock ? { ...at, marks, parts, today, recipients } : undefined;
    return { now, policy, customer, inputs, today, ...(known && { known }) };
  }

  /** Runs a decision; where the customer is not worked out by the current policy, does that and runs it again. */
  async function whenCurrent<T>(origin: Origin, call: OutgoingContext, customerId: string, run: () => Promise<T>) {
    for (let attempt = 1; ; attempt++) {
      try {
        return await run();
      } catch (error) {
        if (!(error instanceof Stale) || attempt === 3) throw error;
        await customers.current(origin, await people.find({ customerId }, call));
      }
    }
  }

  /** Writes an approval's hold on the day's limit and its part of the sums. The day as it is then. */
  async function holdDay(
    { today, inputs, known }: Gathered,
    tenant: TenantStore,
    session: Session,
  ): Promise<DayRecord> {
    const { facts, day } = inputs;
    const change = hold(inputs.usage, facts.amount.minor);
    const counted = withTransaction(today, countedFacts(facts));
    const after = { ...today, ...counted, usage: changedUsage(today, facts.amount.currency, change) };
    await tenant.putDay(after, session);
    if (inputs.newBeneficiary) await tenant.insertRecipient(facts.customerId, facts.recipient, session);
    // Decided on a day that others have left behind, or that turned while we waited for the customer.
    if (known === undefined || day !== known.marks.lastDay) await tenant.notePastChange(facts.customerId, session);
    return after;
  }

  /** What a decision asks of the customer, and what it says of them. */
  async function noteOnCustomer(origin: Origin, gathered: Gathered, outcome: Outcome, session: Session): Promise<void> {
    const { customer, policy, now, inputs } = gathered;
    if (customer.person === undefined) return;
    const tenant = store.forTenant(origin.tenantId);
    const isStopped = outcome.reasonCode === "RULE_REJECTED" || (outcome.decision === "REVIEW" && policy !== undefined);
    const flagged = isStopped && isMovement(inputs.facts.operation);
    const asked = outcome.decision === "PENDING" ? askedOf(policy, outcome) : [];
    const isNew = asked.some(({ kind }) => !inputs.met.includes(kind));
    if (!flagged && !isNew) return;
    const worked = {
      ...customer,
      requirements: demandDocuments(customer.requirements, asked, now),
      flagged: flagged ? [...customer.flagged, now].slice(-maxFlags) : customer.flagged,
    };
    const cause = `transaction ${inputs.facts.transactionId}`;
    await customers.keep(origin, customer, worked, customer.person, cause, { now, policy, session, tenant });
  }

  async function decideFirst(
    origin: Origin,
    facts: TransactionFacts,
    timeZone: string,
    session: Session,
    policyNow: Promise<Policy | undefined> | undefined,
  ): Promise<{ kept: KeptDecision; known?: KnownPast }> {
    const tenant = store.forTenant(origin.tenantId);
    const gathered = await gather(origin.tenantId, facts, timeZone, session, policyNow);
    const outcome = decide(gathered.policy, gathered.inputs);
    const kept: KeptDecision = {
      ...outcome,
      transactionId: facts.transactionId,
      policyVersion: gathered.policy?.version ?? 0,
      inputs: gathered.inputs,
      reservation: reservationOf(outcome, facts),
      decidedAt: gathered.now,
      interactionId: origin.interactionId,
      version: 1,
      isOpen: isWaiting(outcome),
      decidedBy: "rules",
      earlier: [],
    };
    const held = kept.reservation === "HELD" ? await holdDay(gathered, tenant, session) : undefined;
    await tenant.insertDecision(kept, session);
    await noteOnCustomer(origin, gathered, outcome, session);
    const { known } = gathered;
    if (held === undefined || known === undefined || held.day !== known.marks.lastDay) return { kept };
    const recipients = facts.recipient === "" ? known.recipients : new Set([...known.recipients, facts.recipient]);
    return { kept, known: { ...known, today: held, recipients } };
  }

  /** Puts another outcome in place of one that waited; remittance is told. */
  async function decideAgain(
    origin: Origin,
    before: KeptDecision,
    outcome: Outcome,
    gathered: Gathered,
    decidedBy: string,
    session: Session,
  ): Promise<KeptDecision> {
    const tenant = store.forTenant(origin.tenantId);
    const { decision, reasonCode, message, outstandingRequirements, matchedRules } = before;
    const { policyVersion, inputs, decidedAt } = before;
    const was = { decision, reasonCode, message, outstandingRequirements, matchedRules };
    const kept: KeptDecision = {
      ...before,
      ...outcome,
      policyVersion: gathered.policy?.version ?? 0,
      inputs: gathered.inputs,
      reservation: reservationOf(outcome, gathered.inputs.facts),
      decidedAt: gathered.now,
      version: before.version + 1,
      isOpen: isWaiting(outcome),
      decidedBy,
      earlier: [...before.earlier, { ...was, policyVersion, inputs, decidedAt, decidedBy: before.decidedBy }],
    };
    if (kept.reservation === "HELD") await holdDay(gathered, tenant, session);
    await tenant.putDecision(kept, session);
    if (inputs.facts.operation === "REMITTANCE") await outbox.add(decisionRow(origin, kept), session);
    return kept;
  }

  return {
    /** Decides once per transaction id. Refuses KEY_REUSED for other content under it. */
    async check(origin: Origin, facts: TransactionFacts, call: OutgoingContext): Promise<KeptDecision> {
      const { tenantId } = origin;
      const tenant = store.forTenant(tenantId);
      const first = await tenant.findDecision(facts.transactionId);
      if (first !== undefined) return sameQuestion(first, facts);
      const { timeZone } = await preferences.of(call);
      let attempts = 0;
      // Transactions that want the same customer would fail and repeat each other; replicas still may, and the lock decides.
      const kept = await turns.take(`${tenantId} ${facts.customerId}`, async () => {
        call.signal?.throwIfAborted();
        const done = await whenCurrent(origin, call, facts.customerId, () =>
          store.transaction<{ kept: KeptDecision; known?: KnownPast }>(
            async (session) => {
              attempts += 1;
              // A second attempt looks at everything again, in its own snapshot.
              const isFirst = attempts === 1;
              const earlier = isFirst ? undefined : await tenant.findDecision(facts.transactionId, session);
              if (earlier !== undefined) return { kept: earlier };
              // Beside the lock, not after it: a policy is published as a whole, and this is the one of this moment.
              const policyNow = isFirst ? policies.current(tenantId, tenant) : undefined;
              policyNow?.catch(() => undefined);
              return decideFirst(origin, facts, timeZone, session, policyNow);
            },
            async () => {
              const found = await tenant.findDecision(facts.transactionId);
              return found && { kept: found };
            },
          ),
        );
        if (done.known) pasts.remember(tenantId, facts.customerId, done.known);
        else pasts.forget(tenantId, facts.customerId);
        return done.kept;
      });
      crashPoint("compliance.check.decided");
      return sameQuestion(kept, facts);
    },

    /** What would be decided now, and what the day's limit leaves. Writes nothing but what policy and time have changed. */
    async preview(origin: Origin, facts: TransactionFacts, call: OutgoingContext) {
      const { timeZone } = await preferences.of(call);
      const run = () => gather(origin.tenantId, facts, timeZone);
      const { policy, customer, inputs } = await whenCurrent(origin, call, facts.customerId, run);
      const left = policy && leftOfDay(policy, inputs);
      return { outcome: decide(policy, inputs), customer, policy, left };
    },

    /** A person's word on a transaction in review. Refuses TRANSACTION_NOT_FOUND, STATE_CONFLICT, DAILY_LIMIT_EXCEEDED. */
    async decideReview(
      origin: Origin,
      transactionId: string,
      word: { approve: boolean; audit: AuditEntry },
      call: OutgoingContext,
    ): Promise<KeptDecision> {
      const tenant = store.forTenant(origin.tenantId);
      const { timeZone } = await preferences.of(call);
      const wanted = word.approve ? "APPROVED" : "REJECTED";
      const found = await tenant.findDecision(transactionId);
      if (found === undefined) throw unknownTransaction();
      const isDone = (now: KeptDecision) => now.decision === wanted && now.decidedBy === origin.actor;
      const decided = await whenCurrent(origin, call, found.inputs.facts.customerId, () =>
        store.transaction(
          async (session) => {
            const before = await tenant.findDecision(transactionId, session);
            if (before === undefined) throw unknownTransaction();
            if (isDone(before)) return before;
            assertReviewable(before, word.approve);
            const gathered = await gather(origin.tenantId, before.inputs.facts, timeZone, session);
            const outcome = word.approve ? approvalOf(gathered, before) : refusalOf(before);
            const kept = await decideAgain(origin, before, outcome, gathered, origin.actor, session);
            await tenant.insertAudit(word.audit, session);
            return kept;
          },
          async () => {
            const now = await tenant.findDecision(transactionId);
            return now !== undefined && isDone(now) ? now : undefined;
          },
        ),
      );
      crashPoint("compliance.review.decided");
      outbox.wake();
      return decided;
    },

    /** Decides anew on what waited for documents of a customer, or for their confirmation. Safe to repeat. */
    async reconsider(origin: Origin, customerId: string, call: OutgoingContext): Promise<void> {
      const tenant = store.forTenant(origin.tenantId);
      const { timeZone } = await preferences.of(call);
      for (const { transactionId } of await tenant.listOpen({ customerId, limit: 1_000 })) {
        await whenCurrent(origin, call, customerId, () =>
          store.transaction(
            async (session) => {
              const before = await tenant.findDecision(transactionId, session);
              if (before === undefined || !before.isOpen || before.decision !== "PENDING") return true;
              const gathered = await gather(origin.tenantId, before.inputs.facts, timeZone, session);
              const outcome = decide(gathered.policy, gathered.inputs);
              if (isDeepStrictEqual(answerOf(before), answerOf(outcome))) return true;
              await decideAgain(origin, before, outcome, gathered, "rules", session);
              await noteOnCustomer(origin, gathered, outcome, session);
              return true;
            },
            async () => undefined,
          ),
        );
        crashPoint("compliance.transaction.reconsidered");
      }
      outbox.wake();
    },

    /** Moves a reservation on; the decision and its day change together. Safe to repeat. */
    async settle(tenantId: string, transactionId: string, to: Settled): Promise<void> {
      const tenant = store.forTenant(tenantId);
      await store.transaction(
        async (session) => {
          const kept = await tenant.findDecision(transactionId, session);
          if (kept === undefined) throw unknownTransaction();
          await settleDecision(tenant, kept, to, session);
          return true;
        },
        async () => ((await tenant.findDecision(transactionId))?.reservation === to ? true : undefined),
      );
      crashPoint("compliance.reservation.settled");
    },
  };
}

async function settleDecision(tenant: TenantStore, kept: KeptDecision, to: Settled, session: Session): Promise<void> {
  const { facts, day } = kept.inputs;
  const { customerId, amount } = facts;
  const change = steps[to](kept.reservation, amount.minor);
  // A transaction that is given up while it waits is not to be approved any more.
  const isGivenUp = to === "RELEASED" && kept.isOpen;
  if (change === undefined) {
    if (isGivenUp) await tenant.putDecision({ ...kept, isOpen: false }, session);
    return;
  }
  await tenant.lockCustomer(customerId, session);
  await tenant.putDecision({ ...kept, reservation: to, isOpen: false }, session);
  const [stored] = await tenant.listDays(customerId, day, day, session);
  const before: DayRecord = stored ?? { ...emptyDay(day), customerId, usage: [] };
  const counts = isCounted(kept.reservation) !== isCounted(to);
  const sums = counts ? await sumsOf(tenant, customerId, day, session) : before;
  if (counts) await tenant.notePastChange(customerId, session);
  await tenant.putDay({ ...before, ...sums, usage: changedUsage(before, amount.currency, change) }, session);
}

/** A day's sums from its decisions: a maximum cannot be taken back from a sum. */
async function sumsOf(tenant: TenantStore, customerId: string, day: string, session: Session): Promise<DayActivity> {
  const counted = await tenant.listCounted(customerId, day, session);
  return counted.reduce((sums, { inputs }) => withTransaction(sums, countedFacts(inputs.facts)), emptyDay(day));
}

/** What is let through holds its part of the limits; what sends no money has none. */
function reservationOf({ decision }: Outcome, { operation }: TransactionFacts): ReservationState {
  return decision === "APPROVED" && isMovement(operation) ? "HELD" : "NONE";
}

function answerOf({ decision, reasonCode, outstandingRequirements }: Outcome) {
  return [decision, reasonCode, outstandingRequirements];
}

function isCounted(reservation: ReservationState): boolean {
  return reservation === "HELD" || reservation === "CONFIRMED";
}

function usageOf(today: DayRecord, { currency }: Money) {
  const { reservedMinor = 0n, usedMinor = 0n } = today.usage.find((one) => one.currency === currency) ?? {};
  return { reservedMinor, usedMinor };
}

function changedUsage(today: DayRecord, currency: string, change: UsageChange): DayRecord["usage"] {
  const { reservedMinor, usedMinor } = usageOf(today, { minor: 0n, currency });
  const others = today.usage.filter((one) => one.currency !== currency);
  return [
    ...others,
    { currency, reservedMinor: reservedMinor + change.reservedMinor, usedMinor: usedMinor + change.usedMinor },
  ];
}

/** A transaction id is decided once; asking something else under it is a bug of the caller that must not pass. */
function sameQuestion(kept: KeptDecision, facts: TransactionFacts): KeptDecision {
  if (!isDeepStrictEqual(askedIn(kept.inputs.facts), askedIn(facts))) {
    throw new Refusal("KEY_REUSED", "this transaction was decided on with other content");
  }
  return kept;
}

/** What the caller said. Beside a remittance the countries are the customers' own, who may have moved since. */
function askedIn(facts: TransactionFacts) {
  if (facts.operation === "REMITTANCE") return facts;
  const { originCountry: _from, receivingCountry: _to, ...asked } = facts;
  return asked;
}

function isWaiting({ decision }: Outcome): boolean {
  return decision === "REVIEW" || decision === "PENDING";
}

function askedOf(policy: Policy | undefined, { matchedRules, outstandingRequirements }: Outcome) {
  const rules = (policy?.transactionRules ?? []).filter(
    ({ id, action }) => action === "REQUIRE_DOCUMENTS" && matchedRules.includes(id),
  );
  return rules.flatMap(({ id, requiredDocuments, validityDays }) =>
    requiredDocuments
      .filter((kind) => outstandingRequirements.includes(kind))
      .map((kind) => ({ kind, ruleId: id, ...(validityDays !== undefined && { validityDays }) })),
  );
}

function unknownTransaction(): Refusal {
  return new Refusal("TRANSACTION_NOT_FOUND", "no decision was made on this transaction");
}

function assertReviewable({ isOpen, decision }: KeptDecision, approve: boolean): void {
  if (!isOpen) throw new Refusal("STATE_CONFLICT", "this transaction does not wait for a decision");
  if (approve && decision === "PENDING") {
    throw new Refusal("STATE_CONFLICT", "documents are missing: the transaction is decided on when they are accepted");
  }
}

/** A person may let pass what rules question, not what the customer's standing or limit forbids. */
function approvalOf({ policy, inputs }: Gathered, before: KeptDecision): Outcome {
  if (inputs.customerStatus !== "CONFIRMED") {
    throw new Refusal("STATE_CONFLICT", `the customer is ${inputs.customerStatus}`);
  }
  const left = policy && leftOfDay(policy, inputs);
  if (left !== undefined && inputs.facts.amount.minor > left.minor) {
    throw new Refusal("DAILY_LIMIT_EXCEEDED", "the customer's daily limit leaves less than this amount");
  }
  const { matchedRules } = before;
  return { decision: "APPROVED", reasonCode: "", message: "", outstandingRequirements: [], matchedRules };
}

function refusalOf({ matchedRules, inputs }: KeptDecision): Outcome {
  return {
    decision: "REJECTED",
    reasonCode: "REVIEW_REJECTED",
    message: refusal(inputs.facts),
    outstandingRequirements: [],
    matchedRules,
  };
}
