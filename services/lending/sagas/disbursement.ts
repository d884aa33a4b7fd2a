import type { Takers } from "../../platform/banks/partners-of-kind.js";
import type { BusinessClock } from "../../platform/preferences/business-clock.js";
import type { Clock } from "../../kernel/time/clock.js";
import type { Outbox, RelayContext, RowHandler } from "../../kernel/outbox/index.js";
import type { Refusal } from "../../kernel/refusal.js";
import { identityOf, type SagaIdentity, type SagaOrigin, type Sagas } from "../../kernel/sagas/index.js";
import type { LedgerPostings } from "../clients/ledger-postings.js";
import type { MoneyOut, Target } from "../clients/money-out.js";
import type { Application } from "../domain/application.js";
import type { DisbursementLeg } from "../domain/books.js";
import { disbursedLoan, disbursementLegs, transferReference } from "../domain/disbursement.js";
import type { Loan } from "../domain/loan.js";
import { postingOf } from "../domain/postings.js";
import { disbursementFeeOf } from "../domain/product.js";
import type { LendingStore, Session } from "../store/index.js";
import { loanRow } from "../wire/event-rows.js";
import { createDisbursementDecision } from "./disbursement-decision.js";
import { firstWatch } from "./disbursement-return.js";
import type { LoanBook } from "./loan-book.js";
import { noAnswer } from "./unasked.js";
import { rowKinds } from "../row-kinds.js";

export interface DisbursementDeps {
  store: LendingStore;
  sagas: Sagas;
  book: LoanBook;
  postings: Pick<LedgerPostings, "post">;
  moneyOut: MoneyOut;
  banks: Pick<Takers, "takerOf">;
  businessClock: BusinessClock;
  outbox: Outbox;
  clock: Clock;
  crashPoint: (name: string) => void;
}

export type Disbursements = ReturnType<typeof createDisbursements>;

/** On whose behalf a disbursement is driven. */
type Origin = Pick<SagaOrigin, "interactionId" | "createdBy">;

/** Pays approved loans out. The money goes first; the loan begins when it is surely there. */
export function createDisbursements(deps: DisbursementDeps) {
  const { store, sagas, book, postings, moneyOut, businessClock, outbox, clock, crashPoint } = deps;
  const decideOnce = createDisbursementDecision(deps);

  /**
   * Begins to pay an application out that two people approved, inside the transaction that
   * remembers their decision.
   */
  async function begin(tenantId: string, paying: Application, origin: Origin, session: Session): Promise<void> {
    await store.forTenant(tenantId).replaceApplication(paying, session);
    await sagas.beginUnasked(sagaOf(tenantId, paying, origin), session);
  }

  /**
   * Undefined when the money is there; the refusal when it will never be. Throws while that is not
   * known.
   */
  async function payOut(
    target: Target,
    { disbursement }: Application,
    { accountId, customerId, productName, currency, reference }: Loan,
    legs: readonly DisbursementLeg[],
    createdBy: string,
  ): Promise<Refusal | undefined> {
    const { tenantId, interactionId } = target;
    const { attempt = 1, startsOn: on = "", partner: at } = disbursement ?? {};
    const description = `Loan ${reference}`;
    const order = {
      reference: transferReference(accountId, attempt),
      amountMinor: legs[0]?.amountMinor ?? 0n,
      narration: description,
      at,
    };
    const refused = await moneyOut.send(target, order);
    if (refused !== undefined) return refused;
    const movements = legs.map((leg) => ({
      debitAccountId: accountId,
      creditAccountId: leg.accountId,
      amountMinor: leg.amountMinor,
    }));
    const cause = { kind: "loan_disbursement", description, interactionId, createdBy, on };
    const posting = postingOf(`disburse:${accountId}:${attempt}`, currency, movements, cause);
    return postings.post(tenantId, { ...posting, opens: { accountId, customerId, productName } });
  }

  /**
   * Begins the loan; what went to a bank is watched from then on, since it may come back. False
   * when it had begun.
   */
  async function activate(
    tenantId: string,
    loanApplicationId: string,
    accountId: string,
    legs: readonly DisbursementLeg[],
    today: string,
    { interactionId, createdBy }: Origin,
    session: Session,
  ): Promise<boolean> {
    const tenant = store.forTenant(tenantId);
    const loan = await tenant.findLoan(accountId, session);
    const now = await tenant.findApplication(loanApplicationId, session);
    if (loan?.status !== "PENDING_DISBURSEMENT" || now?.disbursement === undefined) return false;
    const cause = { kind: "loan_disbursement", description: `Loan ${loan.reference}`, interactionId, createdBy };
    const active = disbursedLoan(loan, now.disbursement.startsOn ?? today, legs);
    const { loan: begun } = await book.settle(tenantId, active, today, cause, session);
    const origin = { tenantId, interactionId, actor: createdBy };
    await outbox.add(loanRow(origin, "loan.disbursed", begun, today, clock.now()), session);
    await tenant.noteTenant(session);
    const disbursement = { ...now.disbursement, status: "DONE" as const };
    await tenant.replaceApplication({ ...now, disbursement, version: now.version + 1 }, session);
    if (now.payTo?.kind === "BANK") {
      const reference = transferReference(accountId, disbursement.attempt);
      const { partner: at } = disbursement;
      const watch = firstWatch(clock.now(), { loanApplicationId, accountId, reference, ...(at && { at }) });
      await outbox.add(
        { tenantId, kind: rowKinds.watchDisbursement, interactionId, actor: createdBy, ...watch },
        session,
      );
    }
    return true;
  }

  /** False when it had ended. */
  async function fail(tenantId: string, loanApplicationId: string, failure: string, session: Session) {
    const tenant = store.forTenant(tenantId);
    const now = await tenant.findApplication(loanApplicationId, session);
    if (now?.disbursement?.status !== "PAYING") return false;
    const disbursement = { ...now.disbursement, status: "FAILED" as const, failure };
    await tenant.replaceApplication({ ...now, disbursement, version: now.version + 1 }, session);
    return true;
  }

  async function end(
    saga: SagaIdentity,
    loanApplicationId: string,
    apply: (session: Session) => Promise<boolean>,
    closeRecovery: RelayContext["complete"],
  ): Promise<void> {
    const tenant = store.forTenant(saga.tenantId);
    const readBack = async () =>
      (await tenant.findApplication(loanApplicationId))?.disbursement?.status === "PAYING" ? undefined : noAnswer;
    await sagas.end(saga, { answer: noAnswer, apply, readBack }, { closeRecovery });
  }

  const drive: RowHandler = async ({ tenantId, payload, interactionId, actor }, { complete: closeRecovery }) => {
    const { loanApplicationId } = payload as { loanApplicationId: string };
    const origin = { interactionId, createdBy: actor };
    const application = await decideOnce(tenantId, interactionId, loanApplicationId);
    if (application === undefined) return;
    const { payTo, customerId, productId, productVersion, accountId = "" } = application;
    const tenant = store.forTenant(tenantId);
    const loan = await tenant.findLoan(accountId);
    const product = await tenant.findProductVersion(productId, productVersion);
    if (loan === undefined || product === undefined || payTo === undefined)
      throw new Error("an accepted application has a loan, a product, and says where its money goes");
    if (loan.status !== "PENDING_DISBURSEMENT") return;
    crashPoint("lending.disbursement.begun");
    const target = { tenantId, interactionId, customerId, currency: loan.currency, payTo };
    const legs = disbursementLegs(
      loan,
      { payTo, at: application.disbursement?.partner },
      disbursementFeeOf(product, loan.terms.principalMinor),
    );
    const refusal = await payOut(target, application, loan, legs, actor);
    crashPoint("lending.disbursement.paid");
    const today = (await businessClock.forTenant(tenantId)).today().toString();
    const apply = (session: Session) =>
      refusal === undefined
        ? activate(tenantId, loanApplicationId, accountId, legs, today, origin, session)
        : fail(tenantId, loanApplicationId, refusal.message, session);
    await end(sagaOf(tenantId, application, origin), loanApplicationId, apply, closeRecovery);
    crashPoint("lending.disbursement.ended");
    await book.carryOut(tenantId, accountId);
  };

  return { begin, drive };
}

/** Each attempt is a saga of its own: the bank has its transfer under its number. */
function sagaOf(tenantId: string, { loanApplicationId, disbursement }: Application, origin: Origin): SagaIdentity {
  return identityOf(
    tenantId,
    { ...origin, caller: origin.createdBy, idempotencyKey: "" },
    {
      operation: "disbursement",
      aggregate: `application:${loanApplicationId}:${disbursement?.attempt ?? 1}`,
      recovery: rowKinds.driveDisbursement,
      payload: { loanApplicationId },
    },
  );
}
