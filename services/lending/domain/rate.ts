import { divideRounded, parseDecimal } from "../../kernel/decimal.js";
import type { Fraction } from "../../kernel/time/day-count.js";

/** Percent (decimal text) as an exact fraction. */
export function percent(text: string): Fraction {
  const { digits, scale } = parseDecimal(text, "percent");
  return { numerator: digits, denominator: 10n ** BigInt(scale) * 100n };
}

/** Interest of one period as a fraction of the balance: annual rate × part of a year, exact. */
export function periodRate(annual: Fraction, part: Fraction): Fraction {
  return { numerator: annual.numerator * part.numerator, denominator: annual.denominator * part.denominator };
}

/** Minor units of an amount times a fraction, half to even. */
export function shareOf(minor: bigint, { numerator, denominator }: Fraction): bigint {
  return divideRounded(minor * numerator, denominator, "half-even");
}

/** A percentage (decimal text) of an amount, half to even. */
export function percentOf(minor: bigint, text: string): bigint {
  return shareOf(minor, percent(text));
}

// Fixed point with 40 decimals: 360 products of it are exact to far less than a minor unit of any
// int64.
const one = 10n ** 40n;

/**
 * The payment that pays a balance off over periods of these rates: balance × Π(1+r) ÷ Σ Π of the
 * later (1+r), to the nearest minor unit. For equal rates it is the annuity formula.
 */
export function levelPayment(balanceMinor: bigint, rates: readonly Fraction[]): bigint {
  let growth = one;
  let sum = 0n;
  for (let index = rates.length - 1; index >= 0; index -= 1) {
    const { numerator, denominator } = rates[index] as Fraction;
    sum += growth;
    growth += (growth * numerator) / denominator;
  }
  return sum === 0n ? 0n : divideRounded(balanceMinor * growth, sum, "half-even");
}
