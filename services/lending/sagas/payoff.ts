import type { PayoffLoanResponse as Response } from "../../../proto/gen/lending/v1/repayment.js";
import { PayoffLoanResponse } from "../../../proto/gen/lending/v1/repayment.js";
import type { Clock } from "../../shared/clocks/clock.js";
import { outgoing } from "../../shared/grpc/client.js";
import type { WirePartial } from "../../shared/grpc/definition.js";
import type { Idempotency, StoredAnswer, Ticket } from "../../shared/idempotency/index.js";
import type { Outbox, RelayContext } from "../../shared/outbox/index.js";
import { keptRefusal, passing, Refusal, type RefusalCode } from "../../shared/refusal.js";
import type { BankConnector } from "../clients/bank-connector.js";
import { lendingAccount } from "../domain/books.js";
import { checkActive, checkUnclaimed, type Loan } from "../domain/loan.js";
import type { Payoff } from "../domain/payoff.js";
import type { Repayment } from "../domain/repayment.js";
import { effectiveOn, type LedgerPostings } from "../clients/ledger-postings.js";
import type { LoanBook } from "./loan-book.js";
import type { Wallet } from "../clients/neighbours.js";
import { answerOf } from "../handlers/requests.js";
import type { LendingStore, Session } from "../store/index.js";
import type { Verification } from "./verification.js";

export const drivePayoff = "drive-payoff";
/** Looks in suspense for what a loan waits for. */
export const matchLoan = "match-loan";
export const payoffOperation = "lending.v1.PayoffLoan";

export interface PayoffDeps {
  store: LendingStore;
  book: LoanBook;
  verification: Pick<Verification, "rejectAllOf">;
  postings: Pick<LedgerPostings, "openOwn">;
  wallet: Pick<Wallet, "debitWallet">;
  connector: Pick<BankConnector, "charge">;
  idempotency: Idempotency;
  outbox: Outbox;
  clock: Clock;
  crashPoint: (name: string) => void;
  /** How long a caller has before recovery takes over, in ms. */
  recoverAfterMs: number;
}

export interface PayoffPass {
  readonly deadline?: Date;
  /** Set by the relay: closes the row in the payoff's last transaction. */
  readonly closeRow?: RelayContext["complete"];
  readonly today: string;
}

export type Payoffs = ReturnType<typeof createPayoffs>;

// What a wallet decides for good; after any other failure the same question is asked again.
const decisions: ReadonlySet<RefusalCode> = new Set([
  "INSUFFICIENT_FUNDS",
  "ACCOUNT_CLOSED",
  "ACCOUNT_FROZEN",
  "CURRENCY_MISMATCH",
  "CUSTOMER_NOT_CONFIRMED",
  "COMPLIANCE_REJECTED",
  "ACCOUNT_NOT_FOUND",
] as const);

const sources = { WALLET: "clearing", BANK_TRANSFER: "bank", CARD: "card" } as const;

/** Payoffs: the loan is claimed, then the money is taken, then the loan ends. */
export function createPayoffs(deps: PayoffDeps) {
  const { store, book, verification, postings, wallet, connector, idempotency, outbox, clock, crashPoint } = deps;

  /**
   * First transaction. WALLET and CARD claim the loan, so that nothing else is applied and nobody pays it a second time. Refuses LOAN_CLOSED,
   * STATE_CONFLICT while another payoff has it or when something happened to the loan since it was looked at.
   */
  async function begin(tenantId: string, payoff: Payoff, seen: Loan, ticket: Ticket): Promise<void> {
    const { payoffId, method, interactionId, createdBy, accountId } = payoff;
    const tenant = store.forTenant(tenantId);
    await store.transaction(
      async (session) => {
        const loan = await tenant.findLoan(accountId, session);
        if (loan === undefined) throw new Error(`loan ${accountId} is not there`);
        checkActive(loan);
        checkUnclaimed(loan);
        if (loan.events.length !== seen.events.length) throw passing("STATE_CONFLICT", "the loan changed meanwhile");
        if (method === "WALLET") await idempotency.begin(ticket, payoffId, session);
        else await idempotency.completeAtOnce(ticket, waitingAnswer(payoff), session);
        await tenant.insertPayoff(payoff, session);
        if (method === "BANK_TRANSFER") return true;
        await book.note(tenantId, { ...loan, payoffId }, session);
        const dueAt = new Date(clock.now().getTime() + (method === "WALLET" ? deps.recoverAfterMs : 0));
        const row = { tenantId, aggregate: `payoff:${payoffId}`, seq: 1, kind: drivePayoff, payload: { payoffId } };
        await outbox.add({ ...row, interactionId, actor: createdBy, dueAt }, session);
        return true;
      },
      async () => ((await tenant.findPayoff(payoffId)) === undefined ? undefined : true),
    );
    crashPoint("lending.payoff.begun");
    if (method === "CARD") outbox.wake();
  }

  /** Drives a payoff to its end; idempotent and safe beside itself. Throws while the outcome is unknown. */
  async function drive(tenantId: string, payoffId: string, pass: PayoffPass): Promise<StoredAnswer> {
    const payoff = await store.forTenant(tenantId).findPayoff(payoffId);
    if (payoff === undefined) throw new Error(`payoff ${payoffId} is not there`);
    if (payoff.status !== "PENDING") return endedAnswer(payoff);
    const refusal = payoff.method === "WALLET" ? await debit(tenantId, payoff, pass) : await charge(tenantId, payoff);
    crashPoint("lending.payoff.paid");
    const ended =
      refusal === undefined ? await settle(tenantId, payoff, pass) : await fail(tenantId, payoff, refusal, pass);
    crashPoint("lending.payoff.ended");
    await book.carryOut(tenantId, payoff.accountId);
    return ended;
  }

  async function debit(tenantId: string, payoff: Payoff, { deadline }: PayoffPass): Promise<Refusal | undefined> {
    const { payoffId, walletAccountId = "", customerId, currency, amountMinor, interactionId, reference } = payoff;
    if (amountMinor === 0n) return undefined;
    const creditAccountId = lendingAccount("clearing", currency);
    await postings.openOwn(tenantId, creditAccountId, currency, interactionId);
    const effectiveAt = effectiveOn(tenantId, payoff.on);
    const request = {
      idempotencyKey: payoffId,
      accountId: walletAccountId,
      customerId,
      legs: [{ creditAccountId, amountMinor, kind: "loan_payoff" }],
      description: `Payoff of loan ${reference}`,
      ...(effectiveAt === undefined ? {} : { effectiveAt }),
    };
    try {
      await wallet.debitWallet(
        request,
        outgoing({ tenantId, interactionId, ...(deadline === undefined ? {} : { deadline }) }),
      );
      return undefined;
    } catch (error) {
      if (error instanceof Refusal && decisions.has(error.code)) return error;
      throw error;
    }
  }

  async function charge(tenantId: string, payoff: Payoff): Promise<Refusal | undefined> {
    const { payoffId, cardToken = "", amountMinor, currency } = payoff;
    if (amountMinor === 0n) return undefined;
    const said = await connector.charge(payoffId, cardToken, { minor: amountMinor, currency }, { tenantId });
    if (said.status === "CAPTURED") return undefined;
    if (said.status === "PENDING") throw new Refusal("UNAVAILABLE", "the card has not answered yet");
    return new Refusal("CARD_REFUSED", said.reason === "" ? "the card was refused" : said.reason);
  }

  /** The loan ends with it, inside a transaction; undefined when the payoff or the loan had ended already. */
  async function settleIn(
    tenantId: string,
    payoff: Payoff,
    today: string,
    session: Session,
  ): Promise<Payoff | undefined> {
    const tenant = store.forTenant(tenantId);
    const {
      payoffId,
      accountId,
      amountMinor,
      currency,
      on,
      interestThrough,
      payoffFeeMinor: feeMinor,
      method,
    } = payoff;
    const loan = await tenant.findLoan(accountId, session);
    if (loan === undefined) throw new Error(`loan ${accountId} is not there`);
    if (loan.status !== "ACTIVE" || (loan.payoffId !== undefined && loan.payoffId !== payoffId)) return undefined;
    const sourceAccountId = lendingAccount(sources[method], currency);
    const event = {
      type: "PAYOFF" as const,
      id: payoffId,
      on,
      amountMinor,
      sourceAccountId,
      interestThrough,
      feeMinor,
    };
    const why = "the loan was paid off another way";
    const rejected = await verification.rejectAllOf(tenantId, accountId, clock.now(), why, session);
    const { payoffId: _claim, ...rest } = loan;
    const changed = { ...rest, events: [...loan.events, event], pendingMinor: loan.pendingMinor - rejected };
    const { interactionId, createdBy, reference } = payoff;
    const cause = { kind: "loan_payoff", description: `Payoff of loan ${reference}`, interactionId, createdBy };
    const settled = await book.settle(tenantId, changed, today, cause, session);
    const { cardToken: _token, ...kept } = payoff;
    const ended = {
      ...kept,
      status: "SETTLED" as const,
      settledAt: clock.now(),
      loanStatus: settled.loan.status,
      remainingMinor: settled.position.totalPayableMinor,
    };
    if (!(await tenant.endPayoff(ended, session))) return undefined;
    await tenant.insertRepayment(repaymentOf(ended, loan), session);
    return ended;
  }

  /** Ends one that waits for the bank: what comes for it now is no payoff. Inside a transaction. */
  async function lapseIn(tenantId: string, payoff: Payoff, message: string, session: Session): Promise<void> {
    const failure = { code: "QUOTE_EXPIRED" as const, message };
    await store.forTenant(tenantId).endPayoff({ ...payoff, status: "FAILED", failure }, session);
  }

  async function settle(tenantId: string, payoff: Payoff, pass: PayoffPass): Promise<StoredAnswer> {
    return end(tenantId, payoff, pass, async (session) => {
      const settled = await settleIn(tenantId, payoff, pass.today, session);
      if (settled === undefined) throw new Error(`payoff ${payoff.payoffId} was paid and its loan is not active`);
      return settled;
    });
  }

  async function fail(tenantId: string, payoff: Payoff, refusal: Refusal, pass: PayoffPass): Promise<StoredAnswer> {
    return end(tenantId, payoff, pass, async (session) => {
      const tenant = store.forTenant(tenantId);
      const loan = await tenant.findLoan(payoff.accountId, session);
      if (loan?.payoffId === payoff.payoffId) {
        const { payoffId: _claim, ...rest } = loan;
        const { version } = await book.note(tenantId, rest, session);
        // What came for it meanwhile lies in suspense.
        const row = { tenantId, aggregate: `match:${loan.accountId}`, seq: version, kind: matchLoan };
        const payload = { accountId: loan.accountId };
        await outbox.add({ ...row, payload, interactionId: payoff.interactionId, actor: payoff.createdBy }, session);
      }
      const { cardToken: _token, ...kept } = payoff;
      const failed = { ...kept, status: "FAILED" as const, failure: keptRefusal(refusal) };
      if (!(await tenant.endPayoff(failed, session))) throw new Error("a payoff ended twice");
      return failed;
    });
  }

  async function end(tenantId: string, payoff: Payoff, pass: PayoffPass, apply: (session: Session) => Promise<Payoff>) {
    const tenant = store.forTenant(tenantId);
    const { payoffId } = payoff;
    const standing = async (): Promise<StoredAnswer | undefined> => {
      const found = await tenant.findPayoff(payoffId);
      return found === undefined || found.status === "PENDING" ? undefined : endedAnswer(found);
    };
    return store.transaction<StoredAnswer>(async (session) => {
      const now = await tenant.findPayoff(payoffId, session);
      if (now !== undefined && now.status !== "PENDING") return endedAnswer(now);
      const answer = endedAnswer(await apply(session));
      if (payoff.method === "WALLET") {
        const { caller, idempotencyKey: key } = payoff;
        await idempotency.complete({ scope: { tenantId, caller, operation: payoffOperation, key } }, answer, session);
      }
      if (pass.closeRow !== undefined) await pass.closeRow(session);
      else await outbox.finish(tenantId, { aggregate: `payoff:${payoffId}`, kind: drivePayoff }, session);
      return answer;
    }, standing);
  }

  return { begin, drive, settleIn, lapseIn };
}

/** What is answered while bank or card have not: the loan is as it was. */
export function waitingAnswer(payoff: Payoff): StoredAnswer {
  return answerOf<Response>(PayoffLoanResponse, {
    ...commonOf(payoff),
    remainingBalanceMinor: payoff.amountMinor,
    loanStatus: "ACTIVE",
    payoffDate: payoff.createdAt,
    isSettled: false,
  });
}

function endedAnswer(payoff: Payoff): StoredAnswer {
  if (payoff.failure !== undefined) return { kind: "refusal", ...payoff.failure };
  const { remainingMinor = 0n, loanStatus = "", settledAt } = payoff;
  return answerOf<Response>(PayoffLoanResponse, {
    ...commonOf(payoff),
    remainingBalanceMinor: remainingMinor,
    loanStatus,
    payoffDate: settledAt,
    isSettled: true,
  });
}

function commonOf({ payoffId, loanApplicationId, amountMinor, currency, reference }: Payoff): WirePartial<Response> {
  return {
    repaymentId: payoffId,
    loanApplicationId,
    payoffAmount: { amountMinor, currency },
    transactionReference: reference,
  };
}

function repaymentOf(payoff: Payoff, loan: Loan): Repayment {
  const {
    payoffId,
    loanApplicationId,
    accountId,
    customerId,
    amountMinor,
    currency,
    method,
    reference,
    matchReference,
    on,
    settledAt,
  } = payoff;
  return {
    repaymentId: payoffId,
    loanApplicationId,
    accountId,
    customerId,
    amountMinor,
    currency,
    status: method === "BANK_TRANSFER" ? "VERIFIED" : "PAID",
    method,
    reference,
    isMatchable: false,
    matchReference,
    paidOn: on,
    narration: "",
    customerName: "",
    email: "",
    productName: loan.productName,
    reason: "",
    createdAt: payoff.createdAt,
    ...(settledAt === undefined ? {} : { decidedAt: settledAt }),
  };
}
