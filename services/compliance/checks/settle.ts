import { emptyDay, withTransaction, type DayActivity } from "../domain/figures.js";
import { countedFacts } from "../domain/decision.js";
import { confirm, giveBack, release, type ReservationState, type UsageChange } from "../domain/reservation.js";
import type { DayRecord, KeptDecision, Session, TenantStore } from "../store/index.js";
import { changedUsage } from "../domain/day-usage.js";

type Step = (state: ReservationState, amountMinor: bigint, spentAtOnce?: boolean) => UsageChange | undefined;

export type Settled = "CONFIRMED" | "RELEASED" | "REFUNDED";

const steps: Readonly<Record<Settled, Step>> = { CONFIRMED: confirm, RELEASED: release, REFUNDED: giveBack };

/** Moves a decision's reservation on, with its day's limit and sums. Inside a transaction; safe to repeat. */
export async function settleDecision(
  tenant: TenantStore,
  kept: KeptDecision,
  to: Settled,
  session: Session,
): Promise<void> {
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
