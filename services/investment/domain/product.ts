import { formatDecimal, type Decimal } from "../../kernel/decimal.js";
import { maxInt64 } from "../../kernel/money.js";
import { invalidInput } from "../../kernel/refusal.js";
import type { Compounding, InterestTerms, InvestmentDayCount } from "./interest.js";
import type { PayoutInterval, Term } from "./schedule.js";

export const reinvestments = ["NONE", "PRINCIPAL", "ALL"] as const;
/**
 * What begins a new term at maturity: nothing, the principal, or the principal with its interest
 * after tax.
 */
export type Reinvestment = (typeof reinvestments)[number];

export const penaltyKinds = ["NONE", "INTEREST_SHARE", "PRINCIPAL_SHARE", "RATE_REDUCTION"] as const;

/** What is lost by a redemption before maturity. */
export type Penalty =
  | { readonly kind: "NONE" }
  /** Hundredths of a percent of the interest, or of the principal. */
  | { readonly kind: "INTEREST_SHARE" | "PRINCIPAL_SHARE"; readonly bps: number }
  /** Interest is counted anew from the start of the term with so many percentage points less. */
  | { readonly kind: "RATE_REDUCTION"; readonly percent: Decimal };

/** A rate that holds from an amount invested on. */
export interface Tier {
  readonly fromMinor: bigint;
  readonly ratePercent: Decimal;
}

export const productStatuses = ["OPEN", "CLOSED"] as const;

export interface ProductContent {
  readonly productId: string;
  readonly name: string;
  readonly description: string;
  readonly currency: string;
  readonly unitPriceMinor: bigint;
  readonly unitsOffered: bigint;
  /** Of one application. */
  readonly minimumUnits: bigint;
  /** That one customer may hold at a time. */
  readonly maximumUnitsPerCustomer: bigint;
  /** Ascending; the first begins at zero. One tier is a fixed rate. */
  readonly tiers: readonly Tier[];
  readonly compounding: Compounding;
  readonly dayCount: InvestmentDayCount;
  readonly term: Term;
  readonly lockInDays: number;
  readonly penalty: Penalty;
  readonly payout: PayoutInterval;
  readonly reinvestment: Reinvestment;
  /** Withheld from interest and dividends, hundredths of a percent. */
  readonly withholdingTaxBps: number;
  /** CLOSED takes no applications; what is held runs on. */
  readonly status: (typeof productStatuses)[number];
}

/** A version of a product; holdings keep the version they were bought under. */
export interface ProductVersion extends ProductContent {
  readonly version: number;
}

/** A product as it is now, with what is left of it. */
export interface Product extends ProductVersion {
  /** Sold, or reserved for an application under way. Units that are redeemed are not sold again. */
  readonly unitsTaken: bigint;
}

// A rate beyond 1,000 % a year is a slip of the hand.
const highestRate = 1_000n;

/** Refuses INVALID_INPUT, naming the field, for terms that contradict themselves. */
export function checkProduct(product: ProductContent): void {
  const { tiers, term, payout, penalty, reinvestment, compounding } = product;
  if (product.unitPriceMinor <= 0n) throw invalidInput("unitPrice", "must be above zero");
  if (product.unitsOffered <= 0n) throw invalidInput("unitsOffered", "must be above zero");
  if (product.unitsOffered * product.unitPriceMinor > maxInt64) {
    throw invalidInput("unitsOffered", "is beyond what an amount can hold at this price");
  }
  if (product.minimumUnits < 1n) throw invalidInput("minimumUnits", "must be at least 1");
  if (product.maximumUnitsPerCustomer < product.minimumUnits) {
    throw invalidInput("maximumUnitsPerCustomer", "must not be below minimumUnits");
  }
  checkTiers(tiers);
  const isEndless = term.months === 0 && term.days === 0;
  if (isEndless && reinvestment !== "NONE") throw invalidInput("reinvestment", "needs a term");
  if (isEndless && payout === "AT_MATURITY" && tiers.some(({ ratePercent }) => ratePercent.digits > 0n)) {
    throw invalidInput("payout", "AT_MATURITY needs a term");
  }
  if (payout !== "AT_MATURITY" && compounding !== "NONE") {
    throw invalidInput("compounding", "must be NONE where interest is paid out periodically");
  }
  if (payout !== "AT_MATURITY" && reinvestment === "ALL") {
    throw invalidInput("reinvestment", "must be NONE or PRINCIPAL where interest is paid out periodically");
  }
  if (penalty.kind === "RATE_REDUCTION" && payout !== "AT_MATURITY") {
    throw invalidInput("penalty", "RATE_REDUCTION needs interest that is paid at maturity");
  }
}

function checkTiers(tiers: readonly Tier[]): void {
  if (tiers.length === 0) throw invalidInput("tiers", "at least one rate is needed");
  for (const [index, { fromMinor, ratePercent }] of tiers.entries()) {
    const before = tiers[index - 1];
    if (before === undefined && fromMinor !== 0n) throw invalidInput("tiers[0].from", "must be 0");
    if (before !== undefined && fromMinor <= before.fromMinor) {
      throw invalidInput(`tiers[${index}].from`, "must be above the one before");
    }
    if (ratePercent.digits > highestRate * 10n ** BigInt(ratePercent.scale)) {
      throw invalidInput(`tiers[${index}].ratePercent`, `must not be above ${highestRate}`);
    }
    if (ratePercent.scale > 8) throw invalidInput(`tiers[${index}].ratePercent`, "must have at most 8 decimals");
  }
}

/** The rate that holds for the whole of an amount: that of the highest tier it reaches. */
export function rateFor(tiers: readonly Tier[], amountMinor: bigint): Decimal {
  const tier = tiers.findLast(({ fromMinor }) => amountMinor >= fromMinor);
  if (tier === undefined) throw new Error("no tier begins at zero");
  return tier.ratePercent;
}

/** How interest is counted on a holding of this product at a rate. */
export function interestTerms(product: ProductContent, ratePercent: Decimal): InterestTerms {
  return { ratePercent, compounding: product.compounding, dayCount: product.dayCount };
}

/** Equal in all that a version is made of. */
export function sameContent(a: ProductContent, b: ProductContent): boolean {
  return contentText(a) === contentText(b);
}

function contentText(content: ProductContent): string {
  const {
    productId,
    name,
    description,
    currency,
    unitPriceMinor,
    unitsOffered,
    minimumUnits,
    maximumUnitsPerCustomer,
    tiers,
    compounding,
    dayCount,
    term,
    lockInDays,
    penalty,
    payout,
    reinvestment,
    withholdingTaxBps,
    status,
  } = content;
  const rates = tiers.map(({ fromMinor, ratePercent }) => [String(fromMinor), formatDecimal(ratePercent)]);
  const loss = penalty.kind === "RATE_REDUCTION" ? formatDecimal(penalty.percent) : "bps" in penalty ? penalty.bps : 0;
  return JSON.stringify([
    productId,
    name,
    description,
    currency,
    String(unitPriceMinor),
    String(unitsOffered),
    String(minimumUnits),
    String(maximumUnitsPerCustomer),
    rates,
    compounding,
    dayCount,
    term.months,
    term.days,
    lockInDays,
    penalty.kind,
    loss,
    payout,
    reinvestment,
    withholdingTaxBps,
    status,
  ]);
}
