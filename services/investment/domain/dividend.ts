import { daysBetween } from "../../kernel/time/day-count.js";
import { allocate, type Money } from "../../kernel/money.js";
import { isBefore } from "./dates.js";
import type { UnitsFrom } from "./holding.js";

/** An amount shared among the holders of a product. */
export interface Dividend {
  readonly dividendId: string;
  readonly productId: string;
  /** Days from `from` up to, and without, `to`. */
  readonly from: Temporal.PlainDate;
  readonly to: Temporal.PlainDate;
  readonly amount: Money;
  readonly status: "DECLARED" | "PAYING" | "PAID";
  readonly holdings: bigint;
  readonly paidMinor: bigint;
  readonly taxMinor: bigint;
  readonly failedMinor: bigint;
  readonly declaredAt: Date;
  readonly interactionId: string;
  readonly createdBy: string;
}

/** What a dividend needs to know of a holding. */
export interface Holder {
  readonly holdingId: string;
  /** Its dividends are taxed by the version that it is held under, as its interest is. */
  readonly productVersion: number;
  readonly customerId: string;
  readonly walletAccountId: string;
  readonly history: readonly UnitsFrom[];
}

/** One holding's part of a dividend. */
export interface DividendShare {
  readonly shareId: string;
  readonly dividendId: string;
  readonly holdingId: string;
  readonly customerId: string;
  readonly walletAccountId: string;
  readonly amount: Money;
  readonly taxMinor: bigint;
  /** The version of the product that it is taxed by. */
  readonly productVersion: number;
  /**
   * UNTAXED where that version could not be read: DUE as soon as it can be. ASIDE
   * where it alone could not be paid.
   */
  readonly status: "UNTAXED" | "DUE" | "ASIDE" | "PAID" | "FAILED";
  /** How often it was redirected to another wallet: the ledger decides on each try once. */
  readonly attempt?: number;
}

/**
 * Units × days that they were held from `from` up to, and without, `to`. As Apache Fineract weighs
 * share accounts (ShareProductDividendAssembler): a purchase within the period counts from its day,
 * a redemption up to its day.
 */
export function unitDays(history: readonly UnitsFrom[], from: Temporal.PlainDate, to: Temporal.PlainDate): bigint {
  let sum = 0n;
  for (const [index, { from: since, units }] of history.entries()) {
    const until = history[index + 1]?.from ?? to;
    const start = isBefore(since, from) ? from : since;
    const end = isBefore(to, until) ? to : until;
    if (isBefore(start, end)) sum += units * BigInt(daysBetween(start, end));
  }
  return sum;
}

/**
 * Shares of a dividend by unit-days, largest remainder: they add up to the cent. Undefined where
 * nobody held a unit for a day.
 */
export function shareDividend(total: Money, weights: readonly bigint[]): Money[] | undefined {
  return weights.some((weight) => weight > 0n) ? allocate(total, weights) : undefined;
}
