import type { OwnPartner } from "../../platform/banks/own-partner.js";
import type { Outbox } from "../../kernel/outbox/index.js";
import { passing, Refusal } from "../../kernel/refusal.js";
import { lendingAccount, partnerAccount } from "../domain/books.js";
import { checkUnclaimed, type Loan } from "../domain/loan.js";
import type { Repayment } from "../domain/repayment.js";
import type { Cause, LoanBook } from "./loan-book.js";
import type { LendingStore, Session } from "../store/index.js";
import { repaymentRow } from "../wire/event-rows.js";

export interface VerificationDeps {
  store: LendingStore;
  book: LoanBook;
  outbox: Outbox;
}

export interface VerificationDecision {
  readonly today: string;
  readonly at: Date;
  /** User id, "bank" or "sandbox". */
  readonly by: string;
  readonly reason: string;
  readonly interactionId: string;
  /** The bank's credit, where there is one. */
  readonly creditId?: string;
  /** True where the money lies in suspense; else it is booked at the bank with this. */
  readonly isInSuspense: boolean;
  /** The tenant's own bank that it came in at; undefined for the operator's. */
  readonly partner: OwnPartner | undefined;
}

export type Verification = ReturnType<typeof createVerification>;

/**
 * What becomes of repayments that wait: only here do they move the loan, and with it the ledger.
 */
export function createVerification({ store, book, outbox }: VerificationDeps) {
  async function waiting(tenantId: string, repaymentId: string, session: Session): Promise<[Repayment, Loan]> {
    const tenant = store.forTenant(tenantId);
    const repayment = await tenant.findRepayment(repaymentId, session);
    if (repayment === undefined) throw new Refusal("NOT_FOUND", "no such repayment");
    if (repayment.status !== "PENDING_VERIFICATION") {
      throw new Refusal("STATE_CONFLICT", `the repayment is ${repayment.status}`);
    }
    const loan = await tenant.findLoan(repayment.accountId, session);
    if (loan === undefined) throw new Error(`repayment ${repaymentId} is of no loan`);
    checkUnclaimed(loan);
    return [repayment, loan];
  }

  /** `place` is where it stands among what is told of the loan. */
  async function decided(
    tenantId: string,
    repayment: Repayment,
    { interactionId, ...place }: { version: number; part?: number; at: Date; interactionId: string },
    session: Session,
  ): Promise<Repayment> {
    const moved = await store.forTenant(tenantId).moveRepayment(repayment, "PENDING_VERIFICATION", session);
    if (!moved) throw passing("STATE_CONFLICT", "the repayment was decided meanwhile");
    const cause = { tenantId, interactionId, actor: repayment.decidedBy ?? "lending" };
    await outbox.add(repaymentRow(cause, repayment, place), session);
    return repayment;
  }

  return {
    /**
     * PENDING_VERIFICATION → VERIFIED: the loan counts it on the day it was paid. Refuses
     * NOT_FOUND, STATE_CONFLICT.
     */
    async verify(
      tenantId: string,
      repaymentId: string,
      decision: VerificationDecision,
      session: Session,
    ): Promise<Repayment> {
      const [repayment, loan] = await waiting(tenantId, repaymentId, session);
      const { amountMinor, paidOn, currency } = repayment;
      const { isInSuspense, partner } = decision;
      const atBank = partnerAccount("bank", partner, currency);
      const sourceAccountId = isInSuspense ? lendingAccount("suspense", currency) : atBank;
      const event = { type: "REPAYMENT" as const, id: repaymentId, on: paidOn, amountMinor, sourceAccountId };
      const changed = { ...loan, events: [...loan.events, event], pendingMinor: loan.pendingMinor - amountMinor };
      const { loan: after } = await book.settle(tenantId, changed, decision.today, causeOf(decision, loan), session);
      const { at, by, reason, creditId, interactionId } = decision;
      const verified = {
        ...repayment,
        status: "VERIFIED" as const,
        decidedAt: at,
        decidedBy: by,
        reason,
        ...(creditId !== undefined && { creditId }),
        ...(partner !== undefined && { partner }),
      };
      return decided(tenantId, verified, { version: after.version, at, interactionId }, session);
    },

    /** PENDING_VERIFICATION → REJECTED: nothing moves. Refuses NOT_FOUND, STATE_CONFLICT. */
    async reject(
      tenantId: string,
      repaymentId: string,
      decision: VerificationDecision,
      session: Session,
    ): Promise<Repayment> {
      const [repayment, loan] = await waiting(tenantId, repaymentId, session);
      const changed = { ...loan, pendingMinor: loan.pendingMinor - repayment.amountMinor };
      const { version } = await book.note(tenantId, changed, session);
      const { at, by, reason, interactionId } = decision;
      const rejected = { ...repayment, status: "REJECTED" as const, decidedAt: at, decidedBy: by, reason };
      return decided(tenantId, rejected, { version, at, interactionId }, session);
    },

    /**
     * What waits of a loan that ends another way, before the change that ends it. Money that
     * arrives for it later goes into suspense. Gives what waited.
     */
    async rejectAllOf(
      tenantId: string,
      { accountId, version }: Pick<Loan, "accountId" | "version">,
      { at, reason, interactionId }: { at: Date; reason: string; interactionId: string },
      session: Session,
    ): Promise<bigint> {
      const pending = await store.forTenant(tenantId).listPendingOf(accountId, session);
      for (const [part, repayment] of pending.entries()) {
        const rejected = { ...repayment, status: "REJECTED" as const, decidedAt: at, decidedBy: "lending", reason };
        await decided(tenantId, rejected, { version: version + 1, part, at, interactionId }, session);
      }
      return pending.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
    },
  };
}

function causeOf({ interactionId, by }: VerificationDecision, { reference }: Loan): Cause {
  return { kind: "loan_repayment", description: `Repayment of loan ${reference}`, interactionId, createdBy: by };
}
