import { isDeepStrictEqual } from "node:util";
import type { BusinessClock, BusinessTime } from "../../shared/clocks/business-clock.js";
import { crashPoint } from "../../shared/crash-point.js";
import type { OutgoingContext } from "../../shared/grpc/client.js";
import type { Outbox } from "../../shared/outbox/index.js";
import { Refusal } from "../../shared/refusal.js";
import { isSandbox } from "../../shared/sandbox.js";
import type { AuditEntry } from "../store/audit.js";
import { createCheckGroups } from "./check-groups.js";
import { newCustomer } from "../domain/customer.js";
import type { Customers } from "./customers.js";
import { calendarDay } from "../domain/days.js";
import { createDeciding, isWaiting, reservationOf, writeHoldMarks, type Decided, type Question } from "./deciding.js";
import { decide, leftOfDay, refusal, type Outcome, type TransactionFacts } from "../domain/decision.js";
import { gatheredFrom, heldDay, missingReads, Stale, type DecisionBasis } from "../domain/decision-inputs.js";
import { createKnownPasts } from "./history-cache.js";
import { decisionRow, type Origin } from "../jobs/news.js";
import type { People } from "../clients/people.js";
import type { PolicyVersions } from "../store/policy-versions.js";
import { settleDecision, type Settled } from "./settling.js";
import type { ComplianceStore, KeptDecision, Session } from "../store/index.js";
import { createKeyedMutex } from "../../shared/batching/keyed-mutex.js";

export interface ChecksDeps {
  store: ComplianceStore;
  policies: PolicyVersions;
  people: People;
  customers: Customers;
  outbox: Outbox;
  times: BusinessClock;
}

export type Checks = ReturnType<typeof createChecks>;

/** Decisions on transactions, and the day's sums and limits that they write. */
export function createChecks({ store, policies, people, customers, outbox, times }: ChecksDeps) {
  const turns = createKeyedMutex();
  const pasts = createKnownPasts();
  const deciding = createDeciding({ store, customers, pasts });
  const groups = createCheckGroups({ store, policies, deciding, pasts, times });

  const timeOf = ({ tenantId, interactionId }: Origin) => times.forTenant(tenantId, interactionId);

  /** What a decision would rest on now. With a session the customer is taken for its transaction. */
  async function gather(
    tenantId: string,
    facts: TransactionFacts,
    time: BusinessTime,
    session?: Session,
  ): Promise<DecisionBasis> {
    const tenant = store.forTenant(tenantId);
    const { customerId, recipient } = facts;
    const { timeZone } = time;
    const dayOfLock = calendarDay(time.now(), timeZone);
    const locked = session && (await tenant.lockCustomersOn([customerId], dayOfLock, session)).get(customerId);
    const unlocked = session === undefined ? await tenant.findCustomer(customerId) : undefined;
    const customer = locked?.customer ?? unlocked ?? newCustomer(customerId);
    const policy = await policies.current(tenantId, tenant, session);
    const now = time.now();
    const day = calendarDay(now, timeZone);
    const remembered = locked && pasts.of(tenantId, customerId);
    const met = { facts, policy, customer, marks: locked?.marks, remembered, now, day, dayOfLock, timeZone };
    const needs = missingReads(met);
    const read = needs.from === undefined ? [] : await tenant.listDaysOf([customerId], needs.from, day, session);
    const isKnown =
      needs.asksRecipient && (await tenant.knownRecipients([{ customerId, recipient }], session)).size > 0;
    return gatheredFrom(met, needs, read, isKnown);
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

  /** One question in a transaction of its own, as often as it takes. */
  async function decideAlone(question: Question, call: OutgoingContext): Promise<KeptDecision> {
    const { origin, facts } = question;
    const { tenantId } = origin;
    const { customerId, transactionId } = facts;
    const tenant = store.forTenant(tenantId);
    const time = await timeOf(origin);
    const done = await whenCurrent(origin, call, customerId, () =>
      store.transaction<Exclude<Decided, { fault: unknown }>>(
        async (session) => {
          const [earlier] = await tenant.findDecisions([transactionId], session);
          if (earlier !== undefined) return { kept: earlier };
          const last = await policies.current(tenantId, tenant, session);
          const policy = { last, current: Promise.resolve(last) };
          const forced = isSandbox(tenantId) ? await tenant.takeForced(facts, session) : undefined;
          const [decided] = await deciding.decideAll(tenantId, [{ ...question, forced }], policy, time, session);
          if ("fault" in decided!) throw decided.fault;
          return decided!;
        },
        async () => {
          const found = await tenant.findDecision(transactionId);
          return found && { kept: found };
        },
      ),
    );
    if (done.known) pasts.remember(tenantId, customerId, done.known);
    else pasts.forget(tenantId, customerId);
    return done.kept;
  }

  /** Puts another outcome in place of one that waited; remittance is told. */
  async function decideAgain(
    origin: Origin,
    before: KeptDecision,
    outcome: Outcome,
    gathered: DecisionBasis,
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
    if (kept.reservation === "HELD") {
      await tenant.putDays([heldDay(gathered)], session);
      await writeHoldMarks(tenant, [gathered], session);
    }
    await tenant.putDecision(kept, session);
    if (inputs.facts.operation === "REMITTANCE") await outbox.add(decisionRow(origin, kept), session);
    return kept;
  }

  return {
    /**
     * Decides once per transaction id; `atOnce` where it follows its decision at once, so that nobody has to confirm it. Refuses
     * KEY_REUSED for other content under it. `isHeldForPayee` is kept with the first decision.
     */
    async check(
      origin: Origin,
      facts: TransactionFacts,
      call: OutgoingContext,
      { atOnce = false, isHeldForPayee = false } = {},
    ): Promise<KeptDecision> {
      const question = { origin, facts, atOnce, isHeldForPayee };
      // Questions that want the same customer would fail and repeat each other; replicas still may, and the lock decides.
      const kept = await turns.runExclusive(`${origin.tenantId} ${facts.customerId}`, async () => {
        call.signal?.throwIfAborted();
        // What is forced is taken in the transaction that decides.
        const isForced = isSandbox(origin.tenantId) && (await store.forTenant(origin.tenantId).hasForced());
        const together = isForced ? undefined : await groups.decide(question, call.signal);
        return together ?? decideAlone(question, call);
      });
      crashPoint("compliance.check.decided");
      return sameQuestion(kept, facts);
    },

    /** What would be decided now, and what the day's limit leaves. Writes nothing but what policy and time have changed. */
    async preview(origin: Origin, facts: TransactionFacts, call: OutgoingContext) {
      const time = await timeOf(origin);
      const run = () => gather(origin.tenantId, facts, time);
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
      const time = await timeOf(origin);
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
            const gathered = await gather(origin.tenantId, before.inputs.facts, time, session);
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
      const time = await timeOf(origin);
      for (const { transactionId } of await tenant.listOpen({ customerId, limit: 1_000 })) {
        await whenCurrent(origin, call, customerId, () =>
          store.transaction(
            async (session) => {
              const before = await tenant.findDecision(transactionId, session);
              if (before === undefined || !before.isOpen || before.decision !== "PENDING") return true;
              const gathered = await gather(origin.tenantId, before.inputs.facts, time, session);
              const outcome = decide(gathered.policy, gathered.inputs);
              if (isDeepStrictEqual(answerOf(before), answerOf(outcome))) return true;
              await decideAgain(origin, before, outcome, gathered, "rules", session);
              await deciding.noteOnCustomer(origin, gathered, outcome, session);
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

function answerOf({ decision, reasonCode, outstandingRequirements }: Outcome) {
  return [decision, reasonCode, outstandingRequirements];
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
function approvalOf({ policy, inputs }: DecisionBasis, before: KeptDecision): Outcome {
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
