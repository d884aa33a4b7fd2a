import { z } from "zod";
import type { ExchangeQuote as WireQuote } from "../../proto/gen/wallet/v1/holds.js";
import { route } from "../route.js";
import { decimalText, instant, moneyTextOrNumberIn, shown } from "../schema.js";
import { filled, moneyOf, moneyText, timeText } from "../wire.js";
import { idIn } from "./cursor-pages.js";
import { keyOf, replaying } from "./keyed-call.js";
import { paymentsBase } from "./wallet-accounts.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const ExchangeQuote = z
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
  .meta({ id: "ExchangeQuote" });

/** Ours */
export const quoteExchange = route({
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
  run: async ({ body, headers, call, clients }) => {
    const { quote } = await clients.wallet.quoteExchange({ ...keyOf(headers), ...body }, replaying(call));
    return quoteFromWire(filled(quote, "quote"));
  },
});

/** Ours */
export const executeExchange = route({
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
  answer: z
    .object({
      quote: ExchangeQuote,
      newFromBalance: shown(decimalText, "4980.00"),
      newToBalance: leaf.receiveAmount,
      postedAt: instant,
    })
    .meta({ id: "Exchange" }),
  message: "Exchanged",
  example: {
    as: "amina@demo.example",
    headers: { "x-idempotency-key": "exchange-1" },
    params: { quoteId: "the-quote" },
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
