import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import type { ExchangeQuote } from "../domain/exchange.js";
import type { Session } from "./collections.js";

export function quoteStore(quotes: RecordCollection<ExchangeQuote, "quoteId">) {
  return {
    insertQuote: (exchangeQuote: ExchangeQuote, session: Session): Promise<void> =>
      quotes.insertOne(exchangeQuote, { session }),
    findQuote: (quoteId: string): Promise<ExchangeQuote | undefined> => quotes.findOne({ _id: quoteId }),
    /** True for the one exchange that has it. */
    async useQuote(quoteId: string, now: Date, session: Session): Promise<boolean> {
      const open = { _id: quoteId, status: "OPEN" as const, expiresAt: { $gt: now } };
      return (await quotes.updateOne(open, { $set: { status: "USED" } }, { session })).matchedCount === 1;
    },
  };
}
