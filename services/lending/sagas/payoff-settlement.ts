import type { Clock } from "../../kernel/time/clock.js";
import { lendingAccount, partnerAccount } from "../domain/books.js";
import { released } from "../domain/loan.js";
import { repaymentOfPayoff, type Payoff } from "../domain/payoff.js";
import type { LendingStore, Session } from "../store/index.js";
import type { LoanBook } from "./loan-book.js";
import type { Verification } from "./verification.js";

export interface PayoffSettlementDeps {
  store: LendingStore;
  book: LoanBook;
  verification: Pick<Verification, "rejectAllOf">;
  clock: Clock;
}

export type PayoffSettlement = ReturnType<typeof createPayoffSettlement>;

/** Where the money of a payoff is; of a partner, at the one that it names. */
function sourceOf({ method, partner, currency }: Payoff): string {
  if (method === "WALLET") return lendingAccount("clearing", currency);
  return partnerAccount(method === "CARD" ? "card" : "bank", partner, currency);
}

/**
 * How a payoff ends inside a transaction, whoever has brought its money: the saga, or the bank's
 * list of credits.
 */
export function createPayoffSettlement({ store, book, verification, clock }: PayoffSettlementDeps) {
  return {
    /**
     * Ends the loan with its payoff. Undefined when the payoff or the loan had ended already, or
     * something else has the loan.
     */
    async settleIn(
      tenantId: string,
      payoff: Payoff,
      today: string,
      session: Session,
    ): Promise<(Payoff & { status: "SETTLED" }) | undefined> {
      const tenant = store.forTenant(tenantId);
      const { payoffId, accountId, amountMinor, on, interestThrough, payoffFeeMinor: feeMinor } = payoff;
      const loan = await tenant.findLoan(accountId, session);
      if (loan === undefined) throw new Error(`loan ${accountId} is not there`);
      const isElsewhere = loan.claimedBy !== undefined && loan.claimedBy !== payoffId;
      // One that was written off meanwhile was paid before that, where its
      // payoff counts for a day before.
      const isOwed = loan.status === "ACTIVE" || loan.status === "WRITTEN_OFF";
      if (!isOwed || isElsewhere) return undefined;
      const sourceAccountId = sourceOf(payoff);
      const paid = { id: payoffId, on, amountMinor, sourceAccountId, interestThrough, feeMinor };
      const event = { type: "PAYOFF" as const, ...paid };
      const why = "the loan was paid off another way";
      const { interactionId, createdBy, reference } = payoff;
      const because = { at: clock.now(), reason: why, interactionId };
      const rejected = await verification.rejectAllOf(tenantId, loan, because, session);
      const changed = {
        ...released(loan),
        events: [...loan.events, event],
        pendingMinor: loan.pendingMinor - rejected,
      };
      const cause = { kind: "loan_payoff", description: `Payoff of loan ${reference}`, interactionId, createdBy };
      const settled = await book.settle(tenantId, changed, today, cause, session);
      const { cardToken: _token, ...stored } = payoff;
      const ended = {
        ...stored,
        status: "SETTLED" as const,
        settledAt: clock.now(),
        loanStatus: settled.loan.status,
        remainingMinor: settled.position.totalPayableMinor,
      };
      if (!(await tenant.endPayoff(ended, session))) return undefined;
      await tenant.insertRepayment(repaymentOfPayoff(ended, loan), session);
      return ended;
    },

    /** Ends a payoff that waits for the bank: what comes for it now is no payoff. */
    async lapseIn(tenantId: string, payoff: Payoff, message: string, session: Session): Promise<void> {
      const failure = { code: "QUOTE_EXPIRED" as const, message };
      await store.forTenant(tenantId).endPayoff({ ...payoff, status: "FAILED", failure }, session);
    },
  };
}
