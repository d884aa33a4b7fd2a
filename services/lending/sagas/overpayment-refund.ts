import type { Clock } from "../../kernel/time/clock.js";
import type { RelayContext, RowHandler } from "../../kernel/outbox/index.js";
import type { Refusal } from "../../kernel/refusal.js";
import { identityOf, type SagaIdentity, type Sagas } from "../../kernel/sagas/index.js";
import type { LedgerPostings } from "../clients/ledger-postings.js";
import type { MoneyOut } from "../clients/money-out.js";
import { lendingAccount } from "../domain/books.js";
import { targetAccountOf } from "../domain/disbursement.js";
import { released, type Loan } from "../domain/loan.js";
import type { OverpaymentRefund } from "../domain/overpayment-refund.js";
import { postingOf } from "../domain/postings.js";
import type { LendingStore, Session } from "../store/index.js";
import type { LoanBook } from "./loan-book.js";
import { noAnswer } from "./unasked.js";
import { rowKinds } from "../row-kinds.js";

export interface OverpaymentRefundDeps {
  store: LendingStore;
  sagas: Sagas;
  book: LoanBook;
  postings: Pick<LedgerPostings, "post">;
  moneyOut: MoneyOut;
  clock: Clock;
  crashPoint: (name: string) => void;
}

export type OverpaymentRefunds = ReturnType<typeof createOverpaymentRefunds>;

/**
 * What was overpaid goes back: two people decided and the loan is claimed, then the money goes,
 * then the loan knows of it. Bank and ledger decide once by reference and key, so that whoever
 * drives comes to the same end.
 */
export function createOverpaymentRefunds(deps: OverpaymentRefundDeps) {
  const { store, sagas, book, postings, moneyOut, clock, crashPoint } = deps;

  /**
   * Claims the loan for a refund that two people decided on, inside the transaction that remembers
   * their decision.
   */
  async function begin(tenantId: string, refund: OverpaymentRefund, loan: Loan, session: Session): Promise<void> {
    await store.forTenant(tenantId).insertOverpaymentRefund(refund, session);
    await book.note(tenantId, { ...loan, claimedBy: refund.refundId }, session);
    await sagas.beginUnasked(sagaOf(tenantId, refund), session);
  }

  async function payOut(tenantId: string, refund: OverpaymentRefund): Promise<Refusal | undefined> {
    const { refundId, accountId, customerId, amountMinor, currency, payTo, interactionId, approvedBy, on } = refund;
    const { partner: at } = refund;
    const loan = await store.forTenant(tenantId).findLoan(accountId);
    const narration = `Overpayment of loan ${loan?.reference ?? ""}`;
    const target = { tenantId, interactionId, customerId, currency, payTo };
    const refused = await moneyOut.send(target, { reference: `payback-${refundId}`, amountMinor, narration, at });
    if (refused !== undefined) return refused;
    const movement = {
      debitAccountId: lendingAccount("overpayments", currency),
      creditAccountId: targetAccountOf(payTo, at, currency),
      amountMinor,
    };
    const cause = { kind: "loan_payback", description: narration, interactionId, createdBy: approvedBy, on };
    return postings.post(tenantId, postingOf(`payback:${refundId}`, currency, [movement], cause));
  }

  async function fail(tenantId: string, refund: OverpaymentRefund, loan: Loan, failure: string, session: Session) {
    const failed = { ...refund, status: "FAILED" as const, failure, endedAt: clock.now() };
    await store.forTenant(tenantId).endOverpaymentRefund(failed, session);
    await book.note(tenantId, released(loan), session);
  }

  /** Books the refund on the loan; the ledger has it already. */
  async function complete(tenantId: string, refund: OverpaymentRefund, loan: Loan, session: Session): Promise<void> {
    const { refundId: id, amountMinor, currency, payTo, on, interactionId, approvedBy: createdBy } = refund;
    const targetAccountId = targetAccountOf(payTo, refund.partner, currency);
    const overpayments = lendingAccount("overpayments", currency);
    const booked = {
      ...loan.booked,
      [overpayments]: (loan.booked[overpayments] ?? 0n) + amountMinor,
      [targetAccountId]: (loan.booked[targetAccountId] ?? 0n) - amountMinor,
    };
    const event = { type: "REFUND" as const, id, on, amountMinor, targetAccountId };
    const changed = { ...released(loan), booked, events: [...loan.events, event] };
    const description = `Overpayment of loan ${loan.reference}`;
    await book.settle(tenantId, changed, on, { kind: "loan_payback", description, interactionId, createdBy }, session);
    const done = { ...refund, status: "DONE" as const, endedAt: clock.now() };
    await store.forTenant(tenantId).endOverpaymentRefund(done, session);
  }

  async function end(
    tenantId: string,
    refund: OverpaymentRefund,
    refusal: Refusal | undefined,
    closeRecovery: RelayContext["complete"],
  ): Promise<void> {
    const tenant = store.forTenant(tenantId);
    const { refundId, accountId } = refund;
    const ending = {
      answer: noAnswer,
      async apply(session: Session) {
        const now = await tenant.findOverpaymentRefund(refundId, session);
        const loan = await tenant.findLoan(accountId, session);
        if (now === undefined || loan === undefined) throw new Error(`refund ${refundId} is of nothing`);
        if (now.status !== "PAYING") return false;
        if (refusal === undefined) await complete(tenantId, now, loan, session);
        else await fail(tenantId, now, loan, refusal.message, session);
        return true;
      },
      async readBack() {
        return (await tenant.findOverpaymentRefund(refundId))?.status === "PAYING" ? undefined : noAnswer;
      },
    };
    await sagas.end(sagaOf(tenantId, refund), ending, { closeRecovery });
  }

  const drive: RowHandler = async ({ tenantId, payload }, { complete: closeRecovery }) => {
    const { refundId } = payload as { refundId: string };
    const refund = await store.forTenant(tenantId).findOverpaymentRefund(refundId);
    if (refund?.status !== "PAYING") return;
    crashPoint("lending.payback.begun");
    const refusal = await payOut(tenantId, refund);
    crashPoint("lending.payback.paid");
    await end(tenantId, refund, refusal, closeRecovery);
    crashPoint("lending.payback.ended");
    await book.carryOut(tenantId, refund.accountId);
  };

  return { begin, drive };
}

function sagaOf(tenantId: string, { refundId, interactionId, approvedBy }: OverpaymentRefund): SagaIdentity {
  const origin = { caller: approvedBy, idempotencyKey: "", interactionId, createdBy: approvedBy };
  return identityOf(tenantId, origin, {
    operation: "overpayment refund",
    aggregate: `overpayment-refund:${refundId}`,
    recovery: rowKinds.driveOverpaymentRefund,
    payload: { refundId },
  });
}
