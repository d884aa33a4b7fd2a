import { z } from "zod";
import type { Quote as WireQuote } from "../../proto/gen/remittance/v1/remittance.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import type { Role } from "../../services/kernel/grpc/context.js";
import { invalidInput } from "../../services/kernel/refusal.js";
import { route } from "../route.js";
import { countryIn, currencyCode, decimalText, instant, maybe, moneyTextOrNumberIn, text } from "../schema.js";
import { absentIfEmpty, enumName, filled, moneyText, timeText } from "../wire.js";
import { v6 } from "./base.js";
import { deliveryMethods, feeFromWire, PricedFee } from "../../services/platform/events/shapes/transaction-shape.js";

const base = `${v6}/transactionmanagement/quotes`;
const quotingRoles: readonly Role[] = ["CASHIER", "CUSTOMER"];

const QuoteRequest = z
  .object({
    amount: maybe(moneyTextOrNumberIn).meta({ description: "Receiving amount." }),
    sendAmount: maybe(moneyTextOrNumberIn).meta({ description: "Sending amount; governs when both are given." }),
    inclussive: maybe(z.boolean()).meta({ description: "True when fees are inside the sending amount." }),
    sendCurrency: maybe(currencyCode),
    receivingCurrency: maybe(currencyCode),
    originCountry: maybe(countryIn).meta({ description: "The sender's country when absent." }),
    receivingCountry: countryIn,
    type: z.enum(deliveryMethods),
    chargeCategory: maybe(text(40)).meta({ description: "STANDARD when absent." }),
    promoCode: maybe(text(32)),
    preExistingSenderCustomerCode: maybe(text(128)).meta({ description: "Whom a cashier asks for." }),
  })
  .meta({
    id: "QuoteRequest",
    description: "amount or sendAmount is required; sendAmount governs when both are given.",
    anyOf: [{ required: ["amount"] }, { required: ["sendAmount"] }],
  });

const Quote = z
  .object({
    id: z.string().meta({ description: "dynamicFields.quoteId of the transaction that takes this price." }),
    status: z.string().meta({ examples: ["OPEN"], description: "OPEN, USED or EXPIRED." }),
    customerId: z.string().optional(),
    principalAmount: decimalText.meta({ description: "What is exchanged, in sendCurrency." }),
    sendCurrency: z.string(),
    amount: decimalText.meta({ description: "What the recipient gets." }),
    receivingCurrency: z.string(),
    inclussive: z.boolean(),
    originCountry: z.string(),
    receivingCountry: z.string(),
    type: z.enum(deliveryMethods),
    chargeCategory: z.string(),
    promoCode: z.string().optional(),
    middleRate: decimalText,
    markup: z
      .object({ tenantBps: z.int(), agentBps: z.int(), promotionBps: z.int() })
      .meta({ description: "Basis points off the middle rate; promotionBps is given back." }),
    exchangeRate: decimalText,
    fees: z.array(PricedFee),
    totalFees: decimalText,
    totalTaxes: decimalText,
    totalAmount: decimalText.meta({ description: "What the sender pays, in sendCurrency." }),
    deliveryEstimateMinutes: z.int().meta({ description: "From the payment to the recipient." }),
    createdAt: instant,
    expiresAt: instant,
    transactionId: z.string().optional().meta({ description: "The transaction that used it." }),
  })
  .meta({ id: "Quote" });

/** Ours: a price that is kept for a while, for one transaction. */
export const createQuote = route({
  method: "post",
  path: base,
  operationId: "createQuote",
  tag: "Quotes",
  summary: "Price a transfer from either side and keep that price for one transaction",
  access: quotingRoles,
  scopes: ["quotes:request", "transactions:create"],
  sdk: { isKeyed: true },
  headers: { idempotencyKey: "optional" },
  body: QuoteRequest,
  answer: Quote,
  message: "Quote",
  example: {
    as: "amina@demo.example",
    body: {
      sendAmount: "20.00",
      sendCurrency: "USD",
      receivingCurrency: "NGN",
      receivingCountry: "NGA",
      type: "ACCOUNTPAYMENT",
    },
  },
  renames: {
    inclusive: "inclussive",
    idempotencyKey: "headers.x-idempotency-key",
    senderCustomerCode: "preExistingSenderCustomerCode",
    receiveAmount: "amount",
  },
  run: async ({ body, headers, call, clients }) => {
    if (body.amount === undefined && body.sendAmount === undefined) {
      throw invalidInput("amount", "or sendAmount is required");
    }
    const { quote } = await clients.remittance.createQuote(
      {
        idempotencyKey: headers["x-idempotency-key"] ?? "",
        sendAmount: body.sendAmount ?? "",
        receiveAmount: body.amount ?? "",
        inclusive: body.inclussive ?? false,
        sendCurrency: body.sendCurrency ?? "",
        receivingCurrency: body.receivingCurrency ?? "",
        originCountry: body.originCountry ?? "",
        receivingCountry: body.receivingCountry,
        type: `DELIVERY_METHOD_${body.type}`,
        chargeCategory: body.chargeCategory ?? "",
        promoCode: body.promoCode ?? "",
        senderCustomerCode: body.preExistingSenderCustomerCode ?? "",
      },
      outgoing(call, { onReplayed: call.markReplayed }),
    );
    return quoteFromWire(filled(quote, "quote"));
  },
});

/** Ours: for whom it is for, and for who asked for it. */
export const readQuote = route({
  method: "get",
  path: `${base}/:quoteId`,
  operationId: "readQuote",
  tag: "Quotes",
  summary: "Read a quote",
  access: quotingRoles,
  scopes: ["quotes:request", "transactions:create"],
  params: z.object({ quoteId: z.string().regex(/^[\w.:-]{1,128}$/, "is not an id") }),
  answer: Quote,
  message: "Quote",
  example: {
    as: "amina@demo.example",
    params: { quoteId: "the-id-of-a-quote" },
    from: { "params.quoteId": "createQuote data.id" },
  },
  run: async ({ params, call, clients }) =>
    quoteFromWire(filled((await clients.remittance.getQuote(params, outgoing(call))).quote, "quote")),
});

function quoteFromWire(quote: WireQuote): z.output<typeof Quote> {
  const principal = filled(quote.principal, "principal");
  const receive = filled(quote.receiveAmount, "receive_amount");
  return {
    id: quote.quoteId,
    status: quote.status,
    customerId: absentIfEmpty(quote.customerId),
    principalAmount: moneyText(principal, "principal"),
    sendCurrency: principal.currency,
    amount: moneyText(receive, "receive_amount"),
    receivingCurrency: receive.currency,
    inclussive: quote.inclusive,
    originCountry: quote.originCountry,
    receivingCountry: quote.receivingCountry,
    type: enumName(quote.type, "DELIVERY_METHOD_") as (typeof deliveryMethods)[number],
    chargeCategory: quote.chargeCategory,
    promoCode: absentIfEmpty(quote.promoCode),
    middleRate: quote.middleRate,
    markup: filled(quote.markup, "markup"),
    exchangeRate: quote.exchangeRate,
    fees: quote.fees.map(feeFromWire),
    totalFees: moneyText(quote.totalFees, "total_fees"),
    totalTaxes: moneyText(quote.totalTaxes, "total_taxes"),
    totalAmount: moneyText(quote.totalAmount, "total_amount"),
    deliveryEstimateMinutes: quote.deliveryMinutes,
    createdAt: timeText(quote.createdAt, "created_at"),
    expiresAt: timeText(quote.expiresAt, "expires_at"),
    transactionId: absentIfEmpty(quote.transactionId),
  };
}
