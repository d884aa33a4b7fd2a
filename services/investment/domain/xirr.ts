import { Decimal } from "decimal.js";
import { daysBetween } from "../../kernel/time/day-count.js";

/** Money that the investor gives (negative) or gets (positive) on a day. */
export interface CashFlow {
  readonly date: Temporal.PlainDate;
  readonly minor: bigint;
}

const D = Decimal.clone({ precision: 40 });
const steps = 200;
const near = new D("1e-15");

/**
 * The money-weighted yearly return: the rate at which all flows, discounted by (1 + rate)^(days /
 * 365) from the first, are worth nothing. As spreadsheets' XIRR. A fraction: 0.1 is 10 % a year.
 * Undefined without a gain and a loss of money, or where no rate above -100 % fits.
 */
export function xirr(flows: readonly CashFlow[]): Decimal | undefined {
  const [first] = flows;
  if (first === undefined || !flows.some(({ minor }) => minor < 0n) || !flows.some(({ minor }) => minor > 0n)) {
    return undefined;
  }
  const start = flows.reduce((date, flow) => (daysBetween(flow.date, date) > 0 ? flow.date : date), first.date);
  const parts = flows.map(({ date, minor }) => ({
    amount: new D(minor.toString()),
    years: new D(daysBetween(start, date)).div(365),
  }));
  if (parts.every(({ years }) => years.isZero())) return undefined;
  const value = (rate: Decimal): Decimal =>
    parts.reduce((sum, { amount, years }) => sum.plus(amount.div(rate.plus(1).pow(years))), new D(0));
  const bracket = bracketOf(value);
  return bracket && root(value, bracket);
}

type Bracket = [low: Decimal, high: Decimal];

/** Rates between which the value changes its sign, looked for from -99.9999 % to a millionfold. */
function bracketOf(value: (rate: Decimal) => Decimal): Bracket | undefined {
  const rates = ["-0.999999", "-0.99", "-0.9", "-0.5", "-0.2", "0", "0.1", "0.5", "1", "10", "1000", "1000000"];
  const tried = rates.map((text) => new D(text)).map((rate) => ({ rate, worth: value(rate) }));
  for (const [index, { rate, worth }] of tried.entries()) {
    const next = tried[index + 1];
    if (worth.isZero()) return [rate, rate];
    if (next !== undefined && worth.isPositive() !== next.worth.isPositive()) return [rate, next.rate];
  }
  return undefined;
}

/**
 * Halves the bracket, with a secant's step wherever that stays inside (regula falsi, Illinois
 * variant).
 */
function root(value: (rate: Decimal) => Decimal, [from, to]: Bracket): Decimal {
  let [low, high] = [from, to];
  if (low.equals(high)) return low;
  let [atLow, atHigh] = [value(low), value(high)];
  for (let step = 0; step < steps && high.minus(low).abs().greaterThan(near); step++) {
    const secant = low.times(atHigh).minus(high.times(atLow)).div(atHigh.minus(atLow));
    const middle = step % 3 === 2 ? low.plus(high).div(2) : secant;
    const worth = value(middle);
    if (worth.isZero()) return middle;
    if (worth.isPositive() === atLow.isPositive()) [low, atLow] = [middle, worth];
    else [high, atHigh] = [middle, worth];
  }
  return low.plus(high).div(2);
}
