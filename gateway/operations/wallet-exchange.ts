import { z } from "zod";
import { operation } from "../operation.js";
import { moneyTextOrNumberIn } from "../schema.js";
import { Exchange, ExchangeQuote } from "../shapes/wallet-holds.js";
import { idIn } from "./cursor-pages.js";
import { paymentsBase } from "./wallet-accounts.js";

/** Ours */
export const quoteExchange = operation({
  method: "post",
  path: `${paymentsBase}/exchange-quotes`,
  operationId: "quoteExchange",
  tag: "Payments",
  summary: "Ask what one's money gives in another of one's wallets; the rate holds for a minute",
  access: ["CUSTOMER"],
  scopes: ["exchanges:make"],
  sdk: { answer: "exchange" },
  headers: { idempotencyKey: "required" },
  body: z
    .object({ fromAccountId: idIn, toAccountId: idIn, amount: moneyTextOrNumberIn })
    .meta({ id: "ExchangeQuoteRequest" }),
  answer: ExchangeQuote,
  message: "Quote",
  example: {
    as: "amina@demo.example",
    headers: { "x-idempotency-key": "quote-1" },
    body: { fromAccountId: "the-dollar-account", toAccountId: "the-naira-account", amount: "10.00" },
    from: {
      "body.fromAccountId": "listWalletAccounts data.4.accountId",
      "body.toAccountId": "listWalletAccounts data.3.accountId",
    },
  },
  rpc: "wallet.quoteExchange",
  gives: "quote",
});

/** Ours */
export const executeExchange = operation({
  method: "post",
  path: `${paymentsBase}/exchange-quotes/:quoteId/execute`,
  operationId: "executeExchange",
  tag: "Payments",
  summary: "Exchange at a quote, which is good for once",
  access: ["CUSTOMER"],
  scopes: ["exchanges:make"],
  sdk: { answer: "executed" },
  headers: { idempotencyKey: "required" },
  params: z.object({ quoteId: idIn }),
  answer: Exchange,
  message: "Exchanged",
  example: {
    as: "amina@demo.example",
    headers: { "x-idempotency-key": "exchange-1" },
    params: { quoteId: "the-quote" },
    from: { "params.quoteId": "quoteExchange data.quoteId" },
  },
  rpc: "wallet.executeExchange",
});
