import { Refusal } from "../../kernel/refusal.js";
import type { Quote } from "./quote.js";

/** How long a quote holds, unless the operator says otherwise (QUOTE_HOLDS_S). */
export const quoteHoldsForMs = 15 * 60_000;

export type QuoteStatus = "OPEN" | "USED" | "EXPIRED";

export function quoteStatusOf({ transactionId, expiresAt }: Quote, now: Date): QuoteStatus {
  if (transactionId !== undefined) return "USED";
  return now < expiresAt ? "OPEN" : "EXPIRED";
}

/** Refuses QUOTE_USED, QUOTE_EXPIRED. */
export function assertOpen(quote: Quote, now: Date): void {
  switch (quoteStatusOf(quote, now)) {
    case "USED":
      throw quoteUsed();
    case "EXPIRED":
      throw new Refusal("QUOTE_EXPIRED", `the quote held until ${quote.expiresAt.toISOString()}`);
    case "OPEN":
  }
}

export function quoteUsed(): Refusal {
  return new Refusal("QUOTE_USED", "the quote was used for another transaction");
}
