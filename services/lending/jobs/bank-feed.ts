import { createHash, randomUUID } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import type { AmountCeilings } from "../../shared/amount-ceilings.js";
import type { BusinessClock, BusinessTime } from "../../shared/clocks/business-clock.js";
import type { Clock } from "../../shared/clocks/clock.js";
import type { Logger } from "../../shared/log.js";
import type { Outbox } from "../../shared/outbox/index.js";
import { reportUnreadable } from "../../shared/partner/bank-credits.js";
import type { ArrivedCredit, BankConnector } from "../clients/bank-connector.js";
import { lendingAccount } from "../domain/books.js";
import type { Loan } from "../domain/loan.js";
import { payoffAt } from "../domain/payoff-figure.js";
import type { Payoff } from "../domain/payoff.js";
import { comparableReference, type Repayment } from "../domain/repayment.js";
import type { LoanBook } from "../sagas/loan-book.js";
import type { Payoffs } from "../sagas/payoff.js";
import type { Credit } from "../store/credits.js";
import type { LendingStore, Session } from "../store/index.js";
import type { Verification } from "../sagas/verification.js";

export interface BankFeedDeps {
  store: LendingStore;
  book: LoanBook;
  verification: Verification;
  payoffs: Pick<Payoffs, "settleIn" | "lapseIn">;
  connector: Pick<BankConnector, "credits">;
  businessClock: BusinessClock;
  ceilings: Pick<AmountCeilings, "passedBy">;
  outbox: Outbox;
  clock: Clock;
  log: Logger;
  crashPoint: (name: string) => void;
}

export type BankFeed = ReturnType<typeof createBankFeed>;

/** What arrives at the tenant's bank for loans: each credit once, to the repayment or payoff that it is, or into suspense. */
export function createBankFeed(deps: BankFeedDeps) {
  const { store, book, verification, payoffs, connector, businessClock, ceilings, outbox, clock, log, crashPoint } =
    deps;

  async function take(tenantId: string, arrived: ArrivedCredit): Promise<void> {
    const tenant = store.forTenant(tenantId);
    const time = await businessClock.forTenant(tenantId);
    const { creditId, reference, amount, senderName, receivedAt } = arrived;
    const plain = { creditId, reference, senderName, receivedAt, amountMinor: amount.minor, currency: amount.currency };
    const credit = { ...plain, matchReference: comparableReference(reference) };
    const interactionId = `bank:${randomUUID()}`;
    const verdict = { ...verdictOf(time, creditId, interactionId), isInSuspense: false };
    // The bank has it already: it waits in suspense, and what nobody would have let in takes no room of others.
    const passed = await ceilings.passedBy({ tenantId, interactionId }, amount);
    const isApart = passed === "OPERATOR";
    // A sandbox's business time runs ahead of the bank's.
    const aheadMs = time.now().getTime() - clock.now().getTime();
    const arrivedAt = new Date(receivedAt.getTime() + aheadMs);
    const touched = await store.transaction<string>(
      async (session) => {
        if ((await tenant.findCredit(creditId, session)) !== undefined) return "";
        const arrival = { arrivedAt, time, isWithinCeiling: passed === undefined };
        const found = isApart ? credit : await matched(tenantId, credit, arrival, verdict, session);
        return typeof found === "string" ? found : intoSuspense(tenantId, found, verdict, isApart, session);
      },
      async () => ((await tenant.findCredit(creditId)) === undefined ? undefined : ""),
    );
    crashPoint("lending.credit.taken");
    if (touched !== "") await outbox.runNow(tenantId, touched);
  }

  type Plain = Omit<Credit, "state" | "matchedTo">;
  type Given = Parameters<Verification["verify"]>[2];
  interface Arrival {
    /** Business time. */
    arrivedAt: Date;
    time: BusinessTime;
    /** The tenant's: what somebody recorded was let in before, what nobody recorded is not. */
    isWithinCeiling: boolean;
  }

  function verdictOf(time: BusinessTime, creditId: string, interactionId: string) {
    return { today: time.today().toString(), at: clock.now(), by: "bank", reason: "", interactionId, creditId };
  }

  /**
   * The outbox aggregate to look at, when the credit is what somebody waits for; else the credit as it goes into suspense. While a payoff has
   * claimed a loan its money waits in suspense too: nobody else's is kept waiting for a card.
   */
  async function matched(
    tenantId: string,
    credit: Plain,
    arrival: Arrival,
    verdict: Given,
    session: Session,
  ): Promise<string | Plain> {
    const tenant = store.forTenant(tenantId);
    const { matchReference, amountMinor, currency } = credit;
    if (matchReference === "") return credit;
    const repayment = await tenant.findMatch(matchReference, amountMinor, currency, session);
    if (repayment !== undefined) {
      if (await isClaimed(tenantId, repayment.accountId, session)) return credit;
      await tenant.insertCredit({ ...credit, state: "MATCHED", matchedTo: repayment.repaymentId }, session);
      await verification.verify(tenantId, repayment.repaymentId, verdict, session);
      return book.aggregateOf(repayment.accountId);
    }
    const payoff = await tenant.findPayoffMatch(matchReference, amountMinor, currency, session);
    if (payoff !== undefined) return paidOff(tenantId, credit, payoff, arrival.arrivedAt, verdict, session);
    return arrival.isWithinCeiling ? collected(tenantId, credit, arrival, verdict, session) : credit;
  }

  async function isClaimed(tenantId: string, accountId: string, session: Session): Promise<boolean> {
    return (await store.forTenant(tenantId).findLoan(accountId, session))?.payoffId !== undefined;
  }

  /** Money of a payoff settles it while it is good and still what the loan costs; after that it lies under the loan's own reference. */
  async function paidOff(
    tenantId: string,
    credit: Plain,
    payoff: Payoff,
    arrivedAt: Date,
    verdict: Given,
    session: Session,
  ): Promise<string | Plain> {
    const tenant = store.forTenant(tenantId);
    const loan = await tenant.findLoan(payoff.accountId, session);
    if (loan === undefined) throw new Error(`payoff ${payoff.payoffId} is of no loan`);
    const isLate = payoff.validUntil !== undefined && arrivedAt > payoff.validUntil;
    const isOther = loan.status !== "ACTIVE" || loan.payoffId !== undefined || isNoLongerDue(loan, payoff);
    if (isLate || isOther) {
      await payoffs.lapseIn(
        tenantId,
        payoff,
        isLate ? "its money came too late" : "the loan changed meanwhile",
        session,
      );
      return { ...credit, matchReference: comparableReference(loan.reference) };
    }
    if ((await payoffs.settleIn(tenantId, payoff, verdict.today, session)) === undefined) return credit;
    await tenant.insertCredit({ ...credit, state: "MATCHED", matchedTo: payoff.payoffId }, session);
    return book.aggregateOf(payoff.accountId);
  }

  function isNoLongerDue({ terms, events }: Loan, { on, amountMinor }: Payoff): boolean {
    return payoffAt(terms, events, on).amountMinor !== amountMinor;
  }

  /** Whoever collects for the tenant names the loan: nobody records such a repayment, so the bank's word alone counts. */
  async function collected(
    tenantId: string,
    credit: Plain,
    { arrivedAt, time }: Arrival,
    verdict: Given,
    session: Session,
  ): Promise<string | Plain> {
    const tenant = store.forTenant(tenantId);
    const [loan, another] = await tenant.listCollected(credit.matchReference, session);
    const isOurs = loan?.status === "ACTIVE" && loan.currency === credit.currency && loan.payoffId === undefined;
    if (loan === undefined || another !== undefined || !isOurs) return credit;
    const paidOn = Temporal.Instant.fromEpochMilliseconds(arrivedAt.getTime())
      .toZonedDateTimeISO(time.timeZone)
      .toPlainDate()
      .toString();
    const repayment = collectedRepayment(
      loan,
      credit,
      paidOn < loan.terms.startsOn ? loan.terms.startsOn : paidOn,
      clock,
    );
    await tenant.insertRepayment(repayment, session);
    await tenant.insertCredit({ ...credit, state: "MATCHED", matchedTo: repayment.repaymentId }, session);
    await book.note(tenantId, { ...loan, pendingMinor: loan.pendingMinor + credit.amountMinor }, session);
    await verification.verify(tenantId, repayment.repaymentId, verdict, session);
    return book.aggregateOf(loan.accountId);
  }

  async function intoSuspense(
    tenantId: string,
    credit: Plain,
    { interactionId, today: on }: Given,
    isApart: boolean,
    session: Session,
  ): Promise<string> {
    const { creditId, amountMinor, currency, reference } = credit;
    await store
      .forTenant(tenantId)
      .insertCredit({ ...credit, state: "SUSPENSE", ...(isApart && { isApart: true as const }) }, session);
    const cause = {
      kind: "loan_suspense",
      description: `Bank credit ${reference}`.slice(0, 200),
      interactionId,
      createdBy: "lending",
      on,
    };
    // The bank chooses its ids; the ledger's keys have a form.
    const digest = createHash("sha256").update(creditId).digest("hex").slice(0, 40);
    const postingId = `credit:${digest}`;
    const [debitAccountId, creditAccountId] = (["bank", "suspense"] as const).map((name) =>
      isApart ? `${lendingAccount(name, currency)}:${digest}` : lendingAccount(name, currency),
    ) as [string, string];
    await book.move(tenantId, postingId, currency, [{ debitAccountId, creditAccountId, amountMinor }], cause, session);
    return `posting:${postingId}`;
  }

  /** Takes what has arrived since the last look; stops at a credit that cannot be taken yet, which comes again. */
  async function read(tenantId: string): Promise<void> {
    for (;;) {
      const row = await store.forTenant(tenantId).findTenant();
      if (row === null) return;
      const { credits, unreadable, nextCursor } = await connector.credits(row.creditCursor, { tenantId });
      if (credits.length + unreadable.length === 0) return;
      for (const credit of credits) await take(tenantId, credit);
      reportUnreadable(unreadable, tenantId, log);
      if (!(await store.forTenant(tenantId).moveCreditCursor(row.creditCursor, nextCursor))) return;
    }
  }

  /** A repayment that was recorded after its money had come: the credit is taken out of suspense for it. */
  async function matchSuspense(tenantId: string, repaymentId: string): Promise<void> {
    const tenant = store.forTenant(tenantId);
    const time = await businessClock.forTenant(tenantId);
    const accountId = await store.transaction<string>(
      async (session) => {
        const repayment = await tenant.findRepayment(repaymentId, session);
        if (repayment?.status !== "PENDING_VERIFICATION" || !repayment.isMatchable) return "";
        // When the claim ends without the loan, it is looked for again.
        if (await isClaimed(tenantId, repayment.accountId, session)) return "";
        const { matchReference, amountMinor, currency } = repayment;
        const credit = await tenant.findInSuspense(matchReference, amountMinor, currency, session);
        if (credit === undefined) return "";
        const verdict = { ...verdictOf(time, credit.creditId, `bank:${randomUUID()}`), isInSuspense: true };
        await verification.verify(tenantId, repaymentId, verdict, session);
        if (!(await tenant.takeFromSuspense(credit, repaymentId, session))) throw new Error("the credit was taken");
        return repayment.accountId;
      },
      async () => undefined,
    );
    if (accountId !== "") outbox.wake();
  }

  return {
    read,
    matchSuspense,
    /** Everything that waits on a loan which was claimed: its money may have come meanwhile. */
    async matchLoan(tenantId: string, accountId: string): Promise<void> {
      const waiting = await store.forTenant(tenantId).listPendingOf(accountId);
      for (const { repaymentId } of waiting) await matchSuspense(tenantId, repaymentId);
    },
    /** All tenants, one after the other; one whose bank is away does not keep the others. */
    async readAll(): Promise<void> {
      for (const { tenantId } of await store.listTenants()) {
        await read(tenantId).catch((error: unknown) =>
          log.info({ err: error, tenantId }, "the bank's credits are read later"),
        );
      }
    },
  };
}

function collectedRepayment(
  loan: Loan,
  {
    reference,
    matchReference,
    amountMinor,
    currency,
  }: Pick<Credit, "reference" | "matchReference" | "amountMinor" | "currency">,
  paidOn: string,
  clock: Clock,
): Repayment {
  const { accountId, customerId, loanApplicationId = "", productName } = loan;
  return {
    repaymentId: uuidv7(),
    loanApplicationId,
    accountId,
    customerId,
    amountMinor,
    currency,
    status: "PENDING_VERIFICATION",
    method: "BANK_TRANSFER",
    reference,
    isMatchable: true,
    matchReference,
    paidOn,
    narration: "",
    customerName: "",
    email: "",
    productName,
    reason: "",
    createdAt: clock.now(),
  };
}
