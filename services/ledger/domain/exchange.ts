import { minorDigits } from "../../kernel/codes/currencies.js";
import type { Decimal } from "../../kernel/decimal.js";
import type { Money } from "../../kernel/money.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";

/**
 * Whatever it was rounded by, `to` lies within one minor unit of `from` times rate. Refuses
 * INVALID_INPUT, AMOUNT_MISMATCH.
 */
export function checkRate(from: Money, to: Money, rate: Decimal): void {
  if (rate.digits === 0n) throw invalidInput("rate", "must not be zero");
  const scale = 10n ** BigInt(rate.scale + minorDigits(from.currency));
  const exact = from.minor * rate.digits * 10n ** BigInt(minorDigits(to.currency));
  const off = to.minor * scale - exact;
  if ((off < 0n ? -off : off) < scale) return;
  throw new Refusal("AMOUNT_MISMATCH", "`to` is not what `from` gives at the rate", {
    figures: { expectedMinor: String(exact / scale), askedMinor: String(to.minor) },
  });
}
