import { createHash, randomUUID } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import type { AmountCeilings } from "../../platform/preferences/amount-ceilings.js";
import type { BusinessClock, BusinessTime } from "../../platform/preferences/business-clock.js";
import type { Clock } from "../../kernel/time/clock.js";
import type { Outbox } from "../../kernel/outbox/index.js";
import { lendingAccount, partnerAccount } from "../domain/books.js";
import type { Credit, UnmatchedCredit } from "../domain/credit.js";
import { collectedRepayment, comparableReference } from "../domain/repayment.js";
import type { LoanBook } from "../sagas/loan-book.js";
import type { VerificationDecision, Verification } from "../sagas/verification.js";
import type { LendingStore, Session } from "../store/index.js";
import { paidOnOf } from "./credit-matching.js";

export interface SuspenseDeps {
  store: LendingStore;
  book: Pick<LoanBook, "move" | "note">;
  verification: Pick<Verification, "verify">;
  businessClock: BusinessClock;
  outbox: Pick<Outbox, "wake">;
  clock: Clock;
  ceilings: Pick<AmountCeilings, "passedBy">;
}

const creditsAtOnce = 100;

export type Suspense = ReturnType<typeof createSuspense>;

/** The bank's decision on a repayment that its credit pays. */
export function bankDecision(
  time: BusinessTime,
  at: Date,
  credit: Pick<VerificationDecision, "isInSuspense" | "partner"> & { creditId: string },
): VerificationDecision {
  return {
    today: time.today().toString(),
    at,
    by: "bank",
    reason: "",
    interactionId: `bank:${randomUUID()}`,
    ...credit,
  };
}

const inSuspense = ({ creditId, partner }: Credit) => ({ creditId, isInSuspense: true, partner });

/**
 * Money that arrived and that nobody has recorded: it waits in accounts of its own until somebody
 * does.
 */
export function createSuspense({ store, book, verification, businessClock, outbox, clock, ceilings }: SuspenseDeps) {
  /**
   * Books a credit that matched nothing, inside a transaction; `isApart` where no repayment may be
   * paid out of it.
   */
  async function put(
    tenantId: string,
    credit: UnmatchedCredit,
    { interactionId, today: on }: VerificationDecision,
    isApart: boolean,
    session: Session,
  ): Promise<string> {
    const { creditId, amountMinor, currency, reference } = credit;
    await store
      .forTenant(tenantId)
      .insertCredit({ ...credit, state: "SUSPENSE", ...(isApart && { isApart: true as const }) }, session);
    const description = `Bank credit ${reference}`.slice(0, 200);
    const cause = { kind: "loan_suspense", description, interactionId, createdBy: "lending", on };
    // The bank chooses its ids; the ledger's keys have a form.
    const digest = createHash("sha256").update(creditId).digest("hex").slice(0, 40);
    const postingId = `credit:${digest}`;
    const own = (accountId: string) => (isApart ? `${accountId}:${digest}` : accountId);
    const debitAccountId = own(partnerAccount("bank", credit.partner, currency));
    const creditAccountId = own(lendingAccount("suspense", currency));
    await book.move(tenantId, postingId, currency, [{ debitAccountId, creditAccountId, amountMinor }], cause, session);
    return `posting:${postingId}`;
  }

  /** Takes the credit out for a repayment that was recorded after its money had come. */
  async function matchRepayment(tenantId: string, repaymentId: string): Promise<void> {
    const tenant = store.forTenant(tenantId);
    const time = await businessClock.forTenant(tenantId);
    const isMatched = await store.transaction<boolean>(
      async (session) => {
        const repayment = await tenant.findRepayment(repaymentId, session);
        if (repayment?.status !== "PENDING_VERIFICATION" || !repayment.isMatchable) return false;
        // When the claim ends without the loan, it is looked for again.
        const loan = await tenant.findLoan(repayment.accountId, session);
        if (loan?.claimedBy !== undefined) return false;
        const { matchReference, amountMinor, currency } = repayment;
        const credit = await tenant.findInSuspense(matchReference, amountMinor, currency, session);
        if (credit === undefined) return false;
        const decision = bankDecision(time, clock.now(), inSuspense(credit));
        await verification.verify(tenantId, repaymentId, decision, session);
        if (!(await tenant.takeFromSuspense(credit, repaymentId, session))) throw new Error("the credit was taken");
        return true;
      },
      async () => undefined,
    );
    if (isMatched) outbox.wake();
  }

  /**
   * Of a loan that was written off: what names it and nobody recorded counts by the bank's word
   * alone, as what comes from then on does.
   */
  async function collectWaiting(tenantId: string, accountId: string): Promise<void> {
    const tenant = store.forTenant(tenantId);
    const loan = await tenant.findLoan(accountId);
    if (loan?.status !== "WRITTEN_OFF") return;
    const { currency } = loan;
    for (let after = ""; ;) {
      const found = await tenant.listNaming(comparableReference(loan.reference), currency, after, creditsAtOnce);
      for (const credit of found) {
        const call = { tenantId, interactionId: `match:${accountId}` };
        if ((await ceilings.passedBy(call, { minor: credit.amountMinor, currency })) !== undefined) continue;
        await collect(tenantId, accountId, credit);
      }
      if (found.length < creditsAtOnce) return;
      after = found.at(-1)?.creditId ?? "";
    }
  }

  async function collect(tenantId: string, accountId: string, credit: Credit): Promise<void> {
    const tenant = store.forTenant(tenantId);
    const time = await businessClock.forTenant(tenantId);
    const decision = bankDecision(time, clock.now(), inSuspense(credit));
    const aheadMs = time.now().getTime() - clock.now().getTime();
    const isTaken = await store.transaction<boolean>(
      async (session) => {
        const [loan, another] = await tenant.listUnrecorded(credit.matchReference, session);
        if (loan?.accountId !== accountId || another !== undefined || loan.claimedBy !== undefined) return false;
        const paidOn = paidOnOf(new Date(credit.receivedAt.getTime() + aheadMs), time.timeZone, loan);
        const repayment = collectedRepayment(uuidv7(), loan, credit, paidOn, clock.now());
        if (!(await tenant.takeFromSuspense(credit, repayment.repaymentId, session))) return false;
        await tenant.insertRepayment(repayment, session);
        await book.note(tenantId, { ...loan, pendingMinor: loan.pendingMinor + credit.amountMinor }, session);
        await verification.verify(tenantId, repayment.repaymentId, decision, session);
        return true;
      },
      async () => ((await tenant.findCredit(credit.creditId))?.state === "SUSPENSE" ? undefined : true),
    );
    if (isTaken) outbox.wake();
  }

  return {
    put,
    matchRepayment,
    /**
     * Everything that waits on a loan which was claimed, or written off: its
     * money may have come meanwhile.
     */
    async matchLoan(tenantId: string, accountId: string): Promise<void> {
      const waiting = await store.forTenant(tenantId).listPendingOf(accountId);
      for (const { repaymentId } of waiting) await matchRepayment(tenantId, repaymentId);
      await collectWaiting(tenantId, accountId);
    },
  };
}
