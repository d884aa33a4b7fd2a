import type { ExchangeQuote as WireQuote } from "../../../proto/gen/wallet/v1/holds.js";
import { moneyToWire } from "../../kernel/money.js";
import type { ExchangeQuote } from "../domain/exchange.js";

export function quoteToWire(quote: ExchangeQuote, now: Date): WireQuote {
  const { quoteId, fromAccountId, toAccountId, from, to, rate, expiresAt, status } = quote;
  return {
    quoteId,
    fromAccountId,
    toAccountId,
    from: moneyToWire(from),
    to: moneyToWire(to),
    rate,
    expiresAt,
    status: status === "OPEN" && expiresAt <= now ? "EXPIRED" : status,
  };
}
