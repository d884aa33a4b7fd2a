import type { Payoff, PayoffQuote } from "../domain/payoff.js";
import { replaceIf, under, type Entities, type Session } from "./rows.js";

export function createPayoffStore(payoffs: Entities<Payoff>, quotes: Entities<PayoffQuote>) {
  return {
    insertPayoff: (payoff: Payoff, session: Session) => payoffs.insertOne(under(payoff.payoffId, payoff), { session }),
    findPayoff: (payoffId: string, session?: Session) => payoffs.findOne({ _id: payoffId }, { session }),
    /** True when it was PENDING. */
    endPayoff: (payoff: Payoff, session: Session) =>
      replaceIf(payoffs, { _id: payoff.payoffId, status: "PENDING" }, payoff, session),
    /** Whether a card is being charged at that acquirer. */
    async isChargingAt(installationId: string): Promise<boolean> {
      const filter = { "partner.installationId": installationId, status: "PENDING" as const };
      return (await payoffs.findOne(filter as never)) !== undefined;
    },
    /** The newest that waits for such a bank credit: an older one is good for no longer. */
    async findPayoffMatch(reference: string, amountMinor: bigint, currency: string, session?: Session) {
      const waiting = { status: "PENDING" as const, method: "BANK_TRANSFER" as const, matchReference: reference };
      const [newest] = await payoffs.find(
        { ...waiting, amountMinor, currency },
        { sort: { _id: -1 }, limit: 1, session },
      );
      return newest;
    },
    insertQuote: (quote: PayoffQuote, session: Session) => quotes.insertOne(under(quote.quoteId, quote), { session }),
    /** The newest quote of a loan that is still good. */
    async findQuote(accountId: string, now: Date, loanVersion: number): Promise<PayoffQuote | undefined> {
      const good = { accountId, eventCount: loanVersion, validUntil: { $gt: now } };
      return (await quotes.find(good, { sort: { _id: -1 }, limit: 1 }))[0];
    },
  };
}
