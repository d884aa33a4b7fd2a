import type { ExchangeQuote } from "../domain/exchange.js";
import type { Collection, Session } from "./collections.js";

export type QuoteRow = Omit<ExchangeQuote, "quoteId"> & { _id: string; tenantId: string };

export function quoteStore(quotes: Collection<QuoteRow>) {
  return {
    async insertQuote({ quoteId, ...rest }: ExchangeQuote, session: Session): Promise<void> {
      await quotes.insertOne({ _id: quoteId, ...rest }, { session });
    },
    async findQuote(quoteId: string): Promise<ExchangeQuote | undefined> {
      const row = await quotes.findOne({ _id: quoteId });
      if (row === null) return undefined;
      const { _id, tenantId: _tenantId, ...rest } = row;
      return { quoteId: _id, ...rest };
    },
    /** True for the one exchange that has it. */
    async useQuote(quoteId: string, now: Date, session: Session): Promise<boolean> {
      const open = { _id: quoteId, status: "OPEN" as const, expiresAt: { $gt: now } };
      return (await quotes.updateOne(open, { $set: { status: "USED" } }, { session })).matchedCount === 1;
    },
  };
}
