import type { Promotion as WirePromotion } from "../../../proto/gen/remittance/v1/remittance.js";
import { toAlpha3 } from "../../kernel/codes/countries.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import { moneyFromWire, moneyToWire } from "../../kernel/money.js";
import { invalidInput } from "../../kernel/refusal.js";
import { maxMarkupBps } from "../domain/markup.js";
import type { Promotion, PromotionContent } from "../domain/promotion.js";
import { assertBps, promoCodeFromWire } from "./fields.js";

const whole = 10_000;

/** Refuses INVALID_INPUT. */
export function promotionFromWire(promotion: WirePromotion | undefined): PromotionContent {
  if (promotion === undefined) throw invalidInput("promotion", "is required");
  const { validFrom, validUntil, maxUses, maxUsesPerCustomer, minimum, feeDiscountBps, rateBonusBps } = promotion;
  const { promoCode } = promoCodeFromWire(promotion.code, "promotion.code");
  if (promoCode === undefined) throw invalidInput("promotion.code", "is required");
  assertBps(feeDiscountBps, whole, "promotion.feeDiscountBps");
  assertBps(rateBonusBps, maxMarkupBps, "promotion.rateBonusBps");
  if (feeDiscountBps + rateBonusBps === 0) throw invalidInput("promotion.feeDiscountBps", "gives nothing");
  if (validFrom === undefined) throw invalidInput("promotion.validFrom", "is required");
  if (validUntil === undefined) throw invalidInput("promotion.validUntil", "is required");
  if (validUntil <= validFrom) throw invalidInput("promotion.validUntil", "must be after validFrom");
  for (const [name, count] of Object.entries({ maxUses, maxUsesPerCustomer })) {
    if (count < 0) throw invalidInput(`promotion.${name}`, "must not be negative");
  }
  return {
    code: promoCode,
    feeDiscountBps,
    rateBonusBps,
    validFrom,
    validUntil,
    ...(maxUses > 0 && { maxUses }),
    ...(maxUsesPerCustomer > 0 && { maxUsesPerCustomer }),
    ...(minimum !== undefined && { minimum: moneyFromWire(minimum, "promotion.minimum") }),
    receivingCountries: promotion.receivingCountries.map((country, index) =>
      toAlpha3(country, `promotion.receivingCountries[${index}]`),
    ),
    enabled: promotion.enabled,
  };
}

export function promotionToWire({ minimum, ...rest }: Promotion, uses = 0): WirePartial<WirePromotion> {
  return { ...rest, uses, ...(minimum !== undefined && { minimum: moneyToWire(minimum) }) };
}
