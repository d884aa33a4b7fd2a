import { v7 as uuidv7 } from "uuid";
import {
  CreateQuoteRequest,
  CreateQuoteResponse,
  type RemittanceServiceDefinition,
} from "../../../proto/gen/remittance/v1/remittance.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { parseMoney } from "../../kernel/money.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { idFromWire } from "../../kernel/text/wire-text.js";
import { nobody, type OfferCustomer, type OfferQuestion } from "../domain/offers.js";
import { quoteHoldsForMs } from "../domain/quote-expiry.js";
import { isFor, type Quote } from "../domain/quote.js";
import { idempotencyKeyFromWire, quoteQuestionFromWire, quoteToWire } from "../wire/quotes.js";
import type { RemittanceDeps } from "./deps.js";
import { makeOffer } from "./make-offer.js";

export function quoteHandlers({
  store,
  people,
  prices,
  ceilings,
  runOnce,
  clock,
  quoteForMs = quoteHoldsForMs,
}: RemittanceDeps) {
  /**
   * Whom a quote is for. Refuses CUSTOMER_NOT_FOUND, FORBIDDEN for a customer who names somebody
   * else.
   */
  async function customerOf(code: string, call: Call): Promise<OfferCustomer & { country: string }> {
    const { role, customerId = "" } = requireUser(call);
    if (role === "CUSTOMER") {
      const own = await people.findCustomer({ customerId }, call);
      if (code === "" || code === own.customerCode) return own;
      throw new Refusal("FORBIDDEN", "a customer can only ask for their own quote");
    }
    await people.assertServesDesk(call);
    return code === "" ? { ...nobody, country: "" } : people.senderAtDesk(code, call);
  }

  async function newQuote(question: OfferQuestion, customer: OfferCustomer, call: Call): Promise<Quote> {
    const now = clock.now();
    const { corridor, price, rateId, terms, deliveryMinutes, payeeCheck } = await makeOffer(
      question,
      await prices.of(call.tenantId),
      now,
      customer,
      await ceilings.of(call),
    );
    const { originCountry, sendCurrency, receivingCountry, receivingCurrency, version } = corridor;
    const { sendAmount } = question;
    return {
      quoteId: uuidv7(),
      customerId: customer.customerId,
      createdBy: requireUser(call).userId,
      originCountry,
      sendCurrency,
      receivingCountry,
      receivingCurrency,
      deliveryMethod: question.deliveryMethod,
      ...(sendAmount !== "" && { asked: parseMoney(sendAmount, sendCurrency, "sendAmount") }),
      price,
      rateId,
      corridorVersion: version,
      ...(payeeCheck !== undefined && { payeeCheck }),
      terms,
      deliveryMinutes,
      createdAt: now,
      expiresAt: new Date(now.getTime() + quoteForMs),
    };
  }

  return {
    async createQuote(request, call) {
      const idempotencyKey = idempotencyKeyFromWire(request.idempotencyKey);
      const question = quoteQuestionFromWire(request);
      const tenant = store.forTenant(call.tenantId);
      const customer = await customerOf(request.senderCustomerCode, call);
      const originCountry = question.originCountry || customer.country;
      if (originCountry === "") throw invalidInput("originCountry", "is required where no sender is named");
      const make = () => newQuote({ ...question, originCountry }, customer, call);
      if (idempotencyKey === "") {
        const quote = await make();
        await tenant.insertQuote(quote);
        return { quote: quoteToWire(quote, clock.now()) };
      }
      return runOnce({
        operation: "create-quote",
        request: { ...request, idempotencyKey },
        requestType: CreateQuoteRequest,
        response: CreateQuoteResponse,
        call,
        prepare: make,
        async work(session, quote) {
          await tenant.insertQuote(quote, session);
          return { quote: quoteToWire(quote, clock.now()) };
        },
      });
    },

    async getQuote(request, call) {
      const quoteId = idFromWire(request.quoteId, "quoteId");
      const { userId, customerId = "" } = requireUser(call);
      const quote = await store.forTenant(call.tenantId).findQuote(quoteId);
      if (quote === undefined) throw new Refusal("QUOTE_NOT_FOUND", "no such quote");
      if (quote.createdBy !== userId && !isFor(quote, { customerId, userId })) {
        throw new Refusal("FORBIDDEN", "the quote is somebody else's");
      }
      return { quote: quoteToWire(quote, clock.now()) };
    },
  } satisfies Partial<Handlers<RemittanceServiceDefinition>>;
}
