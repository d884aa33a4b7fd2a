import { z } from "zod";
import { operation } from "../operation.js";
import { maybe, moneyTextOrNumberIn, text, wholeNumberIn, idIn, decimalText, instant, shown } from "../schema.js";
import { paymentsBase } from "./wallet-accounts.js";
import * as wire from "../../proto/gen/wallet/v1/holds.js";
import { shape, moneyText } from "../codec.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const Hold = shape(
  wire.Hold,
  z
    .object({
      holdId: z.string(),
      accountId: leaf.accountId,
      payeeAccountId: z.string(),
      amount: decimalText,
      currency: z.string(),
      status: shown(z.string(), "HELD").meta({
        description: "HELD, CONFIRMED, RELEASED, EXPIRED or FAILED; on its way HOLDING, CONFIRMING or RELEASING.",
      }),
      confirmedAmount: decimalText.optional(),
      description: leaf.description.optional(),
      createdAt: instant,
      expiresAt: instant,
    })
    .meta({ id: "Hold" }),
  {
    currency: "amount.currency",
    confirmedAmount: ({ status, confirmedMinor, amount }) =>
      status === "CONFIRMED"
        ? moneyText({ amountMinor: confirmedMinor, currency: amount?.currency ?? "" }, "")
        : undefined,
  },
);

const ExchangeQuote = shape(
  wire.ExchangeQuote,
  z
    .object({
      quoteId: z.string(),
      fromAccountId: z.string(),
      toAccountId: z.string(),
      fromAmount: leaf.sendAmount,
      fromCurrency: z.string(),
      toAmount: leaf.receiveAmount,
      toCurrency: leaf.receivingCurrency,
      rate: leaf.exchangeRate.meta({ description: "One of fromCurrency gives so many of toCurrency." }),
      expiresAt: instant,
      status: shown(z.string(), "OPEN").meta({ description: "OPEN, USED or EXPIRED." }),
    })
    .meta({ id: "ExchangeQuote" }),
  {
    fromAmount: "from",
    fromCurrency: "from.currency",
    toAmount: "to",
    toCurrency: "to.currency",
  },
);

const Exchange = shape(
  wire.ExecuteExchangeResponse,
  z
    .object({
      quote: ExchangeQuote,
      newFromBalance: shown(decimalText, "4980.00"),
      newToBalance: leaf.receiveAmount,
      postedAt: instant,
    })
    .meta({ id: "Exchange" }),
  {
    newFromBalance: { minor: "newFromBalanceMinor", currency: "quote.from.currency" },
    newToBalance: { minor: "newToBalanceMinor", currency: "quote.to.currency" },
  },
);

const holdPath = z.object({ holdId: idIn });
const own = { "body.accountId": "listWalletAccounts data.4.accountId" };

export const createHold = operation({
  method: "post",
  path: `${paymentsBase}/holds`,
  tag: "Payments",
  summary: "Reserve money of one's wallet for another wallet",
  access: ["CUSTOMER"],
  scopes: ["payments:make"],
  headers: { idempotencyKey: "required" },
  body: z
    .object({
      accountId: idIn,
      payeeAccountId: idIn,
      amount: moneyTextOrNumberIn,
      description: maybe(text(140, 0)),
      expiresInSeconds: maybe(wholeNumberIn(60, 2_592_000)),
      password: maybe(text(1024, 0)),
      otp: maybe(text(64, 0)),
      pin: maybe(text(64, 0)),
    })
    .meta({ id: "CreateHoldRequest" }),
  answer: Hold,
  message: "Money held",
  example: {
    as: "amina@demo.example",
    headers: { "x-idempotency-key": "hold-1" },
    body: {
      accountId: "the-account",
      payeeAccountId: "no-such-account",
      amount: "40.00",
      password: "Demo-Amina-1",
    },
    from: own,
    answers: 404,
  },
  renames: { expiresInS: "expiresInSeconds" },
  rpc: "wallet.createHold",
  fields: { expiresInSeconds: "expiresInS" },
});

export const confirmHold = operation({
  method: "post",
  path: `${paymentsBase}/holds/:holdId/confirm`,
  tag: "Payments",
  summary: "Take all or a part of what is held for one; the rest is free again",
  access: ["CUSTOMER", "MANAGER"],
  scopes: ["payments:request"],
  headers: { idempotencyKey: "required" },
  params: holdPath,
  body: z
    .object({ amount: maybe(moneyTextOrNumberIn).meta({ description: "All of it when absent." }) })
    .meta({ id: "ConfirmHoldRequest" }),
  answer: Hold,
  message: "Hold confirmed",
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "confirm-1" },
    params: { holdId: "no-such-hold" },
    body: { amount: "25.00" },
    answers: 404,
  },
  rpc: "wallet.confirmHold",
});

export const releaseHold = operation({
  method: "post",
  path: `${paymentsBase}/holds/:holdId/release`,
  tag: "Payments",
  summary: "Free what is held for one",
  access: ["CUSTOMER", "MANAGER"],
  scopes: ["payments:request"],
  headers: { idempotencyKey: "required" },
  params: holdPath,
  answer: Hold,
  message: "Hold released",
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "release-1" },
    params: { holdId: "no-such-hold" },
    answers: 404,
  },
  rpc: "wallet.releaseHold",
});

export const readHold = operation({
  method: "get",
  path: `${paymentsBase}/holds/:holdId`,
  tag: "Payments",
  summary: "Read a hold",
  access: ["CUSTOMER", "MANAGER"],
  scopes: ["payments:make", "payments:request"],
  params: holdPath,
  answer: Hold,
  message: "Hold",
  example: { as: "manager@demo.example", params: { holdId: "no-such-hold" }, answers: 404 },
  rpc: "wallet.getHold",
});

export const quoteExchange = operation({
  method: "post",
  path: `${paymentsBase}/exchange-quotes`,
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
});

export const executeExchange = operation({
  method: "post",
  path: `${paymentsBase}/exchange-quotes/:quoteId/execute`,
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
