import type { Decimal } from "../../kernel/decimal.js";
import { passing, Refusal, type RefusalCode } from "../../kernel/refusal.js";
import { isBefore } from "./dates.js";
import { countInterest, interestMinor, startInterest, type InterestState } from "./interest.js";
import { interestTerms, rateFor, type ProductContent, type ProductVersion } from "./product.js";
import { endOfTerm, nextDue } from "./schedule.js";

/** What a customer holds of a product from one application. */
export interface Holding {
  readonly holdingId: string;
  readonly applicationId: string;
  readonly productId: string;
  readonly productVersion: number;
  readonly productName: string;
  readonly customerId: string;
  /** Where everything is paid to. */
  readonly walletAccountId: string;
  readonly currency: string;
  readonly status: "ACTIVE" | "REDEEMED" | "MATURED";
  readonly units: bigint;
  readonly unitPriceMinor: bigint;
  /** Invested now: falls with redemptions, grows where interest is reinvested. */
  readonly principalMinor: bigint;
  readonly ratePercent: Decimal;
  readonly purchasedOn: Temporal.PlainDate;
  /** Of the running term. */
  readonly termStart: Temporal.PlainDate;
  readonly maturity?: Temporal.PlainDate;
  /** Not redeemed before. */
  readonly lockedUntil: Temporal.PlainDate;
  /** The day that the next payment of interest, or the end of the term, is due. */
  readonly dueOn?: Temporal.PlainDate;
  readonly interest: InterestState;
  /** Interest that the ledger owes for this holding: counted, posted and not paid. */
  readonly accruedMinor: bigint;
  /** Units held from each date on. */
  readonly history: readonly UnitsFrom[];
  /** Set while something is being paid: nobody else touches the holding then. */
  readonly settlementId?: string;
  /**
   * Set where what is due could not be paid: it stays owed, and the holding is left alone until it
   * can be.
   */
  readonly unpaid?: Unpaid;
  readonly version: number;
}

export interface Unpaid {
  /** The day that it was due. */
  readonly since: Temporal.PlainDate;
  /** The tenant's day of the last try. */
  readonly triedOn: Temporal.PlainDate;
  readonly code: RefusalCode;
}

export interface UnitsFrom {
  readonly from: Temporal.PlainDate;
  readonly units: bigint;
}

/** A fresh holding as of the day of its purchase. */
export function newHolding(
  product: ProductVersion,
  bought: Pick<Holding, "holdingId" | "applicationId" | "customerId" | "walletAccountId" | "units">,
  today: Temporal.PlainDate,
): Holding {
  const principalMinor = bought.units * product.unitPriceMinor;
  const base = {
    ...bought,
    productId: product.productId,
    productVersion: product.version,
    productName: product.name,
    currency: product.currency,
    status: "ACTIVE" as const,
    unitPriceMinor: product.unitPriceMinor,
    principalMinor,
    ratePercent: rateFor(product.tiers, principalMinor),
    purchasedOn: today,
    lockedUntil: today.add({ days: product.lockInDays }),
    accruedMinor: 0n,
    history: [{ from: today, units: bought.units }],
    version: 1,
  };
  return { ...base, ...termFrom(product, today) };
}

/** Dates and interest of a term that begins. */
export function termFrom(
  product: ProductContent,
  start: Temporal.PlainDate,
): Pick<Holding, "termStart" | "maturity" | "dueOn" | "interest"> {
  const maturity = endOfTerm(start, product.term);
  const dueOn = nextDue(start, maturity, product.payout, start);
  return {
    termStart: start,
    ...(maturity !== undefined && { maturity }),
    ...(dueOn !== undefined && { dueOn }),
    interest: startInterest(start),
  };
}

/**
 * Interest counted up to a date, but never beyond what is due before: that is paid first. What was
 * booked in advance by a rounding stays booked until counting has caught up with it.
 */
export function accrue(
  holding: Holding,
  product: ProductContent,
  to: Temporal.PlainDate,
): { interest: InterestState; accruedMinor: bigint; addedMinor: bigint } {
  const { dueOn, principalMinor, ratePercent, accruedMinor: before } = holding;
  const end = dueOn !== undefined && isBefore(dueOn, to) ? dueOn : to;
  const interest = countInterest(principalMinor, interestTerms(product, ratePercent), holding.interest, end);
  const countedMinor = interestMinor(interest);
  // Half a minor unit that was rounded up is in what a redemption left: booked less paid is owed.
  const accruedMinor = countedMinor < before ? before : countedMinor;
  return { interest, accruedMinor, addedMinor: accruedMinor - before };
}

/**
 * Refuses what may not be redeemed today: HOLDING_CLOSED, STATE_CONFLICT, HOLDING_LOCKED,
 * UNITS_OUT_OF_LIMITS.
 */
export function checkRedeemable(holding: Holding, units: bigint, today: Temporal.PlainDate): void {
  if (holding.status !== "ACTIVE") throw new Refusal("HOLDING_CLOSED", `the holding is ${holding.status}`);
  if (holding.unpaid !== undefined) {
    throw new Refusal("STATE_CONFLICT", "what was due could not be paid: name another wallet to pay it to");
  }
  const isDue = holding.dueOn !== undefined && !isBefore(today, holding.dueOn);
  if (holding.settlementId !== undefined || isDue) {
    throw passing("STATE_CONFLICT", "a payment of this holding is under way");
  }
  if (isBefore(today, holding.lockedUntil)) {
    throw new Refusal("HOLDING_LOCKED", `the holding is locked until ${holding.lockedUntil.toString()}`);
  }
  if (units > holding.units) {
    throw new Refusal("UNITS_OUT_OF_LIMITS", `the holding has ${holding.units} units`, {
      figures: { unitsHeld: String(holding.units) },
    });
  }
}
