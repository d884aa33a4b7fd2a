import { Decimal } from "decimal.js";
import type { RepaymentFrequency } from "./calendar.js";
import { daysBetween } from "../../kernel/time/day-count.js";

const Exact = Decimal.clone({ precision: 40, rounding: Decimal.ROUND_HALF_EVEN });

/** A payment `units` whole unit-periods and `fraction` of one after the advance. */
export interface TimedPayment {
  readonly amountMinor: bigint;
  readonly units: number;
  readonly fraction: { readonly numerator: number; readonly denominator: number };
}

export interface CostOfCredit {
  /** Percent a year, two decimals: the unit-period rate times the unit-periods of a year. */
  readonly apr: string;
  /** Percent a year, two decimals, with compounding. */
  readonly effectiveRate: string;
}

/** Unit-periods of a year, Regulation Z Appendix J (b)(5). */
export const unitPeriodsOfYear: Readonly<Record<RepaymentFrequency, number>> = {
  DAY: 365,
  WEEK: 52,
  TWO_WEEKS: 26,
  MONTH: 12,
};

const unitDays = { DAY: 1, WEEK: 7, TWO_WEEKS: 14 } as const;

/**
 * Whole unit-periods between two dates, counted back from the later one, and the days that are left
 * as part of one: of 30 for months (Regulation Z Appendix J (b)(5)).
 */
export function unitPeriodsBetween(from: Temporal.PlainDate, to: Temporal.PlainDate, frequency: RepaymentFrequency) {
  if (frequency === "MONTH") {
    let units = (to.year - from.year) * 12 + (to.month - from.month);
    // From a month's last day to another's are whole months, however many days those have.
    if (from.add({ months: units }).equals(to)) return { units, fraction: { numerator: 0, denominator: 30 } };
    if (Temporal.PlainDate.compare(to.subtract({ months: units }), from) < 0) units -= 1;
    return { units, fraction: { numerator: daysBetween(from, to.subtract({ months: units })), denominator: 30 } };
  }
  const length = unitDays[frequency];
  const days = daysBetween(from, to);
  return { units: Math.floor(days / length), fraction: { numerator: days % length, denominator: length } };
}

/**
 * When a single payment is made and how many of its unit-periods a year has: the unit-period is the
 * term, at most a year (Regulation Z Appendix J (b)(4)(iv), (b)(5)(v) to (vii)). For whole months
 * (vi) leaves 12 by the months or 365 by the days: it is the one that the loan's interest is
 * counted by, so that a loan without fees costs its annual rate.
 */
export function singlePaymentUnits(
  from: Temporal.PlainDate,
  to: Temporal.PlainDate,
  interestCounts: "MONTHS" | "DAYS",
) {
  const { units: months, fraction } = unitPeriodsBetween(from, to, "MONTH");
  const isWholeMonths = fraction.numerator === 0;
  if (months < 12) {
    const unitsOfYear =
      isWholeMonths && interestCounts === "MONTHS"
        ? new Exact(12).div(months)
        : new Exact(365).div(daysBetween(from, to));
    return { units: 1, fraction: { numerator: 0, denominator: 1 }, unitsOfYear };
  }
  const years = Math.floor(months / 12);
  const rest = isWholeMonths
    ? { numerator: months % 12, denominator: 12 }
    : { numerator: daysBetween(from, to.subtract({ years })), denominator: 365 };
  return { units: years, fraction: rest, unitsOfYear: new Exact(1) };
}

/**
 * Annual percentage rate by the actuarial method of Regulation Z Appendix J (b)(8): the unit-period
 * rate i for which the advance equals the sum of payment ÷ ((1 + fraction·i)·(1 + i)^units), times
 * `unitsOfYear`. Undefined where no rate of -99 to 100,000 % a unit-period fits.
 */
export function costOfCredit(
  advanceMinor: bigint,
  payments: readonly TimedPayment[],
  unitsOfYear: Decimal.Value,
): CostOfCredit | undefined {
  const rate = unitPeriodRate(advanceMinor, payments);
  if (rate === undefined) return undefined;
  const apr = rate.times(unitsOfYear).times(100);
  const effective = rate.plus(1).pow(unitsOfYear).minus(1).times(100);
  return { apr: apr.toFixed(2, Decimal.ROUND_HALF_UP), effectiveRate: effective.toFixed(2, Decimal.ROUND_HALF_UP) };
}

function unitPeriodRate(advanceMinor: bigint, payments: readonly TimedPayment[]): Decimal | undefined {
  const advance = new Exact(advanceMinor.toString());
  const total = payments.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  if (advanceMinor <= 0n || total <= 0n) return undefined;
  const flows = payments.map(({ amountMinor, units, fraction }) => ({
    amount: new Exact(amountMinor.toString()),
    units,
    fraction: new Exact(fraction.numerator).div(fraction.denominator),
  }));
  const excess = (rate: Decimal) => presentValue(flows, rate).minus(advance);
  if (total === advanceMinor) return new Exact(0);
  let [low, high] = total > advanceMinor ? [new Exact(0), new Exact("0.05")] : [new Exact("-0.99"), new Exact(0)];
  while (excess(high).gt(0)) {
    [low, high] = [high, high.times(2)];
    if (high.gt(1_000)) return undefined;
  }
  if (excess(low).lt(0)) return undefined;
  // The secant's next point where it falls inside the bracket, else its middle (Dekker's method).
  let [atLow, atHigh] = [excess(low), excess(high)];
  for (let step = 0; step < 200 && high.minus(low).gt("1e-14"); step += 1) {
    const secant = low.plus(atLow.times(high.minus(low)).div(atLow.minus(atHigh)));
    const middle = low.plus(high).div(2);
    const isInside = step % 3 !== 2 && secant.gt(low) && secant.lt(high);
    const next = isInside ? secant : middle;
    const value = excess(next);
    if (value.abs().lt("1e-16")) return next;
    if (value.gt(0)) [low, atLow] = [next, value];
    else [high, atHigh] = [next, value];
  }
  return low.plus(high).div(2);
}

function presentValue(flows: readonly { amount: Decimal; units: number; fraction: Decimal }[], rate: Decimal): Decimal {
  const factor = rate.plus(1);
  let [power, at] = [new Exact(1), 0];
  let sum = new Exact(0);
  for (const { amount, units, fraction } of flows) {
    // Payments come in order mostly, so that a step is one product.
    power = units === at + 1 ? power.times(factor) : units === at ? power : factor.pow(units);
    at = units;
    sum = sum.plus(amount.div(fraction.times(rate).plus(1).times(power)));
  }
  return sum;
}
