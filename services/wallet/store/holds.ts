import type { ExchangeQuote } from "../domain/exchange.js";
import type { Hold, HoldStatus } from "../domain/hold.js";
import type { Collection, Session } from "./index.js";

export type HoldRow = Omit<Hold, "holdId"> & { _id: string; tenantId: string };
export type QuoteRow = Omit<ExchangeQuote, "quoteId"> & { _id: string; tenantId: string };

export function holdStore(holds: Collection<HoldRow>, quotes: Collection<QuoteRow>) {
  return {
    async insertHold({ holdId, ...rest }: Hold, session: Session): Promise<void> {
      await holds.insertOne({ _id: holdId, ...rest }, { session });
    },
    async findHold(holdId: string): Promise<Hold | undefined> {
      const row = await holds.findOne({ _id: holdId });
      if (row === null) return undefined;
      const { _id, tenantId: _tenantId, ...rest } = row;
      return { holdId: _id, ...rest };
    },
    /** True when this call moved it on; `openAt` also demands that its time is not over then. */
    async moveHold(
      holdId: string,
      from: HoldStatus,
      to: HoldStatus,
      session: Session,
      { openAt, confirmedMinor }: { openAt?: Date; confirmedMinor?: bigint } = {},
    ): Promise<boolean> {
      const filter = { _id: holdId, status: from, ...(openAt === undefined ? {} : { expiresAt: { $gt: openAt } }) };
      const change = { $set: { status: to, ...(confirmedMinor === undefined ? {} : { confirmedMinor }) } };
      return (await holds.updateOne(filter, change, { session })).matchedCount === 1;
    },

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
