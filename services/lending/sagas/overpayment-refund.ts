import type { Clock } from "../../shared/clocks/clock.js";
import type { RelayContext, RowHandler } from "../../shared/outbox/index.js";
import type { Refusal } from "../../shared/refusal.js";
import { lendingAccount } from "../domain/books.js";
import type { OverpaymentRefund } from "../domain/overpayment-refund.js";
import { postingOf } from "../domain/postings.js";
import type { LedgerPostings } from "../clients/ledger-postings.js";
import type { LoanBook } from "./loan-book.js";
import { targetAccountOf, type MoneyOut } from "../clients/money-out.js";
import type { LendingStore } from "../store/index.js";

export const driveOverpaymentRefund = "drive-overpayment-refund";

export interface OverpaymentRefundDeps {
  store: LendingStore;
  book: LoanBook;
  postings: Pick<LedgerPostings, "post">;
  moneyOut: MoneyOut;
  clock: Clock;
  crashPoint: (name: string) => void;
}

export type OverpaymentRefunds = ReturnType<typeof createOverpaymentRefunds>;

/**
 * What was overpaid goes back: two people decided and the loan is claimed, then the money goes, then the loan knows of it. Bank and ledger
 * decide once by reference and key, so that whoever drives comes to the same end.
 */
export function createOverpaymentRefunds(deps: OverpaymentRefundDeps) {
  const { store, book, postings, moneyOut, clock, crashPoint } = deps;

  async function payOut(tenantId: string, refund: OverpaymentRefund): Promise<Refusal | undefined> {
    const { refundId, accountId, customerId, amountMinor, currency, payTo, interactionId, approvedBy, on } = refund;
    const loan = await store.forTenant(tenantId).findLoan(accountId);
    const narration = `Overpayment of loan ${loan?.reference ?? ""}`;
    const target = { tenantId, interactionId, customerId, currency, payTo };
    const refused = await moneyOut.send(target, { reference: `refund-${refundId}`, amountMinor, narration });
    if (refused !== undefined) return refused;
    const movement = {
      debitAccountId: lendingAccount("overpayments", currency),
      creditAccountId: targetAccountOf(payTo, currency),
      amountMinor,
    };
    const cause = { kind: "loan_payback", description: narration, interactionId, createdBy: approvedBy, on };
    return postings.post(tenantId, postingOf(`overpayment-refund:${refundId}`, currency, [movement], cause));
  }

  /** The loan is free again; where the money went, it has the refund, which the ledger has already. */
  async function end(
    tenantId: string,
    { refundId, accountId }: OverpaymentRefund,
    refusal: Refusal | undefined,
    complete: RelayContext["complete"],
  ): Promise<void> {
    const tenant = store.forTenant(tenantId);
    await store.transaction(
      async (session) => {
        const now = await tenant.findOverpaymentRefund(refundId, session);
        const loan = await tenant.findLoan(accountId, session);
        if (now === undefined || loan === undefined) throw new Error(`refund ${refundId} is of nothing`);
        if (now.status !== "PAYING") return true;
        const { payoffId: _claim, ...free } = loan;
        const endedAt = clock.now();
        if (refusal !== undefined) {
          await tenant.endOverpaymentRefund({ ...now, status: "FAILED", failure: refusal.message, endedAt }, session);
          await book.note(tenantId, free, session);
        } else {
          const { amountMinor, currency, payTo, on, interactionId, approvedBy: createdBy } = now;
          const targetAccountId = targetAccountOf(payTo, currency);
          const overpayments = lendingAccount("overpayments", currency);
          const booked = {
            ...loan.booked,
            [overpayments]: (loan.booked[overpayments] ?? 0n) + amountMinor,
            [targetAccountId]: (loan.booked[targetAccountId] ?? 0n) - amountMinor,
          };
          const event = { type: "REFUND" as const, id: refundId, on, amountMinor, targetAccountId };
          const changed = { ...free, booked, events: [...loan.events, event] };
          const cause = {
            kind: "loan_payback",
            description: `Overpayment of loan ${loan.reference}`,
            interactionId,
            createdBy,
          };
          await book.settle(tenantId, changed, on, cause, session);
          await tenant.endOverpaymentRefund({ ...now, status: "DONE", endedAt }, session);
        }
        await complete(session);
        return true;
      },
      async () => ((await tenant.findOverpaymentRefund(refundId))?.status === "PAYING" ? undefined : true),
    );
  }

  const drive: RowHandler = async ({ tenantId, payload }, { complete }) => {
    const { refundId } = payload as { refundId: string };
    const refund = await store.forTenant(tenantId).findOverpaymentRefund(refundId);
    if (refund?.status !== "PAYING") return;
    crashPoint("lending.payback.begun");
    const refusal = await payOut(tenantId, refund);
    crashPoint("lending.payback.paid");
    await end(tenantId, refund, refusal, complete);
    crashPoint("lending.payback.ended");
    await book.carryOut(tenantId, refund.accountId);
  };

  return { drive };
}
