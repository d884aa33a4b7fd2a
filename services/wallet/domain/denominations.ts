import { money, type Money } from "../../kernel/money.js";
import { invalidInput } from "../../kernel/refusal.js";

/** So many notes or coins of one value. */
export interface Denomination {
  readonly valueMinor: bigint;
  readonly count: number;
}

export const maxDenominations = 50;
export const maxPieces = 1_000_000;

/**
 * Notes and coins in circulation, minor units, as their central banks list them in 2026. A currency
 * that is not here is counted by its amount alone.
 */
const known: Readonly<Record<string, readonly number[]>> = {
  AED: [25, 50, 100, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000],
  CAD: [5, 10, 25, 100, 200, 500, 1_000, 2_000, 5_000, 10_000],
  EUR: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000],
  GBP: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000],
  GHS: [10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000],
  INR: [50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000],
  KES: [100, 500, 1_000, 2_000, 4_000, 5_000, 10_000, 20_000, 50_000, 100_000],
  MAD: [10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000],
  NGN: [50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000],
  TZS: [5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000],
  UGX: [50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000],
  USD: [1, 5, 10, 25, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000],
  XAF: [1, 2, 5, 10, 25, 50, 100, 500, 1_000, 2_000, 5_000, 10_000],
  XOF: [1, 5, 10, 25, 50, 100, 200, 250, 500, 1_000, 2_000, 2_500, 5_000, 10_000],
  ZAR: [10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000],
};

/**
 * What was counted: the amount, or the sum of the pieces, which agree where both are given. Refuses
 * INVALID_INPUT naming what is wrong.
 */
export function countedMoney(
  currency: string,
  counted: Money | undefined,
  pieces: readonly Denomination[],
  path = "counted",
): Money {
  if (pieces.length === 0) {
    if (counted === undefined) throw invalidInput(path, "is required where no denominations are given");
    return counted;
  }
  assertKnown(currency, pieces);
  const sum = money(
    pieces.reduce((minor, { valueMinor, count }) => minor + valueMinor * BigInt(count), 0n),
    currency,
  );
  if (counted !== undefined && counted.minor !== sum.minor) {
    throw invalidInput(path, "is not the sum of the denominations");
  }
  return sum;
}

function assertKnown(currency: string, pieces: readonly Denomination[]): void {
  const values = known[currency];
  if (values === undefined) throw invalidInput("denominations", `of ${currency} are not known: count the amount`);
  for (const [at, { valueMinor, count }] of pieces.entries()) {
    const isKnown = values.some((value) => BigInt(value) === valueMinor);
    if (!isKnown) throw invalidInput(`denominations.${at}.value`, `is no note or coin of ${currency}`);
    const isTwice = pieces.findIndex((one) => one.valueMinor === valueMinor) !== at;
    if (isTwice) throw invalidInput(`denominations.${at}.value`, "is named twice");
    if (count < 0 || count > maxPieces) throw invalidInput(`denominations.${at}.count`, `must be 0 to ${maxPieces}`);
  }
}
