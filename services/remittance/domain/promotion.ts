import { compareMoney, formatMoney, type Money } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";

/** What a code is good for, and for whom. */
export interface PromotionContent {
  /** Capital letters, digits, "-"; unique in the tenant. */
  code: string;
  /** Off every fee. */
  feeDiscountBps: number;
  /** Off the markup of the rate, never beyond the middle rate. */
  rateBonusBps: number;
  validFrom: Date;
  /** Exclusive. */
  validUntil: Date;
  /** Uses by all customers together; without a limit where absent. */
  maxUses?: number;
  maxUsesPerCustomer?: number;
  /** Of the principal; holds for its currency only. */
  minimum?: Money;
  /** Alpha-3; everywhere where empty. */
  receivingCountries: string[];
  enabled: boolean;
}

export interface Promotion extends PromotionContent {
  version: number;
}

/** How often a promotion was used: by one customer, or by all where customerId is empty. */
export interface PromotionCount {
  code: string;
  customerId: string;
  uses: number;
}

export interface PromotionUse {
  uses: number;
  usesByCustomer: number;
}

/**
 * Refuses PROMO_CODE_INVALID where the code gives nothing here and now; why is said, for the code
 * was typed by a person.
 */
export function assertUsable(
  promotion: Promotion | undefined,
  use: PromotionUse,
  at: { now: Date; receivingCountry: string },
): Promotion {
  if (promotion === undefined || !promotion.enabled) throw invalid("the promo code is not known");
  const { validFrom, validUntil, receivingCountries } = promotion;
  if (at.now < validFrom) throw invalid(`the promo code is good from ${validFrom.toISOString()}`);
  if (at.now >= validUntil) throw invalid(`the promo code was good until ${validUntil.toISOString()}`);
  if (receivingCountries.length > 0 && !receivingCountries.includes(at.receivingCountry)) {
    throw invalid(`the promo code is not for transfers to ${at.receivingCountry}`);
  }
  assertNotUsedUp(promotion, use);
  return promotion;
}

/** Refuses PROMO_CODE_INVALID. */
export function assertNotUsedUp(promotion: Promotion | undefined, { uses, usesByCustomer }: PromotionUse): void {
  const { maxUses, maxUsesPerCustomer } = promotion ?? {};
  if (maxUses !== undefined && uses >= maxUses) throw invalid("the promo code is used up");
  if (maxUsesPerCustomer !== undefined && usesByCustomer >= maxUsesPerCustomer) {
    throw invalid("the customer has used the promo code as often as they may");
  }
}

/** Refuses PROMO_CODE_INVALID naming the least principal. */
export function assertEnough({ minimum }: Promotion, principal: Money): void {
  if (minimum === undefined) return;
  if (minimum.currency === principal.currency && compareMoney(principal, minimum) >= 0) return;
  const text = formatMoney(minimum);
  throw new Refusal("PROMO_CODE_INVALID", `the promo code needs at least ${text} ${minimum.currency}`, {
    figures: { minimum: text, currency: minimum.currency },
  });
}

function invalid(message: string): Refusal {
  return new Refusal("PROMO_CODE_INVALID", message, { errors: [{ path: "promoCode", message }] });
}
