import { setImmediate as nextTurn } from "node:timers/promises";
import type { BusinessTime } from "../../shared/clocks/business-clock.js";
import { createAttempts } from "./attempts.js";
import { isMovement } from "../domain/conditions.js";
import type { Locked } from "../store/customers.js";
import { newCustomer } from "../domain/customer.js";
import type { Customers } from "./customers.js";
import { calendarDay } from "../domain/days.js";
import { decide, type ForcedDecision, type Outcome, type TransactionFacts } from "../domain/decision.js";
import {
  gatheredFrom,
  heldDay,
  isPastChanged,
  missingReads,
  type DecisionBasis,
  type CustomerSnapshot,
  type MissingReads,
} from "../domain/decision-inputs.js";
import type { KnownPast, KnownPasts } from "./history-cache.js";
import { hold, spend, type ReservationState } from "../domain/reservation.js";
import type { Origin } from "../store/outbox-rows.js";
import type { Policy } from "../domain/policy.js";
import { demandDocuments } from "../domain/requirements.js";
import type { ComplianceStore, DayRecord, KeptDecision, Session, TenantStore } from "../store/index.js";

export interface DecidingDeps {
  store: ComplianceStore;
  customers: Customers;
  pasts: KnownPasts;
}

export type Deciding = ReturnType<typeof createDeciding>;

/** A question that nobody has asked before. */
export interface Question {
  origin: Origin;
  facts: TransactionFacts;
  /** It follows its decision at once: its part of the limits is spent, not held. */
  atOnce: boolean;
  /** What the payee gets is kept out of their reach. */
  isHeldForPayee: boolean;
  /** What a sandbox was told to decide on it. */
  forced?: ForcedDecision | undefined;
}

/** What was decided, with what may be remembered once it is committed; or why this one has to be decided on by itself. */
export type Decided = { kept: KeptDecision; known?: KnownPast } | { fault: unknown };

/** Customers that are taken for a transaction, and the day they were taken on. */
interface Taken {
  day: string;
  locked: ReadonlyMap<string, Locked>;
}

type Planned = { result: Plan } | { fault: unknown };

/** What will be decided if the customers are as they are remembered and this is still the policy. */
interface Foreseen {
  policy: Policy | undefined;
  planned: Planned[];
}

interface Plan {
  question: Question;
  gathered: DecisionBasis;
  outcome: Outcome;
  kept: KeptDecision;
  held: DayRecord | undefined;
}

const maxFlags = 20;

/** Decides on transactions inside a transaction of MongoDB. */
export function createDeciding({ store, customers, pasts }: DecidingDeps) {
  const attempts = createAttempts();

  /** Days of several customers and whom they have sent to before, as far as anything is needed of them. */
  async function readPasts(
    tenant: TenantStore,
    wanted: readonly { met: CustomerSnapshot; needs: MissingReads }[],
    session: Session,
  ): Promise<Read> {
    const days = new Map<string, DayRecord[]>();
    // Those of whom one day is needed do not make us read many days of them.
    for (const fresh of ["today", "everything"] as const) {
      const from = wanted.flatMap(({ needs }) => (needs.fresh === fresh ? (needs.from ?? []) : [])).toSorted()[0];
      const some = wanted.filter(({ needs }) => needs.fresh === fresh);
      const to = some
        .map(({ met }) => met.day)
        .toSorted()
        .at(-1);
      if (from === undefined || to === undefined) continue;
      const ids = some.map(({ met }) => met.facts.customerId);
      for (const day of await tenant.listDaysOf(ids, from, to, session)) {
        days.set(day.customerId, [...(days.get(day.customerId) ?? []), day]);
      }
    }
    const asked = wanted.filter(({ needs }) => needs.asksRecipient).map(({ met }) => met.facts);
    const recipients = asked.length === 0 ? new Set<string>() : await tenant.knownRecipients(asked, session);
    return { days, recipients };
  }

  /** What is remembered of the customers of some questions; undefined unless this process has just decided on all of them. */
  function rememberedOf(tenantId: string, questions: readonly Question[], day: string): KnownPast[] | undefined {
    const found = questions.flatMap(({ facts }) => pasts.of(tenantId, facts.customerId) ?? []);
    return found.length === questions.length && found.every(({ marks }) => marks.lastDay === day) ? found : undefined;
  }

  /** The customers of some questions, for this transaction: those whom this process has just decided on need not be read. */
  async function take(
    tenantId: string,
    questions: readonly Question[],
    policy: Policy | undefined,
    time: BusinessTime,
    session: Session,
  ): Promise<{ taken: Taken; foreseen?: Foreseen | undefined }> {
    const tenant = store.forTenant(tenantId);
    const day = calendarDay(time.now(), time.timeZone);
    // One alone is taken and read in one step.
    const remembered = questions.length > 1 ? rememberedOf(tenantId, questions, day) : undefined;
    if (remembered !== undefined && attempts.mayTry()) {
      const taken = { day, locked: new Map(remembered.map((one) => [one.customer.customerId, oneCheckLater(one)])) };
      const [areUnchanged, foreseen] = await Promise.all([
        tenant.lockUnchanged(remembered, session),
        // While MongoDB takes them: the command is on its way when the event loop turns.
        nextTurn().then(() => foresee(tenantId, questions, policy, time, taken)),
      ]);
      attempts.note(areUnchanged);
      if (areUnchanged) return { taken, foreseen };
    }
    const customerIds = questions.map(({ facts }) => facts.customerId);
    return { taken: { day, locked: await tenant.lockCustomersOn(customerIds, day, session) } };
  }

  function meet(
    tenantId: string,
    questions: readonly Question[],
    policy: Policy | undefined,
    time: BusinessTime,
    { day: dayOfLock, locked }: Taken,
  ): CustomerSnapshot[] {
    const { timeZone } = time;
    const now = time.now();
    const day = calendarDay(now, timeZone);
    return questions.map(({ facts, forced }) => {
      const { customer = newCustomer(facts.customerId), marks } = locked.get(facts.customerId) ?? {};
      const remembered = marks && pasts.of(tenantId, facts.customerId);
      return { facts, policy, customer, marks, remembered, now, day, dayOfLock, timeZone, forced };
    });
  }

  async function write(tenant: TenantStore, plans: readonly Plan[], session: Session): Promise<void> {
    const holding = plans.filter(({ held }) => held !== undefined);
    const days = holding.map(({ held }) => held!);
    const [first] = days;
    if (days.length > 1 && holding.every(({ gathered }) => gathered.isDayKept)) {
      await tenant.changeDay(first!.day, days, session);
    } else await tenant.putDays(days, session);
    await writeHoldMarks(
      tenant,
      holding.map(({ gathered }) => gathered),
      session,
    );
    await tenant.insertDecisions(
      plans.map(({ kept }) => kept),
      session,
    );
    for (const { question, gathered, outcome } of plans) {
      await noteOnCustomer(question.origin, gathered, outcome, session);
    }
  }

  /** What a decision asks of the customer, and what it says of them. */
  async function noteOnCustomer(
    origin: Origin,
    gathered: DecisionBasis,
    outcome: Outcome,
    session: Session,
  ): Promise<void> {
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

  /** What will be decided if nothing has changed; undefined where something has to be read for it. */
  function foresee(
    tenantId: string,
    questions: readonly Question[],
    policy: Policy | undefined,
    time: BusinessTime,
    taken: Taken,
  ): Foreseen | undefined {
    const needed = neededBy(meet(tenantId, questions, policy, time, taken));
    if (wantedBy(needed).some(({ needs }) => needs.fresh !== "nothing" || needs.asksRecipient)) return undefined;
    return { policy, planned: planAll(questions, needed, nothingRead) };
  }

  return {
    noteOnCustomer,

    /**
     * Takes the customers of questions of one tenant, each another's, and decides on them in their order. `last` is the policy that
     * `current` is expected to be.
     */
    async decideAll(
      tenantId: string,
      questions: readonly Question[],
      { last, current }: { last: Policy | undefined; current: Promise<Policy | undefined> },
      time: BusinessTime,
      session: Session,
    ): Promise<Decided[]> {
      const tenant = store.forTenant(tenantId);
      const { taken, foreseen } = await take(tenantId, questions, last, time, session);
      const policy = await current;
      let planned = foreseen?.planned;
      if (planned === undefined || foreseen?.policy !== policy) {
        const needed = neededBy(meet(tenantId, questions, policy, time, taken));
        planned = planAll(questions, needed, await readPasts(tenant, wantedBy(needed), session));
      }
      const plans = planned.flatMap((one) => ("fault" in one ? [] : one.result));
      await write(tenant, plans, session);
      return planned.map((one) => ("fault" in one ? one : decidedBy(one.result)));
    },
  };
}

type Needed = { result: { met: CustomerSnapshot; needs: MissingReads } } | { fault: unknown };

/** Days by customer, and "customer recipient" of those sent to before. */
interface Read {
  days: ReadonlyMap<string, readonly DayRecord[]>;
  recipients: ReadonlySet<string>;
}

const nothingRead: Read = { days: new Map(), recipients: new Set() };

function neededBy(all: readonly CustomerSnapshot[]): Needed[] {
  return all.map((met) => attempt(() => ({ met, needs: missingReads(met) })));
}

function wantedBy(needed: readonly Needed[]) {
  return needed.flatMap((one) => ("fault" in one ? [] : one.result));
}

function planAll(questions: readonly Question[], needed: readonly Needed[], { days, recipients }: Read): Planned[] {
  return needed.map((one, index) => {
    if ("fault" in one) return one;
    const { met, needs } = one.result;
    const { customerId, recipient } = met.facts;
    const isKnown = needs.asksRecipient && recipients.has(`${customerId} ${recipient}`);
    return attempt(() => planOf(questions[index]!, gatheredFrom(met, needs, days.get(customerId) ?? [], isKnown)));
  });
}

/** Writes what an approval leaves beside the day itself. */
export async function writeHoldMarks(
  tenant: TenantStore,
  held: readonly DecisionBasis[],
  session: Session,
): Promise<void> {
  const facts = held.filter(({ inputs }) => inputs.newBeneficiary).map(({ inputs }) => inputs.facts);
  if (facts.length > 0) await tenant.insertRecipients(facts, session);
  const changed = held.filter(isPastChanged).map(({ inputs }) => inputs.facts.customerId);
  if (changed.length > 0) await tenant.notePastChanges(changed, session);
}

function oneCheckLater({ customer, marks }: KnownPast): Locked {
  return { customer, marks: { ...marks, checks: marks.checks + 1 } };
}

function attempt<T>(work: () => T): { result: T } | { fault: unknown } {
  try {
    return { result: work() };
  } catch (fault) {
    return { fault };
  }
}

function planOf(question: Question, gathered: DecisionBasis): Plan {
  const { facts, origin, atOnce, isHeldForPayee } = question;
  const outcome = decide(gathered.policy, gathered.inputs);
  const reservation = reservationOf(outcome, facts);
  const spentAtOnce = atOnce && reservation === "HELD";
  const kept: KeptDecision = {
    ...outcome,
    transactionId: facts.transactionId,
    policyVersion: gathered.policy?.version ?? 0,
    inputs: gathered.inputs,
    reservation: spentAtOnce ? "CONFIRMED" : reservation,
    ...(spentAtOnce && { spentAtOnce }),
    ...(isHeldForPayee && { isHeldForPayee }),
    decidedAt: gathered.now,
    interactionId: origin.interactionId,
    version: 1,
    isOpen: isWaiting(outcome),
    decidedBy: "rules",
    earlier: [],
  };
  const held = reservation === "HELD" ? heldDay(gathered, spentAtOnce ? spend : hold) : undefined;
  return { question, gathered, outcome, kept, held };
}

/** A decision can be remembered from where it left a day that was the last one. */
function decidedBy({ question, gathered, kept, held }: Plan): Decided {
  const { known } = gathered;
  if (held === undefined || known === undefined || held.day !== known.marks.lastDay) return { kept };
  const { recipient } = question.facts;
  const isNew = recipient !== "" && !known.recipients.has(recipient);
  const recipients = isNew ? new Set([...known.recipients, recipient]) : known.recipients;
  return { kept, known: { ...known, today: held, recipients } };
}

/** What is let through holds its part of the limits; what sends no money has none. */
export function reservationOf({ decision }: Outcome, { operation }: TransactionFacts): ReservationState {
  return decision === "APPROVED" && isMovement(operation) ? "HELD" : "NONE";
}

/** Whether a person or a document can still change it. */
export function isWaiting({ decision }: Outcome): boolean {
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
