import type { Outbox } from "../../../kernel/outbox/index.js";
import { reviewRows } from "../store/review-rows.js";
import type { CustomerHistory } from "../domain/customer-history.js";
import { newCustomer, type CustomerRecord } from "../domain/customer.js";
import type { DayRecord } from "../domain/day-usage.js";
import { calendarDay } from "../domain/days.js";
import { decide, type Outcome } from "../domain/decision.js";
import {
  decisionBasis,
  heldDay,
  historyAfter,
  isPastChanged,
  missingReads,
  type CustomerSnapshot,
  type DecisionBasis,
  type MissingReads,
} from "../domain/decision-inputs.js";
import type { ForcedDecision } from "../domain/forced-decision.js";
import { assertUpToDate } from "../domain/outdated-facts.js";
import { firstDecision, type RecordedDecision } from "../domain/recorded-decision.js";
import type { Origin } from "../../common/domain/origin.js";
import { hold, spend } from "../domain/reservation.js";
import type { QuestionRun } from "../../screening/domain/screening-targets.js";
import type { ScreeningRun } from "../../screening/domain/summary.js";
import type { TransactionFacts } from "../domain/transaction.js";
import type { ScreeningRuns } from "../../screening/engine/runs.js";
import type { Session, TenantStore, ComplianceStore } from "../store/index.js";
import type { PolicyVersions } from "../store/policy-versions.js";
import type { HistoryCache } from "./history-cache.js";
import type { NoteOnCustomer } from "./note-on-customer.js";
import type { Terms } from "./terms.js";

export interface DecideDeps {
  outbox: Outbox;
  store: ComplianceStore;
  policies: PolicyVersions;
  histories: HistoryCache;
  noteOnCustomer: NoteOnCustomer;
  screening: Pick<ScreeningRuns, "sealParties">;
}

/** A transaction that nobody has decided on. */
export interface Question {
  origin: Origin;
  facts: TransactionFacts;
  /** It follows its decision at once: its part of the limits is spent, not held. */
  atOnce: boolean;
  /** What the payee gets is kept out of their reach. */
  isHeldForPayee: boolean;
  /** How it went to compare its parties with lists. */
  screening: QuestionRun;
  /** What a sandbox was told to decide on it. */
  forced?: ForcedDecision | undefined;
}

/** The decision, and the history to keep once it is committed. */
export interface Decided {
  recorded: RecordedDecision;
  history: CustomerHistory | undefined;
}

/** A result, or why there is none: one customer's fault does not end the decisions on others. */
export type Attempt<T> = { result: T } | { fault: unknown };

/** What decisions on several transactions rest on, each as those before it leave its customer. */
export interface Bases {
  of(index: number): Attempt<DecisionBasis>;
  /** What an approval takes of its customer's day. */
  hold(held: DayRecord, facts: Pick<TransactionFacts, "customerId" | "recipient">): void;
  /** A customer as a decision has changed them. */
  change(customer: CustomerRecord): void;
}

interface Plan {
  question: Question;
  basis: DecisionBasis;
  outcome: Outcome;
  recorded: RecordedDecision;
  held: DayRecord | undefined;
}

export type Decide = ReturnType<typeof createDecide>;

/**
 * Decides inside a transaction of MongoDB: locks the customers, reads what is missing, decides,
 * writes.
 */
export function createDecide({ store, policies, histories, noteOnCustomer, outbox, screening }: DecideDeps) {
  /**
   * With a decision that waits is kept who it pays; whatever is decided
   * at once needs nobody any more.
   */
  async function withParties(tenantId: string, one: Attempt<Plan>): Promise<Attempt<Plan>> {
    if ("fault" in one) return one;
    const { question, recorded } = one.result;
    const { named } = question.screening;
    if (!recorded.isOpen || named.length === 0) return one;
    const parties = await screening.sealParties(tenantId, recorded.transactionId, named);
    return { result: { ...one.result, recorded: { ...recorded, parties } } };
  }

  /**
   * Locks the customers and reads what decisions on them rest on; Stale is a fault. Each customer
   * is read once: what is decided on one transaction is told before the next of theirs is asked.
   */
  async function lockAndRead(
    tenantId: string,
    requested: readonly (Pick<Question, "facts" | "forced"> & { screening: ScreeningRun })[],
    time: Terms,
    session: Session,
  ): Promise<Bases> {
    const tenant = store.forTenant(tenantId);
    const { timeZone, requiredDetails } = time;
    const customerIds = [...new Set(requested.map(({ facts }) => facts.customerId))];
    const dayOfLock = calendarDay(time.now(), timeZone);
    const [policy, locked] = await Promise.all([
      policies.current(tenantId, tenant),
      tenant.lockCustomersOn(customerIds, dayOfLock, session),
    ]);
    const now = time.now();
    const at = { policy, now, day: calendarDay(now, timeZone), dayOfLock, timeZone, requiredDetails };
    const met = requested.map(({ facts, screening, forced }) =>
      attempt(() => {
        const { customerId } = facts;
        const { customer = newCustomer(customerId), historyVersion } = locked.get(customerId) ?? {};
        const history = histories.find(tenantId, customerId);
        const snapshot: CustomerSnapshot = { ...at, facts, screening, forced, customer, historyVersion, history };
        return { snapshot, missing: missingReads(snapshot) };
      }),
    );
    const { days, recipients } = await readMissing(tenant, met.flatMap(resultOf), session);
    const changed = new Map<string, CustomerRecord>();
    return {
      of(index) {
        const one = met[index]!;
        if ("fault" in one) return one;
        const { snapshot, missing } = one.result;
        const { customerId, recipient } = snapshot.facts;
        const customer = changed.get(customerId) ?? snapshot.customer;
        const isKnownRecipient = recipients.has(`${customerId} ${recipient}`);
        const read = { days: days.get(customerId) ?? [], isKnownRecipient };
        return attempt(() => decisionBasis({ ...snapshot, customer }, missing, read));
      },
      hold(held, { customerId, recipient }) {
        const others = (days.get(customerId) ?? []).filter(({ day }) => day !== held.day);
        days.set(customerId, [...others, held]);
        recipients.add(`${customerId} ${recipient}`);
      },
      change: (customer) => void changed.set(customer.customerId, customer),
    };
  }

  return {
    lockAndRead,

    /** The same of one. Throws Stale. */
    async lockAndReadOne(
      tenantId: string,
      requested: { facts: TransactionFacts; screening: ScreeningRun },
      time: Terms,
      session: Session,
    ) {
      const basis = (await lockAndRead(tenantId, [requested], time, session)).of(0);
      if ("fault" in basis) throw basis.fault;
      return basis.result;
    },

    /**
     * Decides on questions of one tenant, each another customer's, in their order. A fault says why
     * one is decided on by itself.
     */
    async decideAll(
      tenantId: string,
      questions: readonly Question[],
      time: Terms,
      session: Session,
    ): Promise<Attempt<Decided>[]> {
      const tenant = store.forTenant(tenantId);
      const bases = await lockAndRead(tenantId, questions, time, session);
      const decided = questions.map((question, index) => {
        const one = bases.of(index);
        return "fault" in one ? one : attempt(() => planOf(question, one.result));
      });
      const planned = await Promise.all(decided.map((one) => withParties(tenantId, one)));
      const plans = planned.flatMap(resultOf);
      await writeHeldDays(tenant, plans, session);
      await tenant.insertDecisions(
        plans.map(({ recorded }) => recorded),
        session,
      );
      for (const { question, basis, outcome, recorded } of plans) {
        await noteOnCustomer(question.origin, basis, outcome, session);
        await outbox.addAll(reviewRows(question.origin, recorded, basis.policy), session);
      }
      return planned.map((one) => {
        if ("fault" in one) return one;
        const { recorded, basis, held } = one.result;
        return { result: { recorded, history: historyAfter(basis, held) } };
      });
    },
  };
}

function planOf(question: Question, basis: DecisionBasis): Plan {
  const { origin, atOnce, isHeldForPayee } = question;
  assertUpToDate(question.facts, basis.policy);
  const outcome = decide(basis.policy, basis.inputs);
  const recorded = firstDecision(outcome, basis, { interactionId: origin.interactionId, atOnce, isHeldForPayee });
  const held = recorded.reservation === "NONE" ? undefined : heldDay(basis, recorded.spentAtOnce ? spend : hold);
  return { question, basis, outcome, recorded, held };
}

interface Read {
  days: Map<string, readonly DayRecord[]>;
  /** "customer recipient" of those sent to before. */
  recipients: Set<string>;
}

/** Reads days of customers, and whom they have sent to before. */
async function readMissing(
  tenant: TenantStore,
  wanted: readonly { snapshot: CustomerSnapshot; missing: MissingReads }[],
  session: Session,
): Promise<Read> {
  const days = new Map<string, DayRecord[]>();
  // Known customers are read apart, so that those of whom today is enough do not have all days
  // read.
  const [known, unknown] = [wanted.filter(isHistoryKnown), wanted.filter((one) => !isHistoryKnown(one))];
  for (const some of [known, unknown]) {
    const [first] = some;
    if (first === undefined) continue;
    const customerIds = some.map(({ snapshot }) => snapshot.facts.customerId);
    const { fromDay } = first.missing;
    for (const day of await tenant.listDaysOf(customerIds, fromDay, first.snapshot.day, session)) {
      days.set(day.customerId, [...(days.get(day.customerId) ?? []), day]);
    }
  }
  const asking = wanted.filter(({ missing }) => missing.asksRecipient).map(({ snapshot }) => snapshot.facts);
  const recipients = asking.length === 0 ? new Set<string>() : await tenant.knownRecipients(asking, session);
  return { days, recipients };
}

function isHistoryKnown({ missing }: { missing: MissingReads }): boolean {
  return missing.history !== undefined;
}

/**
 * Writes the days on which approvals take their part of the limits, and what else approvals leave.
 */
async function writeHeldDays(tenant: TenantStore, plans: readonly Plan[], session: Session): Promise<void> {
  const holding = plans.flatMap(({ basis, held }) => (held === undefined ? [] : [{ basis, held }]));
  const days = holding.map(({ held }) => held);
  const isEachStored = holding.every(({ basis }) => basis.isDayStored);
  // One statement where every day is kept already: it costs MongoDB half of what an upsert each
  // costs.
  if (days.length > 1 && isEachStored) await tenant.changeDay(days[0]!.day, days, session);
  else await tenant.putDays(days, session);
  await recordHeld(
    tenant,
    holding.map(({ basis }) => basis),
    session,
  );
}

/** Notes the new recipients of approvals, and days that are not the last. */
export async function recordHeld(tenant: TenantStore, held: readonly DecisionBasis[], session: Session): Promise<void> {
  const facts = held.filter(({ inputs }) => inputs.newBeneficiary).map(({ inputs }) => inputs.facts);
  if (facts.length > 0) await tenant.insertRecipients(facts, session);
  const changed = held.filter(isPastChanged).map(({ inputs }) => inputs.facts.customerId);
  if (changed.length > 0) await tenant.notePastChanges(changed, session);
}

function attempt<T>(work: () => T): Attempt<T> {
  try {
    return { result: work() };
  } catch (fault) {
    return { fault };
  }
}

function resultOf<T>(one: Attempt<T>): T[] {
  return "fault" in one ? [] : [one.result];
}
