import { crashPoint } from "../../shared/crash-point.js";
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

/** Ends reservations, or counts them for good. */
export function createSettle({ store }: { store: ComplianceStore }) {
  /**
   * Moves a reservation on; the decision and its day change together. Safe to repeat. Refuses
   * TRANSACTION_NOT_FOUND, STATE_CONFLICT.
   */
  return async function settle(tenantId: string, transactionId: string, to: Settled): Promise<void> {
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
  };
}

async function settleDecision(tenant: TenantStore, kept: KeptDecision, to: Settled, session: Session): Promise<void> {
  const { facts, day } = kept.inputs;
  const { customerId, amount } = facts;
  const change = steps[to](kept.reservation, amount.minor, kept.spentAtOnce);
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
  if (counts) await tenant.notePastChanges([customerId], session);
  await tenant.putDays([{ ...before, ...sums, usage: changedUsage(before, amount.currency, change) }], session);
}

/** A day's sums from its decisions: a maximum cannot be taken back from a sum. */
async function sumsOf(tenant: TenantStore, customerId: string, day: string, session: Session): Promise<DayActivity> {
  const counted = await tenant.listCounted(customerId, day, session);
  return counted.reduce((sums, { inputs }) => withTransaction(sums, countedFacts(inputs.facts)), emptyDay(day));
}

function isCounted(reservation: ReservationState): boolean {
  return reservation === "HELD" || reservation === "CONFIRMED";
}
