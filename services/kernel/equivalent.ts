import { divideMoney, multiplyMoney, parseDecimal } from "./decimal.js";
import type { Money } from "./money.js";
import { Refusal } from "./refusal.js";

/** Finds the middle rate of a pair as decimal text; undefined where there is none. */
export type FindRate = (pair: { sendCurrency: string; receivingCurrency: string }) => Promise<string | undefined>;

/**
 * An amount in a currency at the middle rate of the pair, or else of the one the other way round;
 * rounded up. Undefined without a rate, and beyond int64.
 */
export async function equivalentOf(amount: Money, currency: string, findRate: FindRate): Promise<Money | undefined> {
  if (amount.currency === currency) return amount;
  const direct = await findRate({ sendCurrency: amount.currency, receivingCurrency: currency });
  if (direct !== undefined) return withinInt64(() => multiplyMoney(amount, parseDecimal(direct), currency, "up"));
  const inverse = await findRate({ sendCurrency: currency, receivingCurrency: amount.currency });
  if (inverse === undefined) return undefined;
  return withinInt64(() => divideMoney(amount, parseDecimal(inverse), currency, "up"));
}

/** Undefined beyond int64. */
export function withinInt64(compute: () => Money): Money | undefined {
  try {
    return compute();
  } catch (error) {
    if (error instanceof Refusal && error.code === "AMOUNT_TOO_LARGE") return undefined;
    throw error;
  }
}
