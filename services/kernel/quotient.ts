import { divideRounded, formatDecimal, type Decimal } from "./decimal.js";

/**
 * numerator ÷ denominator as decimal text of at most so many significant digits, rounded once,
 * half to even. Both above zero.
 */
export function quotientText(numerator: Decimal, denominator: Decimal, maxDigits: number): string {
  const [n, d] = [
    numerator.digits * 10n ** BigInt(denominator.scale),
    denominator.digits * 10n ** BigInt(numerator.scale),
  ];
  if (n <= 0n || d <= 0n) throw new RangeError("only what is above zero is divided");
  // The quotient has this many digits before the point, or one more.
  let scale = maxDigits - (lengthOf(n) - lengthOf(d));
  if (lengthOf(scaled(n, d, scale)) > maxDigits) scale -= 1;
  const [up, down] = scale >= 0 ? [n * 10n ** BigInt(scale), d] : [n, d * 10n ** BigInt(-scale)];
  return textOf(divideRounded(up, down, "half-even"), scale);
}

function scaled(n: bigint, d: bigint, scale: number): bigint {
  return scale >= 0 ? (n * 10n ** BigInt(scale)) / d : n / (d * 10n ** BigInt(-scale));
}

function textOf(digits: bigint, scale: number): string {
  if (scale <= 0) return formatDecimal({ digits: digits * 10n ** BigInt(-scale), scale: 0 });
  let [short, places] = [digits, scale];
  while (places > 0 && short % 10n === 0n) [short, places] = [short / 10n, places - 1];
  return formatDecimal({ digits: short, scale: places });
}

const lengthOf = (value: bigint): number => value.toString().length;
