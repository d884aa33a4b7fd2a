import type { CreateQuoteRequest, Quote as WireQuote } from "../../../proto/gen/remittance/v1/remittance.js";
import { toAlpha3 } from "../../kernel/codes/countries.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import { moneyToWire } from "../../kernel/money.js";
import { standardCategory } from "../domain/corridor.js";
import { trimmedFromWire } from "../../kernel/text/wire-text.js";
import { categoryFromWire, methodFromWire, methodToWire, promoCodeFromWire } from "./fields.js";
import type { OfferQuestion } from "../domain/offers.js";
import { quoteStatusOf } from "../domain/quote-expiry.js";
import type { Quote } from "../domain/quote.js";
import { amountsFromWire, feeToWire, otherFeeToWire } from "./transactions.js";

/** With an empty origin where the sender's country decides. Refuses INVALID_INPUT. */
export function quoteQuestionFromWire(request: CreateQuoteRequest): OfferQuestion {
  const { originCountry, receivingCountry, inclusive } = request;
  const { amount, sendAmount, sendCurrency, receivingCurrency } = amountsFromWire({
    ...request,
    amount: request.receiveAmount,
  });
  return {
    originCountry: originCountry === "" ? "" : toAlpha3(originCountry, "originCountry"),
    receivingCountry: toAlpha3(receivingCountry, "receivingCountry"),
    sendCurrency,
    receivingCurrency,
    deliveryMethod: methodFromWire(request.type, "type"),
    sendAmount,
    amount,
    inclusive,
    ...categoryFromWire(request.chargeCategory),
    ...promoCodeFromWire(request.promoCode),
  };
}

export function idempotencyKeyFromWire(key: string): string {
  return key === "" ? "" : trimmedFromWire(key, "idempotencyKey", 255);
}

export function quoteToWire(quote: Quote, now: Date): WirePartial<WireQuote> {
  const { price, terms } = quote;
  const { tenantBps, agentBps, promotionBps } = terms.markup;
  return {
    quoteId: quote.quoteId,
    status: quoteStatusOf(quote, now),
    customerId: quote.customerId,
    principal: moneyToWire(price.principal),
    receiveAmount: moneyToWire(price.receive),
    fees: price.fees.map(feeToWire),
    totalFees: moneyToWire(price.totalFees),
    totalTaxes: moneyToWire(price.totalTaxes),
    totalAmount: moneyToWire(price.total),
    inclusive: price.inclusive,
    middleRate: terms.middleRate,
    markup: { tenantBps, agentBps, promotionBps },
    exchangeRate: price.rate,
    originCountry: quote.originCountry,
    receivingCountry: quote.receivingCountry,
    type: methodToWire(quote.deliveryMethod),
    chargeCategory: terms.category ?? standardCategory,
    promoCode: terms.promoCode ?? "",
    deliveryMinutes: quote.deliveryMinutes,
    deliveryDays: terms.delivery.days,
    otherFees: terms.delivery.otherFees.map(otherFeeToWire),
    createdAt: quote.createdAt,
    expiresAt: quote.expiresAt,
    transactionId: quote.transactionId ?? "",
  };
}
