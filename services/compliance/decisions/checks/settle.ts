import { createBatcher } from "../../../kernel/batching/batcher.js";
import type { KeyedMutex } from "../../../kernel/batching/keyed-mutex.js";
import { crashPoint } from "../../../kernel/process/crash-point.js";
import type { Logger } from "../../../kernel/process/log.js";
import { isAwayOrLate, Refusal } from "../../../kernel/refusal.js";
import { emptyDay, withTransaction, type DayActivity } from "../domain/day-activity.js";
import { changedUsage, type DayRecord, type UsageChange } from "../domain/day-usage.js";
import { isCash } from "../domain/conditions.js";
import type { RecordedDecision } from "../domain/recorded-decision.js";
import { confirm, giveBack, release, type ReservationState } from "../domain/reservation.js";
import { countedFacts } from "../domain/transaction.js";
import { unknownTransaction } from "../store/decisions.js";
import type { ComplianceStore, Session, TenantStore } from "../store/index.js";

type Step = (state: ReservationState, amountMinor: bigint, spentAtOnce?: boolean) => UsageChange | undefined;

export type Settled = "CONFIRMED" | "RELEASED" | "REFUNDED";

const steps: Readonly<Record<Settled, Step>> = { CONFIRMED: confirm, RELEASED: release, REFUNDED: giveBack };

// So many decisions are settled in one transaction, and their customers locked for its time.
const maxTogether = 64;

/** A decision whose reservation moves, and what that changes of its day. */
interface Move {
  recorded: RecordedDecision;
  change: UsageChange;
}

interface Owned {
  transactionId: string;
  customerId: string;
}

interface Member {
  tenantId: string;
  transactionId: string;
  to: Settled;
  resolve(): void;
  reject(error: unknown): void;
}

/** Ends reservations, or counts them for good. */
export function createSettle({ store, customerMutex }: { store: ComplianceStore; customerMutex: KeyedMutex }) {
  // What a tenant's neighbours tell at the same time, one call each, is settled together.
  const batcher = createBatcher<Member>({
    maxBatchSize: 300,
    maxInFlight: 1,
    minBatchSize: maxTogether,
    run: settleTogether,
  });

  async function settleTogether(_batchKey: string, members: readonly Member[]): Promise<void> {
    const { tenantId, to } = members[0]!;
    try {
      const ids = members.map(({ transactionId }) => transactionId);
      const faults = await settleAll(tenantId, ids, to);
      for (const { transactionId, resolve, reject } of members) {
        if (faults.has(transactionId)) reject(faults.get(transactionId));
        else resolve();
      }
    } catch (error) {
      for (const { reject } of members) reject(error);
    }
  }

  /**
   * Settles many, by customer: a day's sums are made once for all of it that goes together. Faults
   * by transaction, refusals among them: one that has a fault keeps none of the others.
   */
  async function settleAll(
    tenantId: string,
    transactionIds: readonly string[],
    to: Settled,
    each: () => void = () => undefined,
  ): Promise<Map<string, unknown>> {
    const customers = await store.forTenant(tenantId).customersOf(transactionIds);
    const unknown = transactionIds.filter((id) => !customers.has(id));
    const faults = new Map<string, unknown>(unknown.map((id) => [id, unknownTransaction()]));
    const owned = Array.from(customers, ([transactionId, customerId]) => ({ transactionId, customerId }));
    for (const some of partsOf(owned)) {
      for (const [id, fault] of await settleSome(tenantId, some, to)) faults.set(id, fault);
      each();
    }
    return faults;
  }

  /**
   * Some together, in one transaction; where it fails, in halves down to the one that it fails for.
   */
  async function settleSome(tenantId: string, some: readonly Owned[], to: Settled): Promise<Map<string, unknown>> {
    const tenant = store.forTenant(tenantId);
    const ids = some.map(({ transactionId }) => transactionId);
    const customers = some.map(({ customerId }) => `${tenantId} ${customerId}`);
    try {
      return await customerMutex.runExclusiveOfAll(customers, () =>
        store.transaction(
          (session) => settleDecisions(tenant, ids, to, session),
          // What was settled after all stays as it is when it is settled again.
          async () => undefined,
        ),
      );
    } catch (error) {
      if (isAwayOrLate(error)) throw error;
      if (ids.length === 1) return new Map([[ids[0]!, error]]);
      const middle = Math.ceil(some.length / 2);
      const first = await settleSome(tenantId, some.slice(0, middle), to);
      return new Map([...first, ...(await settleSome(tenantId, some.slice(middle), to))]);
    }
  }

  return {
    /**
     * Moves a reservation on; the decision and its day change together. Safe to repeat. Refuses
     * TRANSACTION_NOT_FOUND, STATE_CONFLICT.
     */
    async settle(tenantId: string, transactionId: string, to: Settled): Promise<void> {
      await new Promise<void>((resolve, reject) =>
        batcher.add(`${tenantId} ${to}`, { tenantId, transactionId, to, resolve, reject }),
      );
      crashPoint("compliance.reservation.settled");
    },

    /** Releases many. Refusals by transaction, of those that are not released. */
    async releaseAll(tenantId: string, transactionIds: readonly string[], log: Logger): Promise<Map<string, Refusal>> {
      const each = () => crashPoint("compliance.reservations.released");
      const faults = await settleAll(tenantId, transactionIds, "RELEASED", each);
      return new Map(Array.from(faults, ([id, fault]) => [id, refusalOf(fault, id, log)]));
    },
  };
}

/** Gives back what one holds, inside a transaction that decides on it. */
export async function releaseOne(tenant: TenantStore, transactionId: string, session: Session): Promise<void> {
  for (const refusal of (await settleDecisions(tenant, [transactionId], "RELEASED", session)).values()) throw refusal;
}

/** In parts, those of one customer side by side. */
function partsOf(owned: readonly Owned[]): Owned[][] {
  const sorted = owned.toSorted((a, b) => (a.customerId < b.customerId ? -1 : a.customerId > b.customerId ? 1 : 0));
  const count = Math.ceil(sorted.length / maxTogether);
  return Array.from({ length: count }, (_, part) => sorted.slice(part * maxTogether, (part + 1) * maxTogether));
}

/** What is no refusal is a bug of this one alone: whoever asked asks for it again. */
function refusalOf(fault: unknown, transactionId: string, log: Logger): Refusal {
  if (fault instanceof Refusal) return fault;
  log.error({ err: fault, transactionId }, "a reservation cannot be released");
  return new Refusal("INTERNAL", "the reservation cannot be released");
}

/**
 * Moves decisions of one tenant on, and their customers' days with them. Refusals by transaction.
 */
async function settleDecisions(
  tenant: TenantStore,
  transactionIds: readonly string[],
  to: Settled,
  session: Session,
): Promise<Map<string, Refusal>> {
  const refused = new Map<string, Refusal>();
  const moves: Move[] = [];
  const givenUp: string[] = [];
  for (const recorded of await tenant.findDecisions(transactionIds, session)) {
    const step = stepOf(recorded, to);
    if (step instanceof Refusal) refused.set(recorded.transactionId, step);
    else if (step !== undefined) moves.push({ recorded, change: step });
    // A transaction that is given up while it waits is not to be approved any more.
    else if (to === "RELEASED" && recorded.isOpen) givenUp.push(recorded.transactionId);
  }
  if (givenUp.length > 0) await tenant.closeDecisions(givenUp, undefined, session);
  if (moves.length === 0) return refused;
  await tenant.lockCustomers(customersOf(moves), session);
  await tenant.closeDecisions(
    moves.map(({ recorded }) => recorded.transactionId),
    to,
    session,
  );
  await putChangedDays(tenant, moves, to, session);
  return refused;
}

/** What moving it on changes of its day; undefined for nothing, or why it may not. */
function stepOf(
  { reservation, inputs, spentAtOnce }: RecordedDecision,
  to: Settled,
): UsageChange | Refusal | undefined {
  try {
    return steps[to](reservation, inputs.facts.amount.minor, spentAtOnce);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** The days of decisions that have moved: their usage, and their sums where others count now. */
async function putChangedDays(tenant: TenantStore, moves: readonly Move[], to: Settled, session: Session) {
  const counting = moves.filter(({ recorded }) => isCounted(recorded.reservation) !== isCounted(to));
  const stored = await tenant.listDaysOn(customersOf(moves), daysOf(moves), session);
  const changed = new Map(stored.map((day) => [keyOf(day.customerId, day.day), day]));
  const sums = await sumsOf(tenant, counting, session);
  if (counting.length > 0) await tenant.notePastChanges(customersOf(counting), session);
  const touched = new Set<string>();
  for (const { recorded, change } of moves) {
    const { day, facts } = recorded.inputs;
    const key = keyOf(facts.customerId, day);
    const before: DayRecord = changed.get(key) ?? { ...emptyDay(day), customerId: facts.customerId, usage: [] };
    const usage = isCash(facts.operation) ? before.usage : changedUsage(before, facts.amount.currency, change);
    changed.set(key, { ...before, ...sums.get(key), usage });
    touched.add(key);
  }
  await tenant.putDays(
    [...touched].map((key) => changed.get(key)!),
    session,
  );
}

/** Sums of days from their decisions: a maximum cannot be taken back from a sum. */
async function sumsOf(tenant: TenantStore, moves: readonly Move[], session: Session) {
  const sums = new Map<string, DayActivity>(
    moves.map(({ recorded: { inputs } }) => [
      keyOf(inputs.facts.customerId, inputs.day),
      // What was cash of the day before is not left.
      { ...emptyDay(inputs.day), cash: [] },
    ]),
  );
  if (moves.length === 0) return sums;
  for (const { day, facts } of await tenant.listCounted(customersOf(moves), daysOf(moves), session)) {
    const key = keyOf(facts.customerId, day);
    const before = sums.get(key);
    if (before !== undefined) sums.set(key, withTransaction(before, countedFacts(facts)));
  }
  return sums;
}

const keyOf = (customerId: string, day: string) => `${customerId} ${day}`;
const daysOf = (moves: readonly Move[]) => [...new Set(moves.map(({ recorded }) => recorded.inputs.day))];
const customersOf = (moves: readonly Move[]) => [
  ...new Set(moves.map(({ recorded }) => recorded.inputs.facts.customerId)),
];

function isCounted(reservation: ReservationState): boolean {
  return reservation === "HELD" || reservation === "CONFIRMED";
}
