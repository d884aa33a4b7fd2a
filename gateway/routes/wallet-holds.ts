import { z } from "zod";
import type { ExchangeQuote as WireQuote, Hold as WireHold } from "../../proto/gen/wallet/v1/holds.js";
import type { Refund as WireRefund } from "../../proto/gen/wallet/v1/refunds.js";
import { outgoing } from "../../services/shared/grpc/client.js";
import { route } from "../route.js";
import { decimalText, instant, maybe, moneyTextOrNumberIn, text, wholeNumberIn } from "../schema.js";
import { absentIfEmpty, filled, moneyOf, moneyText, timeText } from "../wire.js";
import { idIn, reasonIn } from "./compliance-pages.js";
import { keyOf, replaying } from "./payables.js";
import { paymentsBase } from "./wallet-accounts.js";

const Hold = z
  .object({
    holdId: z.string(),
    accountId: z.string(),
    payeeAccountId: z.string(),
    amount: decimalText,
    currency: z.string(),
    status: z.string().meta({
      description: "HELD, CONFIRMED, RELEASED, EXPIRED or FAILED; on its way HOLDING, CONFIRMING or RELEASING.",
    }),
    confirmedAmount: decimalText.optional(),
    description: z.string().optional(),
    createdAt: instant,
    expiresAt: instant,
  })
  .meta({ id: "Hold" });
const holdPath = z.object({ holdId: idIn });
const own = { "body.accountId": "listWalletAccounts data.4.accountId" };

/** Ours */
const createHold = route({
  method: "post",
  path: `${paymentsBase}/holds`,
  operationId: "createHold",
  tag: "Payments",
  summary: "Reserve money of one's wallet for another wallet",
  access: ["CUSTOMER"],
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
      accountId: "an accountId of one's own",
      payeeAccountId: "no-such-account",
      amount: "40.00",
      password: "Demo-Amina-1",
    },
    from: own,
    answers: 404,
  },
  renames: { expiresInS: "expiresInSeconds" },
  run: async ({ body, headers, call, clients }) => {
    const { accountId, payeeAccountId, amount, description = "", expiresInSeconds: expiresInS = 0 } = body;
    const { password = "", otp = "", pin = "" } = body;
    const asked = { accountId, payeeAccountId, amount, description, expiresInS, password, otp, pin };
    return holdOf(await clients.wallet.createHold({ ...keyOf(headers), ...asked }, replaying(call)));
  },
});

/** Ours */
const confirmHold = route({
  method: "post",
  path: `${paymentsBase}/holds/:holdId/confirm`,
  operationId: "confirmHold",
  tag: "Payments",
  summary: "Take all or a part of what is held for one; the rest is free again",
  access: ["CUSTOMER", "MANAGER"],
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
  run: async ({ params, body, headers, call, clients }) => {
    const request = { ...keyOf(headers), ...params, amount: body.amount ?? "" };
    return holdOf(await clients.wallet.confirmHold(request, replaying(call)));
  },
});

/** Ours */
const releaseHold = route({
  method: "post",
  path: `${paymentsBase}/holds/:holdId/release`,
  operationId: "releaseHold",
  tag: "Payments",
  summary: "Free what is held for one",
  access: ["CUSTOMER", "MANAGER"],
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
  run: async ({ params, headers, call, clients }) =>
    holdOf(await clients.wallet.releaseHold({ ...keyOf(headers), ...params }, replaying(call))),
});

/** Ours */
const readHold = route({
  method: "get",
  path: `${paymentsBase}/holds/:holdId`,
  operationId: "readHold",
  tag: "Payments",
  summary: "Read a hold",
  access: ["CUSTOMER", "MANAGER"],
  params: holdPath,
  answer: Hold,
  message: "Hold",
  example: { as: "manager@demo.example", params: { holdId: "no-such-hold" }, answers: 404 },
  run: async ({ params, call, clients }) => holdOf(await clients.wallet.getHold(params, outgoing(call))),
});

const ExchangeQuote = z
  .object({
    quoteId: z.string(),
    fromAccountId: z.string(),
    toAccountId: z.string(),
    fromAmount: decimalText,
    fromCurrency: z.string(),
    toAmount: decimalText,
    toCurrency: z.string(),
    rate: decimalText.meta({ description: "One of fromCurrency gives so many of toCurrency." }),
    expiresAt: instant,
    status: z.string().meta({ description: "OPEN, USED or EXPIRED." }),
  })
  .meta({ id: "ExchangeQuote" });

/** Ours */
const quoteExchange = route({
  method: "post",
  path: `${paymentsBase}/exchange-quotes`,
  operationId: "quoteExchange",
  tag: "Payments",
  summary: "Ask what one's money gives in another of one's wallets; the rate holds for a minute",
  access: ["CUSTOMER"],
  headers: { idempotencyKey: "required" },
  body: z
    .object({ fromAccountId: idIn, toAccountId: idIn, amount: moneyTextOrNumberIn })
    .meta({ id: "ExchangeQuoteRequest" }),
  answer: ExchangeQuote,
  message: "Quote",
  example: {
    as: "amina@demo.example",
    headers: { "x-idempotency-key": "quote-1" },
    body: { fromAccountId: "a USD accountId", toAccountId: "an NGN accountId", amount: "10.00" },
    from: {
      "body.fromAccountId": "listWalletAccounts data.4.accountId",
      "body.toAccountId": "listWalletAccounts data.3.accountId",
    },
  },
  run: async ({ body, headers, call, clients }) => {
    const { quote } = await clients.wallet.quoteExchange({ ...keyOf(headers), ...body }, replaying(call));
    return quoteFromWire(filled(quote, "quote"));
  },
});

/** Ours */
const executeExchange = route({
  method: "post",
  path: `${paymentsBase}/exchange-quotes/:quoteId/execute`,
  operationId: "executeExchange",
  tag: "Payments",
  summary: "Exchange at a quote, which is good for once",
  access: ["CUSTOMER"],
  headers: { idempotencyKey: "required" },
  params: z.object({ quoteId: idIn }),
  answer: z
    .object({ quote: ExchangeQuote, newFromBalance: decimalText, newToBalance: decimalText, postedAt: instant })
    .meta({ id: "Exchange" }),
  message: "Exchanged",
  example: {
    as: "amina@demo.example",
    headers: { "x-idempotency-key": "exchange-1" },
    params: { quoteId: "a quoteId" },
    from: { "params.quoteId": "quoteExchange data.quoteId" },
  },
  run: async ({ params, headers, call, clients }) => {
    const answer = await clients.wallet.executeExchange({ ...keyOf(headers), ...params }, replaying(call));
    const quote = quoteFromWire(filled(answer.quote, "quote"));
    const balance = (amountMinor: bigint, currency: string) => moneyText({ amountMinor, currency }, "");
    return {
      quote,
      newFromBalance: balance(answer.newFromBalanceMinor, quote.fromCurrency),
      newToBalance: balance(answer.newToBalanceMinor, quote.toCurrency),
      postedAt: timeText(answer.postedAt, "posted_at"),
    };
  },
});

const Refund = z
  .object({
    refundId: z.string(),
    paymentId: z.string(),
    amount: decimalText,
    currency: z.string(),
    status: z.string().meta({ description: "ASKED, POSTING, DONE, REFUSED or FAILED." }),
    reason: z.string(),
    approvalId: z.string().optional(),
    failure: z.string().optional(),
    createdAt: instant,
  })
  .meta({ id: "Refund" });

/** Ours */
const refundPayment = route({
  method: "post",
  path: `${paymentsBase}/payments/:paymentId/refund`,
  operationId: "refundPayment",
  tag: "Payments",
  summary:
    "Ask for a payment to be refunded, whole or in part; another manager approves it. Transactions are refunded themselves.",
  access: ["MANAGER", "CASHIER", "AGENT"],
  headers: { idempotencyKey: "required" },
  params: z.object({ paymentId: idIn }),
  body: z
    .object({
      amount: maybe(moneyTextOrNumberIn).meta({ description: "All that is left when absent." }),
      reason: reasonIn,
    })
    .meta({ id: "RefundPaymentRequest" }),
  answer: Refund,
  message: "Refund asked for",
  waits: true,
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "refund-1" },
    params: { paymentId: "no-such-payment" },
    body: { reason: "Sent back" },
    answers: 404,
  },
  run: async ({ params, body, headers, call, clients }) => {
    const request = { ...keyOf(headers), ...params, amount: body.amount ?? "", reason: body.reason };
    const refund = refundOf(await clients.wallet.refundPayment(request, replaying(call)));
    if (refund.status === "ASKED") call.markWaiting();
    return refund;
  },
});

/** Ours */
const readRefund = route({
  method: "get",
  path: `${paymentsBase}/refunds/:refundId`,
  operationId: "readRefund",
  tag: "Payments",
  summary: "Read a refund",
  access: ["MANAGER", "CASHIER", "AGENT"],
  params: z.object({ refundId: idIn }),
  answer: Refund,
  message: "Refund",
  example: { as: "manager@demo.example", params: { refundId: "no-such-refund" }, answers: 404 },
  run: async ({ params, call, clients }) => refundOf(await clients.wallet.getRefund(params, outgoing(call))),
});

function holdOf({ hold: wire }: { hold?: WireHold | undefined }): z.output<typeof Hold> {
  const hold = filled(wire, "hold");
  const { currency } = moneyOf(hold.amount, "hold.amount");
  const { status, confirmedMinor } = hold;
  return {
    holdId: hold.holdId,
    accountId: hold.accountId,
    payeeAccountId: hold.payeeAccountId,
    amount: moneyText(hold.amount, "hold.amount"),
    currency,
    status,
    confirmedAmount: status === "CONFIRMED" ? moneyText({ amountMinor: confirmedMinor, currency }, "") : undefined,
    description: absentIfEmpty(hold.description),
    createdAt: timeText(hold.createdAt, "hold.created_at"),
    expiresAt: timeText(hold.expiresAt, "hold.expires_at"),
  };
}

function quoteFromWire(quote: WireQuote): z.output<typeof ExchangeQuote> {
  return {
    quoteId: quote.quoteId,
    fromAccountId: quote.fromAccountId,
    toAccountId: quote.toAccountId,
    fromAmount: moneyText(quote.from, "quote.from"),
    fromCurrency: moneyOf(quote.from, "quote.from").currency,
    toAmount: moneyText(quote.to, "quote.to"),
    toCurrency: moneyOf(quote.to, "quote.to").currency,
    rate: quote.rate,
    expiresAt: timeText(quote.expiresAt, "quote.expires_at"),
    status: quote.status,
  };
}

function refundOf({ refund: wire }: { refund?: WireRefund | undefined }): z.output<typeof Refund> {
  const refund = filled(wire, "refund");
  return {
    refundId: refund.refundId,
    paymentId: refund.paymentId,
    amount: moneyText(refund.amount, "refund.amount"),
    currency: moneyOf(refund.amount, "refund.amount").currency,
    status: refund.status,
    reason: refund.reason,
    approvalId: absentIfEmpty(refund.approvalId),
    failure: absentIfEmpty(refund.failure),
    createdAt: timeText(refund.createdAt, "refund.created_at"),
  };
}

/** In the order in which the documentation shows them. */
export const walletHoldRoutes = [
  createHold,
  confirmHold,
  releaseHold,
  readHold,
  quoteExchange,
  executeExchange,
  refundPayment,
  readRefund,
];
