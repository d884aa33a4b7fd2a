import { daysBetween } from "../../shared/day-count.js";
import { allocate, type Money } from "../../shared/money.js";
import { isBefore } from "./dates.js";
import type { UnitsFrom } from "./holding.js";

/**
 * Units × days that they were held from `from` up to, and without, `to`. As Apache Fineract weighs share accounts
 * (ShareProductDividendAssembler): a purchase within the period counts from its day, a redemption up to its day.
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

/** Shares of a dividend by unit-days, largest remainder: they add up to the cent. Undefined where nobody held a unit for a day. */
export function shareDividend(total: Money, weights: readonly bigint[]): Money[] | undefined {
  return weights.some((weight) => weight > 0n) ? allocate(total, weights) : undefined;
}
