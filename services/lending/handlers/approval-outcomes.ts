import type { ApprovalEffect } from "../../platform/approvals/approval-effects.js";
import type { ApprovalOutcome, OutcomeHandler } from "../../platform/approvals/approval-outcomes.js";
import type { Takers } from "../../platform/banks/partners-of-kind.js";
import type { BusinessClock } from "../../platform/preferences/business-clock.js";
import type { Clock } from "../../kernel/time/clock.js";
import type { Outbox } from "../../kernel/outbox/index.js";
import { Refusal } from "../../kernel/refusal.js";
import type { Disbursements } from "../sagas/disbursement.js";
import type { PayTo } from "../domain/application.js";
import { lendingAccount } from "../domain/books.js";
import { viewOf, type Loan } from "../domain/loan.js";
import type { OverpaymentRefund } from "../domain/overpayment-refund.js";
import type { LoanBook } from "../sagas/loan-book.js";
import type { OverpaymentRefunds } from "../sagas/overpayment-refund.js";
import type { LendingStore } from "../store/index.js";
import type { Verification } from "../sagas/verification.js";
import { rowKinds } from "../row-kinds.js";

export interface OutcomeDeps {
  store: LendingStore;
  book: LoanBook;
  verification: Verification;
  disbursements: Pick<Disbursements, "begin">;
  overpaymentRefunds: Pick<OverpaymentRefunds, "begin">;
  outbox: Pick<Outbox, "add">;
  banks: Pick<Takers, "takerOf">;
  businessClock: BusinessClock;
  clock: Clock;
}

/** What two people decided, carried out in the transaction that remembers it. */
export function approvalOutcomes(
  deps: OutcomeDeps,
): Record<"REPAYMENT_VERIFICATION" | "DISBURSEMENT" | "WRITE_OFF" | "REFUND", OutcomeHandler> {
  const { store, book, verification, disbursements, overpaymentRefunds, outbox, banks, businessClock, clock } = deps;
  const todayOf = async (tenantId: string) => (await businessClock.forTenant(tenantId)).today().toString();

  return {
    async REPAYMENT_VERIFICATION(outcome, session, call, effects) {
      if (outcome.status !== "APPROVED") return;
      const { repaymentId, verify, creditId, reason } = outcome.payload as {
        repaymentId: string;
        verify: boolean;
        creditId: string;
        reason: string;
      };
      const tenant = store.forTenant(call.tenantId);
      const repayment = await tenant.findRepayment(repaymentId, session);
      // The bank, or another pair of people, was first.
      if (repayment?.status !== "PENDING_VERIFICATION") return effects.add(nothing(outcome));
      const loan = await tenant.findLoan(repayment.accountId, session);
      if (loan?.claimedBy !== undefined) throw busy();
      const credit = creditId === "" ? undefined : await tenant.findCredit(creditId, session);
      const isInSuspense = credit?.state === "SUSPENSE";
      if (creditId !== "" && !isInSuspense) return effects.add(nothing(outcome));
      const { accountId, amountMinor: minor, currency } = repayment;
      const kind = verify ? "REPAYMENT_VERIFIED" : "REPAYMENT_REJECTED";
      effects.add({ kind, subject: `loan:${accountId}`, amount: { minor, currency } });
      const decision = {
        today: await todayOf(call.tenantId),
        at: clock.now(),
        by: outcome.decidedBy,
        reason,
        interactionId: call.interactionId,
        isInSuspense,
        partner: credit === undefined ? await banks.takerOf(call.tenantId, call.interactionId) : credit.partner,
        ...(creditId === "" ? {} : { creditId }),
      };
      if (!verify) await verification.reject(call.tenantId, repaymentId, decision, session);
      else {
        await verification.verify(call.tenantId, repaymentId, decision, session);
        if (credit !== undefined) await tenant.takeFromSuspense(credit, repaymentId, session);
      }
    },

    async DISBURSEMENT(outcome, session, call, effects) {
      const { loanApplicationId, attempt } = outcome.payload as { loanApplicationId: string; attempt: number };
      const tenant = store.forTenant(call.tenantId);
      const application = await tenant.findApplication(loanApplicationId, session);
      if (application?.status !== "APPROVED") return effects.add(nothing(outcome));
      const { disbursement } = application;
      // The outcome may be told before whoever asked had written that it waits; an attempt that has
      // failed stays so.
      const isOpen =
        disbursement === undefined ||
        (disbursement.status === "WAITING_FOR_APPROVAL" && disbursement.attempt <= attempt) ||
        (disbursement.status === "FAILED" && disbursement.attempt < attempt);
      if (!isOpen) return effects.add(nothing(outcome));
      const version = application.version + 1;
      const by = { attempt, askedBy: outcome.askedBy };
      if (outcome.status !== "APPROVED") {
        const failure = outcome.status === "REFUSED" ? outcome.decidedBecause : "nobody approved it in time";
        await tenant.replaceApplication(
          { ...application, disbursement: { ...by, status: "FAILED", failure }, version },
          session,
        );
        return;
      }
      effects.add({
        kind: "MONEY_PAID_OUT",
        subject: `loan-application:${loanApplicationId}`,
        ...(outcome.amount && { amount: outcome.amount }),
      });
      const { interactionId } = call;
      const paying = { ...application, disbursement: { ...by, status: "PAYING" as const }, version };
      await disbursements.begin(call.tenantId, paying, { interactionId, createdBy: outcome.decidedBy }, session);
    },

    /**
     * Money that was overpaid: the loan is claimed for it, so that nothing else uses it meanwhile.
     */
    async REFUND(outcome, session, call, effects) {
      if (outcome.status !== "APPROVED") return;
      const {
        accountId,
        amountMinor: requested,
        payTo,
      } = outcome.payload as {
        accountId: string;
        amountMinor: string;
        payTo: PayTo;
      };
      const { tenantId, interactionId } = call;
      const tenant = store.forTenant(tenantId);
      const loan = await tenant.findLoan(accountId, session);
      if (loan === undefined) throw new Error(`loan ${accountId} is not there`);
      if (loan.claimedBy !== undefined) throw busy();
      const [today, amountMinor] = [await todayOf(tenantId), BigInt(requested)];
      const { customerId, currency } = loan;
      const isThere = viewOf(loan, today).position.overpaidMinor >= amountMinor;
      const partner = payTo.kind === "BANK" ? await banks.takerOf(tenantId, interactionId) : undefined;
      const refund: OverpaymentRefund = {
        refundId: outcome.approvalId,
        accountId,
        customerId,
        amountMinor,
        currency,
        payTo,
        ...(partner !== undefined && { partner }),
        on: today,
        approvedBy: outcome.decidedBy,
        interactionId,
        createdAt: clock.now(),
        ...(isThere
          ? { status: "PAYING" as const }
          : { status: "FAILED" as const, failure: "it is not overpaid any more", endedAt: clock.now() }),
      };
      const amount = { minor: amountMinor, currency };
      effects.add(isThere ? { kind: "MONEY_PAID_OUT", subject: `loan:${accountId}`, amount } : nothing(outcome));
      if (isThere) await overpaymentRefunds.begin(tenantId, refund, loan, session);
      else await tenant.insertOverpaymentRefund(refund, session);
    },

    async WRITE_OFF(outcome, session, call, effects) {
      if (outcome.status !== "APPROVED") return;
      const loan = await writableOff(outcome, call.tenantId, session);
      if (loan === undefined) return effects.add(nothing(outcome));
      const today = await todayOf(call.tenantId);
      const event = { type: "WRITE_OFF" as const, id: outcome.approvalId, on: today };
      const { interactionId } = call;
      const cause = {
        kind: "loan_write_off",
        description: `Write-off of loan ${loan.reference}`,
        interactionId,
        createdBy: outcome.decidedBy,
      };
      // Repayments that wait go on waiting: the bank may tell later of what was paid before.
      const changed = { ...loan, events: [...loan.events, event] };
      const { loan: after } = await book.settle(call.tenantId, changed, today, cause, session);
      effects.add(writtenOff(after) ?? nothing(outcome));
      // What names it and waits in suspense counts by the bank's word alone from now on.
      const { accountId, version: seq } = after;
      const row = { tenantId: call.tenantId, aggregate: `match:${accountId}`, seq, kind: rowKinds.matchLoan };
      await outbox.add({ ...row, payload: { accountId }, interactionId, actor: outcome.decidedBy }, session);
    },
  };

  async function writableOff(outcome: ApprovalOutcome, tenantId: string, session: Parameters<OutcomeHandler>[1]) {
    const { accountId } = outcome.payload as { accountId: string };
    const loan = await store.forTenant(tenantId).findLoan(accountId, session);
    if (loan?.status !== "ACTIVE") return undefined;
    if (loan.claimedBy !== undefined) throw busy();
    return loan;
  }
}

/** With all that is given up; undefined of one that was over before. */
function writtenOff({ accountId, status, currency, booked }: Loan): ApprovalEffect | undefined {
  if (status !== "WRITTEN_OFF") return undefined;
  const minor = booked[lendingAccount("writeOffs", currency)] ?? 0n;
  return { kind: "LOAN_WRITTEN_OFF", subject: `loan:${accountId}`, amount: { minor, currency } };
}

function nothing({ subject }: ApprovalOutcome): ApprovalEffect {
  return { kind: "NOTHING_DONE", subject };
}

/** Identity tells it again when the loan is free. */
function busy(): Refusal {
  return new Refusal("UNAVAILABLE", "something else is under way on the loan");
}
