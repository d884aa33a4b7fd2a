import type { Money } from "../../kernel/money.js";
import { accrue, type Holding } from "./holding.js";
import type { InterestState } from "./interest.js";
import type { ProductContent } from "./product.js";
import { planDue, type Settlement } from "./settlement.js";

/** What a day adds to one holding. */
export interface Accrued {
  readonly holding: Holding;
  readonly interest: InterestState;
  readonly accruedMinor: bigint;
  readonly addedMinor: bigint;
  /** What is due on it, which sets it aside. */
  readonly settlement?: Settlement;
}

export interface SliceLease {
  readonly slice: number;
  readonly token: string;
}

/** Which holdings a day's work is about: those of a slice that lag behind a day, or one. */
export type LaggingHoldings = { readonly slice: number } | { readonly holdingId: string };

/**
 * Interest of a holding up to a day, or up to what is due before: then that is paid first, by a
 * settlement of the given id.
 */
export function accrueHolding(
  holding: Holding,
  product: ProductContent,
  today: Temporal.PlainDate,
  due: Pick<Settlement, "settlementId" | "createdAt" | "interactionId" | "createdBy">,
): Accrued {
  const accrued = { holding, ...accrue(holding, product, today) };
  const { dueOn, holdingId, customerId, productId, walletAccountId, currency } = holding;
  if (dueOn === undefined || !accrued.interest.through.equals(dueOn)) return accrued;
  const planned = planDue({ ...holding, ...accrued }, product);
  const of = { holdingId, customerId, productId, walletAccountId, currency };
  return { ...accrued, settlement: { ...of, ...planned, ...due, caller: "", idempotencyKey: "" } };
}

/** What a batch of holdings earned, one amount per currency; none of zero. */
export function accruedAmounts(batch: readonly Accrued[]): Money[] {
  const sums = new Map<string, bigint>();
  for (const { holding, addedMinor } of batch) {
    sums.set(holding.currency, (sums.get(holding.currency) ?? 0n) + addedMinor);
  }
  return [...sums].filter(([, minor]) => minor > 0n).map(([currency, minor]) => ({ currency, minor }));
}
