import type { BusinessClock } from "../../shared/clocks/business-clock.js";
import type { Clock } from "../../shared/clocks/clock.js";
import type { Outbox, RowHandler } from "../../shared/outbox/index.js";
import type { Refusal } from "../../shared/refusal.js";
import { firstWatch, watchDisbursement } from "./disbursement-return.js";
import { pastFirstDue, type Application } from "../domain/application.js";
import { lendingAccount, type DisbursementLeg } from "../domain/books.js";
import type { Loan } from "../domain/loan.js";
import { postingOf } from "../domain/postings.js";
import { disbursementFeeOf } from "../domain/product.js";
import type { LedgerPostings } from "../clients/ledger-postings.js";
import type { LoanBook } from "./loan-book.js";
import { targetAccountOf, type MoneyOut, type Target } from "../clients/money-out.js";
import type { LendingStore } from "../store/index.js";

export const driveDisbursement = "drive-disbursement";

export interface DisbursementDeps {
  store: LendingStore;
  book: LoanBook;
  postings: Pick<LedgerPostings, "post">;
  moneyOut: MoneyOut;
  businessClock: BusinessClock;
  outbox: Outbox;
  clock: Clock;
  crashPoint: (name: string) => void;
}

interface Row {
  tenantId: string;
  interactionId: string;
  actor: string;
}

/** What the bank has the transfer of an attempt under. */
export function transferReference(accountId: string, attempt: number): string {
  return `loan-${accountId}-${attempt}`;
}

/** Pays approved loans out. The money goes first; the loan begins when it is surely there. */
export function createDisbursements(deps: DisbursementDeps) {
  const { store, book, postings, moneyOut, businessClock, outbox, clock, crashPoint } = deps;

  function targetOf({ tenantId, interactionId }: Row, { payTo, customerId }: Application, currency: string): Target {
    if (payTo === undefined) throw new Error("an accepted application says where its money goes");
    return { tenantId, interactionId, customerId, currency, payTo };
  }

  /**
   * The day the loan begins on is written down before anything goes out, and with it that its money has somewhere to go: whoever drives on
   * begins it on the same day, and asks no more. Undefined where nothing is to be paid.
   */
  async function begin(row: Row, loanApplicationId: string): Promise<Application | undefined> {
    const { tenantId } = row;
    const tenant = store.forTenant(tenantId);
    const seen = await tenant.findApplication(loanApplicationId);
    if (seen?.disbursement?.status !== "PAYING") return undefined;
    if (seen.disbursement.startsOn !== undefined) return seen;
    const today = (await businessClock.forTenant(tenantId)).today().toString();
    const product = await tenant.findProductVersion(seen.productId, seen.productVersion);
    if (product === undefined) throw new Error("an application has a product");
    const refusal = pastFirstDue(seen, today) ?? (await moneyOut.check(targetOf(row, seen, product.currency)));
    const begun = await store.transaction<Application | "over">(
      async (session) => {
        const application = await tenant.findApplication(loanApplicationId, session);
        if (application?.disbursement?.status !== "PAYING") return "over";
        if (application.disbursement.startsOn !== undefined) return application;
        const version = application.version + 1;
        if (refusal !== undefined) {
          const disbursement = { ...application.disbursement, status: "FAILED" as const, failure: refusal.message };
          await tenant.replaceApplication({ ...application, disbursement, version }, session);
          return "over";
        }
        const disbursement = { ...application.disbursement, startsOn: today };
        const changed = { ...application, disbursement, version };
        await tenant.replaceApplication(changed, session);
        return changed;
      },
      async () => undefined,
    );
    return begun === "over" ? undefined : begun;
  }

  /** Undefined when the money is there; the refusal when it will never be. Throws while that is not known. */
  async function payOut(
    row: Row,
    application: Application,
    loan: Loan,
    legs: readonly DisbursementLeg[],
  ): Promise<Refusal | undefined> {
    const { tenantId, interactionId, actor } = row;
    const { accountId, customerId, productName, currency, reference } = loan;
    const { disbursement } = application;
    const attempt = disbursement?.attempt ?? 1;
    const order = {
      reference: transferReference(accountId, attempt),
      amountMinor: legs[0]?.amountMinor ?? 0n,
      narration: `Loan ${reference}`,
    };
    const refused = await moneyOut.send(targetOf(row, application, currency), order);
    if (refused !== undefined) return refused;
    const movements = legs.map((leg) => ({
      debitAccountId: accountId,
      creditAccountId: leg.accountId,
      amountMinor: leg.amountMinor,
    }));
    const on = disbursement?.startsOn ?? "";
    const cause = { kind: "loan_disbursement", description: `Loan ${reference}`, interactionId, createdBy: actor, on };
    const posting = postingOf(`disburse:${accountId}:${attempt}`, currency, movements, cause);
    return postings.post(tenantId, { ...posting, opens: { accountId, customerId, productName } });
  }

  async function activate(
    row: Row,
    application: Application,
    seen: Loan,
    legs: readonly DisbursementLeg[],
  ): Promise<void> {
    const { tenantId, interactionId, actor: createdBy } = row;
    const tenant = store.forTenant(tenantId);
    const today = (await businessClock.forTenant(tenantId)).today().toString();
    const startsOn = application.disbursement?.startsOn ?? today;
    const cause = { kind: "loan_disbursement", description: `Loan ${seen.reference}`, interactionId, createdBy };
    await store.transaction(
      async (session) => {
        const loan = await tenant.findLoan(seen.accountId, session);
        const now = await tenant.findApplication(application.loanApplicationId, session);
        if (loan?.status !== "PENDING_DISBURSEMENT" || now?.disbursement === undefined) return true;
        // The ledger has these already.
        const booked: Record<string, bigint> = { [loan.accountId]: loan.terms.principalMinor };
        for (const { accountId, amountMinor } of legs) booked[accountId] = (booked[accountId] ?? 0n) - amountMinor;
        const active: Loan = {
          ...loan,
          status: "ACTIVE",
          disbursedOn: startsOn,
          terms: { ...loan.terms, startsOn },
          disbursement: legs,
          booked,
          accrual: { through: startsOn, accruedMinor: 0n },
        };
        await book.settle(tenantId, active, today, cause, session);
        await tenant.noteTenant(session);
        const disbursement = { ...now.disbursement, status: "DONE" as const };
        await tenant.replaceApplication({ ...now, disbursement, version: now.version + 1 }, session);
        if (now.payTo?.kind === "BANK") {
          const { loanApplicationId } = now;
          const reference = transferReference(loan.accountId, now.disbursement.attempt);
          const watch = firstWatch(clock.now(), { loanApplicationId, accountId: loan.accountId, reference });
          await outbox.add({ tenantId, kind: watchDisbursement, interactionId, actor: createdBy, ...watch }, session);
        }
        return true;
      },
      async () => ((await tenant.findLoan(seen.accountId))?.status === "ACTIVE" ? true : undefined),
    );
  }

  async function fail(tenantId: string, loanApplicationId: string, { message }: Refusal): Promise<void> {
    const tenant = store.forTenant(tenantId);
    await store.transaction(
      async (session) => {
        const now = await tenant.findApplication(loanApplicationId, session);
        if (now?.disbursement?.status !== "PAYING") return true;
        const disbursement = { ...now.disbursement, status: "FAILED" as const, failure: message };
        await tenant.replaceApplication({ ...now, disbursement, version: now.version + 1 }, session);
        return true;
      },
      async () => undefined,
    );
  }

  const drive: RowHandler = async (row) => {
    const { tenantId, payload } = row;
    const { loanApplicationId } = payload as { loanApplicationId: string };
    const application = await begin(row, loanApplicationId);
    if (application === undefined) return;
    const tenant = store.forTenant(tenantId);
    const loan = await tenant.findLoan(application.accountId ?? "");
    const product = await tenant.findProductVersion(application.productId, application.productVersion);
    if (loan === undefined || product === undefined)
      throw new Error("an accepted application has a loan and a product");
    if (loan.status !== "PENDING_DISBURSEMENT") return;
    crashPoint("lending.disbursement.begun");
    const { principalMinor } = loan.terms;
    const feeMinor = disbursementFeeOf(product, principalMinor);
    const legs = [
      {
        accountId: targetAccountOf(targetOf(row, application, loan.currency).payTo, loan.currency),
        amountMinor: principalMinor - feeMinor,
      },
      { accountId: lendingAccount("feeIncome", loan.currency), amountMinor: feeMinor },
    ].filter(({ amountMinor }) => amountMinor > 0n);
    const refusal = await payOut(row, application, loan, legs);
    crashPoint("lending.disbursement.paid");
    if (refusal === undefined) await activate(row, application, loan, legs);
    else await fail(tenantId, loanApplicationId, refusal);
    crashPoint("lending.disbursement.ended");
    await book.carryOut(tenantId, loan.accountId);
  };

  return { drive };
}

export type Disbursements = ReturnType<typeof createDisbursements>;
