import type { TenantCollection } from "../../kernel/mongo/tenant-collection.js";
import type { Payoff, PayoffQuote } from "../domain/payoff.js";
import { entities, type EntityRow, type Session } from "./rows.js";

export type PayoffRow = EntityRow<Payoff>;
export type QuoteRow = EntityRow<PayoffQuote>;

export function createPayoffStore(payoffs: TenantCollection<PayoffRow>, quotes: TenantCollection<QuoteRow>) {
  const ofPayoffs = entities<Payoff>(payoffs);
  const ofQuotes = entities<PayoffQuote>(quotes);
  return {
    insertPayoff: (payoff: Payoff, session: Session) => ofPayoffs.insert(payoff.payoffId, payoff, session),
    findPayoff: (payoffId: string, session?: Session) => ofPayoffs.one({ _id: payoffId }, session),
    /** True when it was PENDING. */
    endPayoff: (payoff: Payoff, session: Session) =>
      ofPayoffs.replaceIf({ _id: payoff.payoffId, status: "PENDING" }, payoff, session),
    /** Whether a card is being charged at that acquirer. */
    async isChargingAt(installationId: string): Promise<boolean> {
      const filter = { "partner.installationId": installationId, status: "PENDING" as const };
      return (await payoffs.findOne(filter as never)) !== null;
    },
    /** The newest that waits for such a bank credit: an older one is good for no longer. */
    async findPayoffMatch(reference: string, amountMinor: bigint, currency: string, session?: Session) {
      const waiting = { status: "PENDING" as const, method: "BANK_TRANSFER" as const, matchReference: reference };
      const [newest] = await ofPayoffs.list(
        { ...waiting, amountMinor, currency },
        { sort: { _id: -1 }, limit: 1, session },
      );
      return newest;
    },
    insertQuote: (quote: PayoffQuote, session: Session) => ofQuotes.insert(quote.quoteId, quote, session),
    /** The newest quote of a loan that is still good. */
    async findQuote(accountId: string, now: Date, loanVersion: number): Promise<PayoffQuote | undefined> {
      const good = { accountId, eventCount: loanVersion, validUntil: { $gt: now } };
      return (await ofQuotes.list(good, { sort: { _id: -1 }, limit: 1 }))[0];
    },
  };
}
