import { assertCurrency, minorDigits } from "./codes/currencies.js";
import { Refusal, invalidInput } from "./refusal.js";

/**
 * An exact amount in minor units of a currency: USD 12.34 is { minor: 1234n, currency: "USD" }.
 * Always within int64.
 */
export interface Money {
  readonly minor: bigint;
  readonly currency: string;
}

export const maxInt64 = 2n ** 63n - 1n;
export const minInt64 = -(2n ** 63n);

// 2^63-1 has 19 digits; more text than this can only be padding, and BigInt of it would cost time.
const maxTextLength = 64;
// The number grammar of JSON without exponent: no leading zeros, no bare dot.
const plainDecimal = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?$/;

/**
 * Money from minor units. Refuses INVALID_INPUT for a currency that is not usable and
 * AMOUNT_TOO_LARGE beyond int64.
 */
export function money(minor: bigint, currency: string): Money {
  return { minor: assertInt64(minor, "amount"), currency: assertCurrency(currency, "currency") };
}

/**
 * The value, when it fits a signed 64-bit integer; MongoDB and protobuf would wrap it silently.
 * Refuses AMOUNT_TOO_LARGE.
 */
export function assertInt64(value: bigint, what: string): bigint {
  if (value > maxInt64 || value < minInt64) throw tooLarge(what);
  return value;
}

/**
 * Money from exact decimal text, never rounded: "25", "25.0" and "25.000" USD are the same. Refuses
 * INVALID_INPUT at the path for a sign, an exponent, too many decimals or no number,
 * AMOUNT_TOO_LARGE beyond int64.
 */
export function parseMoney(text: string, currency: string, path = "amount"): Money {
  if (text.startsWith("-")) throw invalidInput(path, "must not be negative");
  return parseSignedMoney(text, currency, path);
}

/** As parseMoney, with an optional leading minus. */
export function parseSignedMoney(text: string, currency: string, path = "amount"): Money {
  assertCurrency(currency, "currency");
  const match = text.length <= maxTextLength ? plainDecimal.exec(text) : null;
  if (match === null) throw invalidInput(path, "must be a plain decimal number");
  const [, sign = "", whole = "", decimals = ""] = match;
  const digits = minorDigits(currency);
  if (/[1-9]/.test(decimals.slice(digits))) {
    throw invalidInput(path, `must have at most ${digits} decimals in ${currency}`);
  }
  const size = BigInt(whole + decimals.slice(0, digits).padEnd(digits, "0"));
  const minor = sign === "-" ? -size : size;
  if (minor > maxInt64 || minor < minInt64) throw tooLarge(path);
  return { minor, currency };
}

/** Decimal text with exactly the currency's decimals: "25.00" USD, "25" JPY, "25.000" KWD. */
export function formatMoney(amount: Money): string {
  const digits = minorDigits(amount.currency);
  const sign = amount.minor < 0n ? "-" : "";
  const text = (amount.minor < 0n ? -amount.minor : amount.minor).toString().padStart(digits + 1, "0");
  if (digits === 0) return sign + text;
  return `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** a + b. Refuses CURRENCY_MISMATCH, AMOUNT_TOO_LARGE. */
export function addMoney(a: Money, b: Money): Money {
  assertSameCurrency(a, b);
  return { minor: assertInt64(a.minor + b.minor, "the sum"), currency: a.currency };
}

/** a - b. Refuses CURRENCY_MISMATCH, AMOUNT_TOO_LARGE. */
export function subtractMoney(a: Money, b: Money): Money {
  assertSameCurrency(a, b);
  return { minor: assertInt64(a.minor - b.minor, "the difference"), currency: a.currency };
}

/** -1, 0 or 1 as a is below, equal to or above b. Refuses CURRENCY_MISMATCH. */
export function compareMoney(a: Money, b: Money): -1 | 0 | 1 {
  assertSameCurrency(a, b);
  if (a.minor === b.minor) return 0;
  return a.minor < b.minor ? -1 : 1;
}

/**
 * Shares of a total by weight, always summing to it (largest remainder; the earlier of equal
 * remainders gets the unit). Weights are non-negative and not all zero.
 */
export function allocate(total: Money, weights: readonly bigint[]): Money[] {
  const sum = weights.reduce((all, weight) => all + weight, 0n);
  if (sum <= 0n || weights.some((weight) => weight < 0n)) {
    throw new RangeError("weights must not be negative and must not all be zero");
  }
  const sign = total.minor < 0n ? -1n : 1n;
  const size = total.minor * sign;
  const shares = weights.map((weight, index) => ({
    index,
    units: (size * weight) / sum,
    remainder: (size * weight) % sum,
  }));
  let left = size - shares.reduce((all, share) => all + share.units, 0n);
  const byRemainder = shares.toSorted((a, b) => {
    if (a.remainder === b.remainder) return a.index - b.index;
    return a.remainder > b.remainder ? -1 : 1;
  });
  for (const share of byRemainder) {
    if (left === 0n) break;
    share.units += 1n;
    left -= 1n;
  }
  return shares.map((share) => ({ minor: share.units * sign, currency: total.currency }));
}

/** As common.v1.Money. Refuses AMOUNT_TOO_LARGE rather than let the wire wrap it. */
export function moneyToWire(amount: Money): { amountMinor: bigint; currency: string } {
  return { amountMinor: assertInt64(amount.minor, "amount"), currency: amount.currency };
}

/**
 * From common.v1.Money. Refuses INVALID_INPUT at the path when it is absent or its currency is not
 * usable.
 */
export function moneyFromWire(wire: { amountMinor: bigint; currency: string } | undefined, path: string): Money {
  if (wire === undefined) throw invalidInput(path, "is required");
  assertCurrency(wire.currency, `${path}.currency`);
  return { minor: assertInt64(wire.amountMinor, path), currency: wire.currency };
}

function assertSameCurrency(a: Money, b: Money): void {
  if (a.currency !== b.currency) {
    throw new Refusal("CURRENCY_MISMATCH", `${a.currency} and ${b.currency} do not mix`);
  }
}

function tooLarge(path: string): Refusal {
  const message = "is beyond what an amount can hold";
  return new Refusal("AMOUNT_TOO_LARGE", `${path} ${message}`, { errors: [{ path, message }] });
}
