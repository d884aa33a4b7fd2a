import { z } from "zod";
import * as wire from "../../proto/gen/remittance/v1/remittance.js";
import { deliveryMethod, PricedFee } from "../../services/platform/events/shapes/transaction-shape.js";
import { shape } from "../codec.js";
import { countryIn, currencyCode, instant, maybe, moneyTextOrNumberIn, text, shown } from "../schema.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

export const QuoteRequest = z
  .object({
    amount: maybe(moneyTextOrNumberIn).meta({ description: "Receiving amount." }),
    sendAmount: maybe(moneyTextOrNumberIn).meta({ description: "Sending amount; governs when both are given." }),
    inclussive: maybe(z.boolean()).meta({ description: "True when fees are inside the sending amount." }),
    sendCurrency: maybe(currencyCode),
    receivingCurrency: maybe(currencyCode),
    originCountry: maybe(countryIn).meta({ description: "The sender's country when absent." }),
    receivingCountry: countryIn,
    type: deliveryMethod,
    chargeCategory: maybe(text(40)).meta({ description: "STANDARD when absent." }),
    promoCode: maybe(text(32)),
    preExistingSenderCustomerCode: maybe(text(128)).meta({ description: "Whom a cashier asks for." }),
  })
  .meta({
    id: "QuoteRequest",
    description: "amount or sendAmount is required; sendAmount governs when both are given.",
    anyOf: [{ required: ["amount"] }, { required: ["sendAmount"] }],
  });

const inSendCurrency = <Field extends string>(field: Field) => ({ field, currency: "principal.currency" }) as const;

export const Quote = shape(
  wire.Quote,
  z
    .object({
      id: shown(z.string(), "0199d0c2-0000-7000-8000-000004ac4e5c").meta({
        description: "dynamicFields.quoteId of the transaction that takes this price.",
      }),
      status: z.string().meta({ examples: ["OPEN"], description: "OPEN, USED or EXPIRED." }),
      customerId: leaf.customerId.optional(),
      principalAmount: leaf.sendAmount.meta({ description: "What is exchanged, in sendCurrency." }),
      sendCurrency: z.string(),
      amount: leaf.receiveAmount.meta({ description: "What the recipient gets." }),
      receivingCurrency: leaf.receivingCurrency,
      inclussive: leaf.no,
      originCountry: leaf.originCountry,
      receivingCountry: z.string(),
      type: deliveryMethod,
      chargeCategory: leaf.chargeCategory,
      promoCode: shown(z.string(), "WELCOME").optional(),
      middleRate: leaf.exchangeRate,
      markup: z
        .object({ tenantBps: leaf.rateBps, agentBps: shown(z.int(), 0), promotionBps: shown(z.int(), 0) })
        .meta({ description: "Basis points off the middle rate; promotionBps is given back." }),
      exchangeRate: leaf.exchangeRate,
      fees: z.array(PricedFee),
      totalFees: leaf.fee,
      totalTaxes: leaf.tax,
      totalAmount: leaf.totalAmount.meta({ description: "What the sender pays, in sendCurrency." }),
      deliveryEstimateMinutes: leaf.deliveryEstimateMinutes.meta({ description: "From the payment to the recipient." }),
      createdAt: instant,
      expiresAt: instant,
      transactionId: leaf.transactionId.optional().meta({ description: "The transaction that used it." }),
    })
    .meta({ id: "Quote" }),
  {
    id: "quoteId",
    principalAmount: "principal",
    sendCurrency: "principal.currency",
    amount: "receiveAmount",
    receivingCurrency: "receiveAmount.currency",
    inclussive: "inclusive",
    totalFees: inSendCurrency("totalFees"),
    totalTaxes: inSendCurrency("totalTaxes"),
    totalAmount: inSendCurrency("totalAmount"),
    deliveryEstimateMinutes: "deliveryMinutes",
  },
);
