import { isCurrency } from "../codes/currencies.js";
import { formatMoney, type Money } from "../money.js";
import { invalidInput, Refusal } from "../refusal.js";

/** The most that one movement of money may be, minor units by currency. */
export type Ceilings = ReadonlyMap<string, bigint>;

/** In every currency for which the operator names none, minor units. */
export const defaultCeilingMinor = 10n ** 13n;
/** An account of the ledger holds more than nine thousand times as much, minor units. */
export const largestCeilingMinor = 10n ** 15n;

const entryForm = /^([A-Z]{3})=([1-9]\d{0,15})$/;

/** From text such as "USD=5000000,JPY=900000", minor units. Throws an Error for anything else. */
export function parseCeilings(text = ""): Ceilings {
  const ceilings = new Map<string, bigint>();
  for (const entry of text === "" ? [] : text.split(",")) {
    const [, currency = "", digits = "0"] = entryForm.exec(entry) ?? [];
    const isUsable = isCurrency(currency) && !ceilings.has(currency) && BigInt(digits) <= largestCeilingMinor;
    if (!isUsable) throw new Error(`${entry} is no ceiling: one such as USD=5000000 for a currency, up to 10^15`);
    ceilings.set(currency, BigInt(digits));
  }
  return ceilings;
}

export function isCeilings(text: string): boolean {
  try {
    return parseCeilings(text).size > 0;
  } catch {
    return false;
  }
}

/** The operator's ceiling of a currency, minor units. */
export function operatorCeiling(operator: Ceilings, currency: string): bigint {
  return operator.get(currency) ?? defaultCeilingMinor;
}

/** The ceiling that holds: a tenant's own never raises the operator's. */
export function ceilingOf(operator: Ceilings, tenant: Ceilings, currency: string): bigint {
  const most = operatorCeiling(operator, currency);
  const own = tenant.get(currency) ?? most;
  return own < most ? own : most;
}

/** Refuses AMOUNT_ABOVE_CEILING, with the figures. */
export function assertBelowCeiling(amount: Money, ceilingMinor: bigint): void {
  if (amount.minor <= ceilingMinor) return;
  const { currency } = amount;
  const ceiling = formatMoney({ minor: ceilingMinor, currency });
  throw new Refusal("AMOUNT_ABOVE_CEILING", `an amount is at most ${ceiling} ${currency}`, {
    figures: { ceiling, asked: formatMoney(amount) },
  });
}

/**
 * For amounts that are set and not moved: no more than any ceiling may be, so that what they come
 * to together is still an amount. Refuses INVALID_INPUT at the path.
 */
export function assertSettable({ minor, currency }: Money, path: string): void {
  if (minor <= largestCeilingMinor) return;
  throw invalidInput(path, `must be at most ${formatMoney({ minor: largestCeilingMinor, currency })}`);
}
