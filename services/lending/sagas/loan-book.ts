import type { Outbox } from "../../kernel/outbox/index.js";
import { settle, type Loan, type Settled } from "../domain/loan.js";
import { postingOf, type Posting } from "../domain/postings.js";
import type { Movement } from "../../platform/books/movements.js";
import type { LendingStore, Session } from "../store/index.js";
import { loanRow, overdueRows } from "../wire/event-rows.js";
import { rowKinds } from "../row-kinds.js";

/** Why a loan changes, and in whose name. */
export interface Cause {
  /** On the ledger's entries: "loan_repayment". */
  readonly kind: string;
  readonly description: string;
  readonly interactionId: string;
  readonly createdBy: string;
}

export type LoanBook = ReturnType<typeof createLoanBook>;

/**
 * Writes loans. What a change means for the ledger is written with it, in one transaction, and
 * carried out by the outbox.
 */
export function createLoanBook({ store, outbox }: { store: LendingStore; outbox: Outbox }) {
  const aggregateOf = (accountId: string): string => `loan:${accountId}`;

  /** A posting and the row that carries it out; nothing where nothing moves. */
  async function ask(
    tenantId: string,
    posting: Posting,
    row: { aggregate: string; seq: number },
    session: Session,
  ): Promise<void> {
    if (posting.transfers.length === 0) return;
    const { postingId, interactionId, createdBy } = posting;
    await store.forTenant(tenantId).insertPosting(posting, session);
    const payload = { postingId };
    await outbox.add({ tenantId, ...row, kind: rowKinds.post, payload, interactionId, actor: createdBy }, session);
  }

  /**
   * Tells, in the transaction that writes loans which were brought up to a day, what was found
   * overdue; in one round trip, and in none where that is nothing.
   */
  async function tellOverdue(
    tenantId: string,
    settled: readonly Settled[],
    { interactionId, createdBy }: Pick<Cause, "interactionId" | "createdBy">,
    session: Session,
  ): Promise<void> {
    const origin = { tenantId, interactionId, actor: createdBy };
    const at = outbox.clock.now();
    await outbox.addAll(
      settled.flatMap((each) => overdueRows(origin, each, at)),
      session,
    );
  }

  return {
    aggregateOf,
    tellOverdue,

    /**
     * The loan with what happened to it, brought up to a day, as it is from now on. Tells of one
     * that is paid off, and of what was found overdue.
     */
    async settle(tenantId: string, changed: Loan, today: string, cause: Cause, session: Session): Promise<Settled> {
      const settled = settle(changed, today);
      await store.forTenant(tenantId).replaceLoan(settled.loan, session);
      await ask(tenantId, postingFor(settled, today, cause), rowOf(settled.loan), session);
      await tellOverdue(tenantId, [settled], cause, session);
      if (!isPaid(changed) && isPaid(settled.loan)) {
        const origin = { tenantId, interactionId: cause.interactionId, actor: cause.createdBy };
        await outbox.add(loanRow(origin, "loan.paid_off", settled.loan, today, outbox.clock.now()), session);
      }
      return settled;
    },

    /**
     * As settle, of a loan that is new: its principal account is opened first. What was overdue
     * before it was taken over is not told.
     */
    async open(tenantId: string, made: Loan, today: string, cause: Cause, session: Session): Promise<Settled> {
      const settled = settle(made, today);
      const { accountId, customerId, productName } = made;
      const tenant = store.forTenant(tenantId);
      await tenant.insertLoan(settled.loan, session);
      await tenant.noteTenant(session);
      const opens = { accountId, customerId, productName };
      await ask(tenantId, { ...postingFor(settled, today, cause), opens }, rowOf(settled.loan), session);
      return settled;
    },

    /** A change that moves no money: what waits, who has claimed it, pauses. */
    async note(tenantId: string, changed: Loan, session: Session): Promise<Loan> {
      const loan = { ...changed, version: changed.version + 1 };
      await store.forTenant(tenantId).replaceLoan(loan, session);
      return loan;
    },

    /** Money of the tenant's own accounts that concerns no loan yet. */
    async move(
      tenantId: string,
      postingId: string,
      currency: string,
      movements: readonly Movement[],
      cause: Cause & { on: string },
      session: Session,
    ): Promise<void> {
      await ask(
        tenantId,
        postingOf(postingId, currency, movements, cause),
        { aggregate: `posting:${postingId}`, seq: 1 },
        session,
      );
    },

    /**
     * After a commit: the ledger is asked at once, and whoever waits hears of it with their answer.
     */
    carryOut: (tenantId: string, accountId: string): Promise<void> => outbox.runNow(tenantId, aggregateOf(accountId)),
  };

  function rowOf({ accountId, version }: Loan) {
    return { aggregate: aggregateOf(accountId), seq: version };
  }
}

function isPaid({ status }: Loan): boolean {
  return status === "PAID_OFF" || status === "COMPLETED";
}

function postingFor({ loan, movements }: Settled, on: string, cause: Cause): Posting {
  return postingOf(`${loan.accountId}:${loan.version}`, loan.currency, movements, { ...cause, on });
}
