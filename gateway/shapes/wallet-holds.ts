import { z } from "zod";
import * as wire from "../../proto/gen/wallet/v1/holds.js";
import { shape } from "../codec.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";
import { decimalText, instant, shown } from "../schema.js";
import { moneyText } from "../wire.js";

export const Hold = shape(
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

export const ExchangeQuote = shape(
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

export const Exchange = shape(
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
