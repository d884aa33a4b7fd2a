import { createHash, randomUUID } from "node:crypto";
import type { BusinessClock } from "../shared/business-clock.js";
import type { Clock } from "../shared/clock.js";
import type { Logger } from "../shared/log.js";
import type { Outbox } from "../shared/outbox/index.js";
import type { ArrivedCredit, BankConnector } from "./connector/bank-connector.js";
import { lendingAccount } from "./domain/books.js";
import { comparableReference } from "./domain/repayment.js";
import type { LoanBook } from "./loan-book.js";
import type { Payoffs } from "./payoff-saga.js";
import type { Credit } from "./store/bank.js";
import type { LendingStore, Session } from "./store.js";
import type { Verification } from "./verification.js";

export interface BankFeedDeps {
  store: LendingStore;
  book: LoanBook;
  verification: Verification;
  payoffs: Pick<Payoffs, "settleIn">;
  connector: Pick<BankConnector, "credits">;
  businessClock: BusinessClock;
  outbox: Outbox;
  clock: Clock;
  log: Logger;
  crashPoint: (name: string) => void;
}

export type BankFeed = ReturnType<typeof createBankFeed>;

/** What arrives at the tenant's bank for loans: each credit once, to the repayment or payoff that it is, or into suspense. */
export function createBankFeed(deps: BankFeedDeps) {
  const { store, book, verification, payoffs, connector, businessClock, outbox, clock, log, crashPoint } = deps;

  async function take(tenantId: string, arrived: ArrivedCredit): Promise<void> {
    const tenant = store.forTenant(tenantId);
    const time = await businessClock.forTenant(tenantId);
    const { creditId, reference, amount, senderName, receivedAt } = arrived;
    const plain = { creditId, reference, senderName, receivedAt, amountMinor: amount.minor, currency: amount.currency };
    const credit = { ...plain, matchReference: comparableReference(reference) };
    const interactionId = `bank:${randomUUID()}`;
    const touched = await store.transaction<string>(
      async (session) => {
        if ((await tenant.findCredit(creditId, session)) !== undefined) return "";
        const verdict = {
          today: time.today().toString(),
          at: clock.now(),
          by: "bank",
          reason: "",
          interactionId,
          creditId,
          isInSuspense: false,
        };
        return (
          (await matched(tenantId, credit, verdict, session)) ??
          (await intoSuspense(tenantId, credit, interactionId, session))
        );
      },
      async () => ((await tenant.findCredit(creditId)) === undefined ? undefined : ""),
    );
    crashPoint("lending.credit.taken");
    if (touched !== "") await outbox.runNow(tenantId, touched);
  }

  type Plain = Omit<Credit, "state" | "matchedTo">;
  type Given = Parameters<Verification["verify"]>[2];

  /** The outbox aggregate to look at, when the credit is what somebody waits for. */
  async function matched(
    tenantId: string,
    credit: Plain,
    verdict: Given,
    session: Session,
  ): Promise<string | undefined> {
    const tenant = store.forTenant(tenantId);
    const { matchReference, amountMinor, currency } = credit;
    if (matchReference === "") return undefined;
    const repayment = await tenant.findMatch(matchReference, amountMinor, currency, session);
    if (repayment !== undefined) {
      await tenant.insertCredit({ ...credit, state: "MATCHED", matchedTo: repayment.repaymentId }, session);
      await verification.verify(tenantId, repayment.repaymentId, verdict, session);
      return book.aggregateOf(repayment.accountId);
    }
    const payoff = await tenant.findPayoffMatch(matchReference, amountMinor, currency, session);
    if (payoff === undefined) return undefined;
    if ((await payoffs.settleIn(tenantId, payoff, verdict.today, session)) === undefined) return undefined;
    await tenant.insertCredit({ ...credit, state: "MATCHED", matchedTo: payoff.payoffId }, session);
    return book.aggregateOf(payoff.accountId);
  }

  async function intoSuspense(
    tenantId: string,
    credit: Plain,
    interactionId: string,
    session: Session,
  ): Promise<string> {
    const { creditId, amountMinor, currency, reference } = credit;
    await store.forTenant(tenantId).insertCredit({ ...credit, state: "SUSPENSE" }, session);
    const [debitAccountId, creditAccountId] = [lendingAccount("bank", currency), lendingAccount("suspense", currency)];
    const cause = {
      kind: "loan_suspense",
      description: `Bank credit ${reference}`.slice(0, 200),
      interactionId,
      createdBy: "lending",
    };
    // The bank chooses its ids; the ledger's keys have a form.
    const postingId = `credit:${createHash("sha256").update(creditId).digest("hex").slice(0, 40)}`;
    await book.move(tenantId, postingId, currency, [{ debitAccountId, creditAccountId, amountMinor }], cause, session);
    return `posting:${postingId}`;
  }

  /** Takes what has arrived since the last look; stops at a credit that cannot be taken yet, which comes again. */
  async function read(tenantId: string): Promise<void> {
    for (;;) {
      const row = await store.forTenant(tenantId).findTenant();
      if (row === null) return;
      const { credits, nextCursor } = await connector.credits(row.creditCursor, { tenantId });
      if (credits.length === 0) return;
      for (const credit of credits) await take(tenantId, credit);
      if (!(await store.forTenant(tenantId).moveCreditCursor(row.creditCursor, nextCursor))) return;
    }
  }

  return {
    read,
    /** A repayment that was recorded after its money had come: the credit is taken out of suspense for it. */
    async matchSuspense(tenantId: string, repaymentId: string): Promise<void> {
      const tenant = store.forTenant(tenantId);
      const time = await businessClock.forTenant(tenantId);
      const accountId = await store.transaction<string>(
        async (session) => {
          const repayment = await tenant.findRepayment(repaymentId, session);
          if (repayment?.status !== "PENDING_VERIFICATION" || !repayment.isMatchable) return "";
          const { matchReference, amountMinor, currency } = repayment;
          const credit = await tenant.findInSuspense(matchReference, amountMinor, currency, session);
          if (credit === undefined) return "";
          const { creditId } = credit;
          const interactionId = `bank:${randomUUID()}`;
          const verdict = {
            today: time.today().toString(),
            at: clock.now(),
            by: "bank",
            reason: "",
            interactionId,
            creditId,
            isInSuspense: true,
          };
          await verification.verify(tenantId, repaymentId, verdict, session);
          if (!(await tenant.takeFromSuspense(credit, repaymentId, session))) throw new Error("the credit was taken");
          return repayment.accountId;
        },
        async () => undefined,
      );
      if (accountId !== "") outbox.wake();
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
