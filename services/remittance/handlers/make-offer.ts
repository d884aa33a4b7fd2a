import type { CheckAmount } from "../../platform/preferences/amount-ceilings.js";
import { parseMoney } from "../../kernel/money.js";
import type { Corridor } from "../domain/corridor.js";
import {
  assertDelivers,
  middleRateOf,
  priceOn,
  soleCorridor,
  type Offer,
  type OfferCustomer,
  type OfferQuestion,
  type PriceBasis,
} from "../domain/offers.js";
import { assertUsable } from "../domain/promotion.js";
import type { PriceBook } from "../store/price-books.js";

/**
 * Prices a question by what holds now. Refuses CORRIDOR_NOT_FOUND, CORRIDOR_DISABLED,
 * RATE_NOT_AVAILABLE, PROMO_CODE_INVALID, INVALID_INPUT, what pricing refuses, and
 * AMOUNT_ABOVE_CEILING on both ends.
 */
export async function makeOffer(
  question: OfferQuestion,
  book: PriceBook,
  now: Date,
  customer: OfferCustomer,
  checkAmount: CheckAmount,
): Promise<Offer> {
  const { originCountry, receivingCountry, deliveryMethod, sendAmount, amount, promoCode } = question;
  const corridor = soleCorridor(question, await book.corridorsBetween(originCountry, receivingCountry));
  assertDelivers(corridor, deliveryMethod);
  if (sendAmount !== "") checkAmount(parseMoney(sendAmount, corridor.sendCurrency, "sendAmount"));
  if (amount !== "") checkAmount(parseMoney(amount, corridor.receivingCurrency, "amount"));
  const offer = priceOn(await loadBasis(corridor, promoCode, book, now, customer), question, customer);
  for (const part of [offer.price.total, offer.price.receive]) checkAmount(part);
  return offer;
}

/**
 * Loads what prices of a corridor are made from. Refuses RATE_NOT_AVAILABLE, PROMO_CODE_INVALID.
 */
export async function loadBasis(
  corridor: Corridor,
  promoCode: string | undefined,
  book: PriceBook,
  now: Date,
  { customerId, agentId }: OfferCustomer,
): Promise<PriceBasis> {
  const { sendCurrency, receivingCurrency, receivingCountry } = corridor;
  const [rate, markups, promoted] = await Promise.all([
    book.rateAt({ sendCurrency, receivingCurrency }, now),
    book.markupsOf(agentId),
    promoCode === undefined ? undefined : book.promotion(promoCode, customerId),
  ]);
  const basis = { corridor, ...middleRateOf(corridor, rate), markups };
  return promoted === undefined ? basis : { ...basis, promotion: assertUsable(...promoted, { now, receivingCountry }) };
}
