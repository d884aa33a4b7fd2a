import type { KeyedMutex } from "../../shared/batching/keyed-mutex.js";
import { crashPoint } from "../../shared/crash-point.js";
import type { Logger } from "../../shared/log.js";
import { isAwayOrLate, Refusal } from "../../shared/refusal.js";
import { emptyDay, withTransaction, type DayActivity } from "../domain/day-activity.js";
import { changedUsage, type DayRecord, type UsageChange } from "../domain/day-usage.js";
import type { KeptDecision } from "../domain/kept-decision.js";
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
  kept: KeptDecision;
  change: UsageChange;
}

/** Ends reservations, or counts them for good. */
export function createSettle({ store, customerMutex }: { store: ComplianceStore; customerMutex: KeyedMutex }) {
  /**
   * Moves a reservation on; the decision and its day change together. Safe to repeat. Refuses
   * TRANSACTION_NOT_FOUND, STATE_CONFLICT.
   */
  async function settle(tenantId: string, transactionId: string, to: Settled): Promise<void> {
    const tenant = store.forTenant(tenantId);
    await store.transaction(
      async (session) => {
        const [kept] = await tenant.findDecisions([transactionId], session);
        if (kept === undefined) throw unknownTransaction();
        await settleDecisions(tenant, [kept], to, session);
        return true;
      },
      async () => ((await tenant.findDecision(transactionId))?.reservation === to ? true : undefined),
    );
    crashPoint("compliance.reservation.settled");
  }

  /** Some together, or each by itself where one of them may not be released. Refusals by transaction. */
  async function releaseSome(tenantId: string, some: Owned[], log: Logger): Promise<Map<string, Refusal>> {
    const tenant = store.forTenant(tenantId);
    const ids = some.map(({ transactionId }) => transactionId);
    const customers = some.map(({ customerId }) => `${tenantId} ${customerId}`);
    try {
      await customerMutex.runExclusiveOfAll(customers, () =>
        store.transaction(
          async (session) => {
            await settleDecisions(tenant, await tenant.findDecisions(ids, session), "RELEASED", session);
            return true;
          },
          async () => undefined,
        ),
      );
      return new Map();
    } catch (error) {
      if (isAwayOrLate(error)) throw error;
      if (ids.length === 1) return new Map([[ids[0]!, refusalOf(error, ids[0]!, log)]]);
      const halves = [some.slice(0, some.length / 2), some.slice(some.length / 2)];
      const refused = [];
      for (const half of halves) refused.push(...(await releaseSome(tenantId, half, log)));
      return new Map(refused);
    }
  }

  /**
   * Releases many, by customer: a day's sums are made once for all of it that goes together. One
   * that is refused keeps none of the others. Refusals by transaction.
   */
  async function releaseAll(
    tenantId: string,
    transactionIds: readonly string[],
    log: Logger,
  ): Promise<Map<string, Refusal>> {
    const customers = await store.forTenant(tenantId).customersOf(transactionIds);
    const unknown = transactionIds.filter((id) => !customers.has(id));
    const refused = new Map(unknown.map((id) => [id, unknownTransaction()]));
    const owned = Array.from(customers, ([transactionId, customerId]) => ({ transactionId, customerId }));
    for (const some of partsOf(owned)) {
      for (const [id, refusal] of await releaseSome(tenantId, some, log)) refused.set(id, refusal);
      crashPoint("compliance.reservations.released");
    }
    return refused;
  }

  return { settle, releaseAll };
}

interface Owned {
  transactionId: string;
  customerId: string;
}

/** In parts, those of one customer side by side. */
function partsOf(owned: readonly Owned[]): Owned[][] {
  const sorted = owned.toSorted((a, b) => (a.customerId < b.customerId ? -1 : a.customerId > b.customerId ? 1 : 0));
  const count = Math.ceil(sorted.length / maxTogether);
  return Array.from({ length: count }, (_, part) => sorted.slice(part * maxTogether, (part + 1) * maxTogether));
}

/** What is no refusal is a bug of this one alone: whoever asked asks for it again. */
function refusalOf(error: unknown, transactionId: string, log: Logger): Refusal {
  if (error instanceof Refusal) return error;
  log.error({ err: error, transactionId }, "a reservation cannot be released");
  return new Refusal("INTERNAL", "the reservation cannot be released");
}

/** Moves decisions of one tenant on, and their customers' days with them. Refuses as the step. */
async function settleDecisions(
  tenant: TenantStore,
  decisions: readonly KeptDecision[],
  to: Settled,
  session: Session,
): Promise<void> {
  const planned = decisions.map((kept) => {
    const { amount } = kept.inputs.facts;
    return { kept, change: steps[to](kept.reservation, amount.minor, kept.spentAtOnce) };
  });
  // A transaction that is given up while it waits is not to be approved any more.
  const givenUp = planned.filter(({ kept, change }) => change === undefined && to === "RELEASED" && kept.isOpen);
  if (givenUp.length > 0) await tenant.closeDecisions(givenUp.map(idOf), undefined, session);
  const moves = planned.flatMap(({ kept, change }) => (change === undefined ? [] : [{ kept, change }]));
  if (moves.length === 0) return;
  await tenant.lockCustomers(customersOf(moves), session);
  await tenant.closeDecisions(moves.map(idOf), to, session);
  await putChangedDays(tenant, moves, to, session);
}

/** The days of decisions that have moved: their usage, and their sums where others count now. */
async function putChangedDays(tenant: TenantStore, moves: readonly Move[], to: Settled, session: Session) {
  const counting = moves.filter(({ kept }) => isCounted(kept.reservation) !== isCounted(to));
  const stored = await tenant.listDaysOn(customersOf(moves), daysOf(moves), session);
  const changed = new Map(stored.map((day) => [keyOf(day.customerId, day.day), day]));
  const sums = await sumsOf(tenant, counting, session);
  if (counting.length > 0) await tenant.notePastChanges(customersOf(counting), session);
  const touched = new Set<string>();
  for (const { kept, change } of moves) {
    const { day, facts } = kept.inputs;
    const key = keyOf(facts.customerId, day);
    const before: DayRecord = changed.get(key) ?? { ...emptyDay(day), customerId: facts.customerId, usage: [] };
    const usage = changedUsage(before, facts.amount.currency, change);
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
    moves.map(({ kept: { inputs } }) => [keyOf(inputs.facts.customerId, inputs.day), emptyDay(inputs.day)]),
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
const idOf = ({ kept }: { kept: KeptDecision }) => kept.transactionId;
const daysOf = (moves: readonly Move[]) => [...new Set(moves.map(({ kept }) => kept.inputs.day))];
const customersOf = (moves: readonly Move[]) => [...new Set(moves.map(({ kept }) => kept.inputs.facts.customerId))];

function isCounted(reservation: ReservationState): boolean {
  return reservation === "HELD" || reservation === "CONFIRMED";
}
