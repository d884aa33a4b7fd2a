import type { Money } from "../../kernel/money.js";
import type { OwnAccount } from "./movement.js";
import { ownAccount } from "./payable.js";
import type { PlannedTransfer } from "./transfers.js";

/** One currency of a customer's into another at a rate that holds for a short time, once. */
export interface ExchangeQuote {
  readonly quoteId: string;
  readonly customerId: string;
  readonly fromAccountId: string;
  readonly toAccountId: string;
  readonly from: Money;
  readonly to: Money;
  /** Decimal text: one of `from` gives so many of `to`. */
  readonly rate: string;
  readonly status: "OPEN" | "USED";
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

const positionCode = "wallet_exchange_position";

/**
 * Through one position account per currency: wallet → position, position → wallet, together or not
 * at all.
 */
export function transfersOfExchange(quote: ExchangeQuote): PlannedTransfer[] {
  const { quoteId, from, to, rate } = quote;
  const description = `Exchange ${from.currency}/${to.currency} at ${rate}`;
  const common = { kind: "exchange", description };
  return [
    {
      ...common,
      key: `exchange:${quoteId}:from`,
      debitAccountId: quote.fromAccountId,
      creditAccountId: `${positionCode}:${from.currency}`,
      amount: from,
    },
    {
      ...common,
      key: `exchange:${quoteId}:to`,
      debitAccountId: `${positionCode}:${to.currency}`,
      creditAccountId: quote.toAccountId,
      amount: to,
    },
  ];
}

export function exchangeAccounts({ from, to }: ExchangeQuote): OwnAccount[] {
  return [from, to].map(({ currency }) => ownAccount(positionCode, currency, "Exchanges between wallets"));
}
