import type { BusinessClock } from "../../platform/preferences/business-clock.js";
import type { Idempotency, StoredAnswer, Ticket } from "../../kernel/idempotency/index.js";
import type { Outbox } from "../../kernel/outbox/index.js";
import { storedRefusal, passing, type Refusal } from "../../kernel/refusal.js";
import { deadlineOf, identityOf, type DriveContext, type SagaIdentity, type Sagas } from "../../kernel/sagas/index.js";
import type { MoneyIn } from "../clients/money-in.js";
import { checkActive, checkUnclaimed, released, type Loan } from "../domain/loan.js";
import type { Payoff } from "../domain/payoff.js";
import type { LendingStore, Session } from "../store/index.js";
import { endedAnswer, waitingAnswer } from "../wire/payoff.js";
import type { LoanBook } from "./loan-book.js";
import type { PayoffSettlement } from "./payoff-settlement.js";
import { rowKinds } from "../row-kinds.js";

export const payoffOperation = "lending.v1.PayoffLoan";

export interface PayoffDeps {
  store: LendingStore;
  sagas: Sagas;
  book: LoanBook;
  moneyIn: MoneyIn;
  settlement: Pick<PayoffSettlement, "settleIn">;
  businessClock: BusinessClock;
  idempotency: Pick<Idempotency, "completeAtOnce" | "answerOf">;
  outbox: Outbox;
  crashPoint: (name: string) => void;
}

export type Payoffs = ReturnType<typeof createPayoffs>;

/** Payoffs: the loan is claimed, then the money is taken, then the loan ends. */
export function createPayoffs(deps: PayoffDeps) {
  const { store, sagas, book, moneyIn, settlement, businessClock, idempotency, outbox, crashPoint } = deps;

  /**
   * Claims the loan for a payoff, so that nothing else is applied and nobody pays it a second time.
   */
  async function claim(tenantId: string, payoff: Payoff, seen: Loan, session: Session): Promise<void> {
    const tenant = store.forTenant(tenantId);
    const { payoffId, method, accountId } = payoff;
    const loan = await tenant.findLoan(accountId, session);
    if (loan === undefined) throw new Error(`loan ${accountId} is not there`);
    checkActive(loan);
    checkUnclaimed(loan);
    if (loan.events.length !== seen.events.length) throw passing("STATE_CONFLICT", "the loan changed meanwhile");
    await tenant.insertPayoff(payoff, session);
    // A bank transfer may come in days, or never.
    if (method !== "BANK_TRANSFER") await book.note(tenantId, { ...loan, claimedBy: payoffId }, session);
  }

  /**
   * Begins a payoff of a loan that was seen so, and gives what drives it to its answer. WALLET is
   * driven while the caller waits; of CARD and BANK_TRANSFER the answer is that they wait. Refuses
   * LOAN_CLOSED, and STATE_CONFLICT while another payoff has the loan or when something happened to
   * it since.
   */
  async function begin(
    tenantId: string,
    payoff: Payoff,
    seen: Loan,
    ticket: Ticket,
    context: DriveContext,
  ): Promise<() => Promise<StoredAnswer>> {
    const { payoffId, method } = payoff;
    const saga = sagaOf(tenantId, payoff);
    const isThere = async () => ((await store.forTenant(tenantId).findPayoff(payoffId)) ? true : undefined);
    const insert = (session: Session) => claim(tenantId, payoff, seen, session).then(() => true);
    if (method === "WALLET") {
      await sagas.begin(saga, { ticket, id: payoffId, insert, readBack: isThere });
      crashPoint("lending.payoff.begun");
      return () => drive(tenantId, payoffId, context);
    }
    const answer = waitingAnswer(payoff);
    await store.transaction(async (session) => {
      await idempotency.completeAtOnce(ticket, answer, session);
      await insert(session);
      if (method === "CARD") await sagas.beginUnasked(saga, session);
      return true;
    }, isThere);
    crashPoint("lending.payoff.begun");
    if (method === "CARD") outbox.wake();
    return async () => answer;
  }

  /**
   * Drives a payoff to its end; idempotent and safe beside itself. Throws while the outcome is
   * unknown.
   */
  async function drive(tenantId: string, payoffId: string, context: DriveContext): Promise<StoredAnswer> {
    const payoff = await store.forTenant(tenantId).findPayoff(payoffId);
    if (payoff === undefined) throw new Error(`payoff ${payoffId} is not there`);
    const answered = endedAnswer(payoff);
    if (answered !== undefined) return answered;
    const today = (await businessClock.forTenant(tenantId)).today().toString();
    const refusal = await moneyIn.take(tenantId, payoff, deadlineOf(context));
    crashPoint("lending.payoff.paid");
    const ended = await end(tenantId, payoff, context, (session) =>
      refusal === undefined ? settle(tenantId, payoff, today, session) : fail(tenantId, payoff, refusal, session),
    );
    crashPoint("lending.payoff.ended");
    await book.carryOut(tenantId, payoff.accountId);
    return ended;
  }

  async function settle(tenantId: string, payoff: Payoff, today: string, session: Session): Promise<Payoff> {
    const settled = await settlement.settleIn(tenantId, payoff, today, session);
    if (settled === undefined) throw new Error(`payoff ${payoff.payoffId} was paid and its loan is not active`);
    return settled;
  }

  async function fail(tenantId: string, payoff: Payoff, refusal: Refusal, session: Session): Promise<Payoff> {
    const tenant = store.forTenant(tenantId);
    const { payoffId, accountId, interactionId, createdBy: actor } = payoff;
    const loan = await tenant.findLoan(accountId, session);
    if (loan?.claimedBy === payoffId) {
      const { version: seq } = await book.note(tenantId, released(loan), session);
      // What came for it meanwhile lies in suspense.
      const row = { tenantId, aggregate: `match:${accountId}`, seq, kind: rowKinds.matchLoan, payload: { accountId } };
      await outbox.add({ ...row, interactionId, actor }, session);
    }
    const { cardToken: _token, ...stored } = payoff;
    const failed = { ...stored, status: "FAILED" as const, failure: storedRefusal(refusal) };
    if (!(await tenant.endPayoff(failed, session))) throw new Error("a payoff ended twice");
    return failed;
  }

  /** What is left of the loan is known in the transaction that ends it, and with it the answer. */
  async function end(
    tenantId: string,
    payoff: Payoff,
    context: DriveContext,
    apply: (session: Session) => Promise<Payoff>,
  ): Promise<StoredAnswer> {
    const find = (session?: Session) => store.forTenant(tenantId).findPayoff(payoff.payoffId, session);
    const answerOf = (found: Payoff | undefined) => (found === undefined ? undefined : endedAnswer(found));
    let answer: StoredAnswer | undefined;
    return sagas.end(
      sagaOf(tenantId, payoff),
      {
        async apply(session) {
          if (answerOf(await find(session)) !== undefined) return false;
          answer = endedAnswer(await apply(session));
          return true;
        },
        answer() {
          if (answer === undefined) throw new Error(`payoff ${payoff.payoffId} ended without an answer`);
          return answer;
        },
        readBack: async () => answerOf(await find()),
      },
      context,
    );
  }

  return { begin, drive };
}

/** Nobody waits for a card: its key was answered when it began. */
function sagaOf(tenantId: string, payoff: Payoff): SagaIdentity {
  const { payoffId, method } = payoff;
  const origin = method === "WALLET" ? payoff : { ...payoff, idempotencyKey: "" };
  return identityOf(tenantId, origin, {
    operation: payoffOperation,
    aggregate: `payoff:${payoffId}`,
    recovery: rowKinds.drivePayoff,
    payload: { payoffId },
  });
}
