import { assertCurrency, minorDigits } from "./codes/currencies.js";
import { assertInt64, type Money } from "./money.js";
import { invalidInput } from "./refusal.js";

/**
 * An exact non-negative decimal, value = digits / 10^scale, without trailing zeros: equal values
 * are equal fields.
 */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

/**
 * half-even and half-up decide ties; down is toward zero, up away from it. Negative amounts mirror
 * positive ones.
 */
export type Rounding = "half-even" | "half-up" | "down" | "up";

const maxTextLength = 40;
const plainDecimal = /^(0|[1-9]\d*)(?:\.(\d+))?$/;

/** A decimal from plain text such as "1600" or "0.00062500". Refuses INVALID_INPUT at the path. */
export function parseDecimal(text: string, path = "value"): Decimal {
  const match = text.length <= maxTextLength ? plainDecimal.exec(text) : null;
  if (match === null) throw invalidInput(path, "must be a plain decimal number without sign or exponent");
  const [, whole = "", written = ""] = match;
  const decimals = written.replace(/0+$/, "");
  return { digits: BigInt(whole + decimals), scale: decimals.length };
}

/** The shortest plain text: "1600", "0.000625". */
export function formatDecimal(value: Decimal): string {
  const text = value.digits.toString().padStart(value.scale + 1, "0");
  return value.scale === 0 ? text : `${text.slice(0, -value.scale)}.${text.slice(-value.scale)}`;
}

/** m × rate in another currency, rounded once as named. Refuses AMOUNT_TOO_LARGE beyond int64. */
export function multiplyMoney(m: Money, rate: Decimal, toCurrency: string, rounding: Rounding): Money {
  const [up, down] = shift(m.currency, toCurrency);
  return exact(m.minor * rate.digits * up, pow10(rate.scale) * down, toCurrency, rounding);
}

/** m ÷ rate in another currency, rounded once as named. Refuses AMOUNT_TOO_LARGE beyond int64. */
export function divideMoney(m: Money, rate: Decimal, toCurrency: string, rounding: Rounding): Money {
  const minor = assertInt64(divideMinor(m, rate, toCurrency, rounding), "the result");
  return { minor, currency: assertCurrency(toCurrency, "currency") };
}

/** Minor units of m ÷ rate in another currency, rounded once as named, however many they are. */
export function divideMinor(m: Money, rate: Decimal, toCurrency: string, rounding: Rounding): bigint {
  if (rate.digits === 0n) throw new RangeError("a rate of zero does not divide");
  const [up, down] = shift(m.currency, toCurrency);
  return divideRounded(m.minor * pow10(rate.scale) * up, rate.digits * down, rounding);
}

/** bps hundredths of a percent of m, rounded once as named. */
export function basisPoints(m: Money, bps: bigint, rounding: Rounding): Money {
  return exact(m.minor * bps, 10_000n, m.currency, rounding);
}

/** numerator ÷ denominator (above zero), rounded as named. */
export function divideRounded(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  const sign = numerator < 0n ? -1n : 1n;
  const size = numerator * sign;
  const whole = size / denominator;
  const rest = size % denominator;
  return sign * (roundsUp(whole, rest, denominator, rounding) ? whole + 1n : whole);
}

function roundsUp(whole: bigint, rest: bigint, denominator: bigint, rounding: Rounding): boolean {
  const twice = rest * 2n;
  switch (rounding) {
    case "down":
      return false;
    case "up":
      return rest > 0n;
    case "half-up":
      return twice >= denominator;
    case "half-even":
      return twice > denominator || (twice === denominator && whole % 2n === 1n);
  }
}

function exact(numerator: bigint, denominator: bigint, currency: string, rounding: Rounding): Money {
  const minor = assertInt64(divideRounded(numerator, denominator, rounding), "the result");
  return { minor, currency: assertCurrency(currency, "currency") };
}

// Factors that move minor units of one currency to those of another: KWD (3) to JPY (0) divides by
// 1,000.
function shift(from: string, to: string): [up: bigint, down: bigint] {
  const difference = minorDigits(to) - minorDigits(from);
  return difference >= 0 ? [pow10(difference), 1n] : [1n, pow10(-difference)];
}

function pow10(exponent: number): bigint {
  return 10n ** BigInt(exponent);
}
