import { formatMoney, parseMoney, type Money } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import type { CorridorKey, DeliveryMethod, PayeeCheckTime } from "./corridor.js";
import type { OfferTerms } from "./offers.js";
import type { Price } from "./pricing.js";

/** A price that is kept for a while, for one transaction. */
export interface Quote extends CorridorKey {
  quoteId: string;
  /** Whom it is for; empty where its cashier named nobody. */
  customerId: string;
  createdBy: string;
  deliveryMethod: DeliveryMethod;
  /**
   * The send amount that was asked, which at the end of a fee's tier may be above the total; absent
   * where the receive amount governed.
   */
  asked?: Money;
  price: Price;
  rateId: string;
  corridorVersion: number;
  /** The corridor's setting for this way of delivery, kept with the price; OFF where absent. */
  payeeCheck?: PayeeCheckTime;
  terms: OfferTerms;
  deliveryMinutes: number;
  createdAt: Date;
  expiresAt: Date;
  /** The transaction that used it. */
  transactionId?: string;
}

/**
 * What an order says again of what its quote fixed. Amounts are decimal text, empty where they are
 * not said.
 */
export interface QuotedOrder extends CorridorKey {
  deliveryMethod: DeliveryMethod;
  sendAmount: string;
  amount: string;
  /** Absent where it is not said. */
  inclusive?: boolean;
}

/**
 * Whether somebody may see and use it: whom it is for, or, where it is for nobody by name, who
 * asked for it.
 */
export function isFor({ customerId, createdBy }: Quote, who: { customerId: string; userId: string }): boolean {
  return customerId === "" ? createdBy === who.userId : customerId === who.customerId;
}

/** Refuses QUOTE_MISMATCH naming what the order says otherwise than its quote. */
export function assertMatches(quote: Quote, order: QuotedOrder): void {
  const keys = ["originCountry", "receivingCountry", "sendCurrency", "receivingCurrency"] as const;
  for (const key of keys) {
    if (order[key] !== "" && order[key] !== quote[key]) throw mismatch(key, quote[key]);
  }
  if (order.deliveryMethod !== quote.deliveryMethod) throw mismatch("type", quote.deliveryMethod);
  const { price, asked } = quote;
  if (order.inclusive !== undefined && order.inclusive !== price.inclusive) {
    throw mismatch("inclusive", String(price.inclusive));
  }
  const sent = price.inclusive ? price.total : price.principal;
  if (order.sendAmount !== "") {
    const { minor } = parseMoney(order.sendAmount, quote.sendCurrency, "sendAmount");
    if (minor !== sent.minor && minor !== asked?.minor) throw mismatch("sendAmount", formatMoney(sent));
  }
  if (order.amount !== "") {
    const { minor } = parseMoney(order.amount, quote.receivingCurrency, "amount");
    const difference = minor - price.receive.minor;
    if (difference > 1n || difference < -1n) throw mismatch("amount", formatMoney(price.receive));
  }
}

function mismatch(path: string, quoted: string): Refusal {
  const message = `the quote says ${quoted}`;
  return new Refusal("QUOTE_MISMATCH", `${path}: ${message}`, { errors: [{ path, message }] });
}
