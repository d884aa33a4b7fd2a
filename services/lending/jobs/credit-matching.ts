import { v7 as uuidv7 } from "uuid";
import type { BusinessTime } from "../../platform/preferences/business-clock.js";
import type { Clock } from "../../kernel/time/clock.js";
import type { UnmatchedCredit } from "../domain/credit.js";
import type { Loan } from "../domain/loan.js";
import type { Payoff } from "../domain/payoff.js";
import { payoffAt } from "../domain/payoff-figure.js";
import { collectedRepayment, comparableReference } from "../domain/repayment.js";
import type { LoanBook } from "../sagas/loan-book.js";
import type { PayoffSettlement } from "../sagas/payoff-settlement.js";
import type { VerificationDecision, Verification } from "../sagas/verification.js";
import type { LendingStore, Session } from "../store/index.js";

export interface CreditMatchingDeps {
  store: LendingStore;
  book: LoanBook;
  verification: Pick<Verification, "verify">;
  settlement: PayoffSettlement;
  clock: Clock;
}

/** How a credit came in. */
export interface Arrival {
  /** Business time. */
  readonly arrivedAt: Date;
  readonly time: BusinessTime;
  /** The tenant's: what somebody recorded was let in before, what nobody recorded is not. */
  readonly isWithinCeiling: boolean;
  readonly decision: VerificationDecision;
}

export type CreditMatching = ReturnType<typeof createCreditMatching>;

/**
 * Finds what a credit pays: a repayment that was recorded, a payoff, or a loan that somebody else
 * collects or that was written off.
 */
export function createCreditMatching({ store, book, verification, settlement, clock }: CreditMatchingDeps) {
  /**
   * Applies a credit to what waits for it, inside a transaction. Gives the outbox aggregate to look
   * at, else the credit as it goes into suspense. While a payoff has claimed a loan its money waits
   * in suspense too: nobody else's is kept waiting for a card.
   */
  async function match(
    tenantId: string,
    credit: UnmatchedCredit,
    arrival: Arrival,
    session: Session,
  ): Promise<string | UnmatchedCredit> {
    const tenant = store.forTenant(tenantId);
    const { matchReference, amountMinor, currency } = credit;
    if (matchReference === "") return credit;
    const repayment = await tenant.findMatch(matchReference, amountMinor, currency, session);
    if (repayment !== undefined) {
      const loan = await tenant.findLoan(repayment.accountId, session);
      if (loan?.claimedBy !== undefined) return credit;
      await tenant.insertCredit({ ...credit, state: "MATCHED", matchedTo: repayment.repaymentId }, session);
      await verification.verify(tenantId, repayment.repaymentId, arrival.decision, session);
      return book.aggregateOf(repayment.accountId);
    }
    const payoff = await tenant.findPayoffMatch(matchReference, amountMinor, currency, session);
    if (payoff !== undefined) return payOff(tenantId, credit, payoff, arrival, session);
    return arrival.isWithinCeiling ? collect(tenantId, credit, arrival, session) : credit;
  }

  /**
   * Money of a payoff settles it while it is good and still what the loan costs, also where people
   * gave the loan up before the bank told of it; after that it counts as what names the loan.
   */
  async function payOff(
    tenantId: string,
    credit: UnmatchedCredit,
    payoff: Payoff,
    arrival: Arrival,
    session: Session,
  ): Promise<string | UnmatchedCredit> {
    const { arrivedAt, decision } = arrival;
    const tenant = store.forTenant(tenantId);
    const loan = await tenant.findLoan(payoff.accountId, session);
    if (loan === undefined) throw new Error(`payoff ${payoff.payoffId} is of no loan`);
    const isLate = payoff.validUntil !== undefined && arrivedAt > payoff.validUntil;
    const isOther = !isOwed(loan) || loan.claimedBy !== undefined || isNoLongerDue(loan, payoff);
    if (isLate || isOther) {
      const why = isLate ? "its money came too late" : "the loan changed meanwhile";
      await settlement.lapseIn(tenantId, payoff, why, session);
      const named = { ...credit, matchReference: comparableReference(loan.reference) };
      return arrival.isWithinCeiling ? collect(tenantId, named, arrival, session) : named;
    }
    const paid = { ...payoff, ...(credit.partner && { partner: credit.partner }) };
    if ((await settlement.settleIn(tenantId, paid, decision.today, session)) === undefined) return credit;
    await tenant.insertCredit({ ...credit, state: "MATCHED", matchedTo: payoff.payoffId }, session);
    return book.aggregateOf(payoff.accountId);
  }

  /**
   * Whoever collects for the tenant, or pays what was written off, names the loan: nobody records
   * such a repayment, so the bank's word alone counts.
   */
  async function collect(
    tenantId: string,
    credit: UnmatchedCredit,
    { arrivedAt, time, decision }: Arrival,
    session: Session,
  ): Promise<string | UnmatchedCredit> {
    const tenant = store.forTenant(tenantId);
    const [loan, another] = await tenant.listUnrecorded(credit.matchReference, session);
    if (loan === undefined || another !== undefined) return credit;
    if (!isOwed(loan) || loan.currency !== credit.currency || loan.claimedBy !== undefined) return credit;
    const paidOn = paidOnOf(arrivedAt, time.timeZone, loan);
    const repayment = collectedRepayment(uuidv7(), loan, credit, paidOn, clock.now());
    await tenant.insertRepayment(repayment, session);
    await tenant.insertCredit({ ...credit, state: "MATCHED", matchedTo: repayment.repaymentId }, session);
    await book.note(tenantId, { ...loan, pendingMinor: loan.pendingMinor + credit.amountMinor }, session);
    await verification.verify(tenantId, repayment.repaymentId, decision, session);
    return book.aggregateOf(loan.accountId);
  }

  return { match };
}

/** Money for it is the lender's: it is paid on, or what was written off of it comes back. */
function isOwed({ status }: Loan): boolean {
  return status === "ACTIVE" || status === "WRITTEN_OFF";
}

function isNoLongerDue({ terms, events }: Loan, { on, amountMinor }: Payoff): boolean {
  // What was paid on the day that the loan was written off was paid before.
  const before = events.filter(({ type }) => type !== "WRITE_OFF");
  return payoffAt(terms, before, on).amountMinor !== amountMinor;
}

/** The day that it counts as paid on: none before the loan began. */
export function paidOnOf(arrivedAt: Date, timeZone: string, { terms }: Pick<Loan, "terms">): string {
  const arrivedOn = dayOf(arrivedAt, timeZone);
  return arrivedOn < terms.startsOn ? terms.startsOn : arrivedOn;
}

function dayOf(at: Date, timeZone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone).toPlainDate().toString();
}
