import { z } from "zod";
import type { Role } from "../../services/kernel/grpc/context.js";
import { operation } from "../operation.js";
import { v6 } from "./base.js";
import { Quote, QuoteRequest } from "../shapes/quotes.js";
import { assertAmount } from "../shapes/transactions.js";

const base = `${v6}/transactionmanagement/quotes`;
const quotingRoles: readonly Role[] = ["CASHIER", "CUSTOMER"];

/** Ours: a price that is kept for a while, for one transaction. */
export const createQuote = operation({
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
  rpc: "remittance.createQuote",
  fields: {
    amount: "receiveAmount",
    inclussive: "inclusive",
    preExistingSenderCustomerCode: "senderCustomerCode",
  },
  asserts: assertAmount,
  gives: "quote",
});

/** Ours: for whom it is for, and for who asked for it. */
export const readQuote = operation({
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
  rpc: "remittance.getQuote",
  gives: "quote",
});
