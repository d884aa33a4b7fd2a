import { outgoing } from "../shared/grpc/client.js";
import type { BusinessClock } from "../shared/business-clock.js";
import { money } from "../shared/money.js";
import type { RowHandler } from "../shared/outbox/index.js";
import { Refusal } from "../shared/refusal.js";
import type { BankConnector } from "./connector/bank-connector.js";
import type { Application } from "./domain/application.js";
import { lendingAccount, type DisbursementLeg } from "./domain/books.js";
import type { Loan } from "./domain/loan.js";
import { postingOf } from "./domain/postings.js";
import { disbursementFeeOf } from "./domain/product.js";
import type { LedgerPostings } from "./ledger-postings.js";
import type { LoanBook } from "./loan-book.js";
import type { Wallet } from "./neighbours.js";
import type { LendingStore } from "./store.js";

export const driveDisbursement = "drive-disbursement";

export interface DisbursementDeps {
  store: LendingStore;
  book: LoanBook;
  postings: Pick<LedgerPostings, "post">;
  wallet: Pick<Wallet, "getBankAccount">;
  connector: Pick<BankConnector, "transfer">;
  businessClock: BusinessClock;
  crashPoint: (name: string) => void;
}

interface Row {
  tenantId: string;
  interactionId: string;
  actor: string;
}

/** Pays approved loans out. The money goes first; the loan begins when it is surely there. */
export function createDisbursements(deps: DisbursementDeps) {
  const { store, book, postings, wallet, connector, businessClock, crashPoint } = deps;

  /** The day the loan begins on is written down before anything goes out: whoever drives on begins it on the same. */
  async function begunOn(tenantId: string, loanApplicationId: string): Promise<Application | undefined> {
    const today = (await businessClock.forTenant(tenantId)).today().toString();
    const tenant = store.forTenant(tenantId);
    const begun = await store.transaction<Application | "over">(
      async (session) => {
        const application = await tenant.findApplication(loanApplicationId, session);
        if (application?.disbursement?.status !== "PAYING") return "over";
        if (application.disbursement.startsOn !== undefined) return application;
        const disbursement = { ...application.disbursement, startsOn: today };
        const changed = { ...application, disbursement, version: application.version + 1 };
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
    const { payTo, disbursement } = application;
    const attempt = disbursement?.attempt ?? 1;
    if (payTo?.kind === "BANK") {
      const refused = await transfer(row, loan, payTo.bankAccountId, legs[0]?.amountMinor ?? 0n, attempt);
      if (refused !== undefined) return refused;
    }
    const movements = legs.map((leg) => ({
      debitAccountId: accountId,
      creditAccountId: leg.accountId,
      amountMinor: leg.amountMinor,
    }));
    const cause = { kind: "loan_disbursement", description: `Loan ${reference}`, interactionId, createdBy: actor };
    const posting = postingOf(`disburse:${accountId}:${attempt}`, currency, movements, cause);
    return postings.post(tenantId, { ...posting, opens: { accountId, customerId, productName } });
  }

  async function transfer(row: Row, loan: Loan, bankAccountId: string, minor: bigint, attempt: number) {
    const { tenantId, interactionId } = row;
    const { accountId, customerId, currency, reference } = loan;
    const { account } = await wallet.getBankAccount(
      { bankAccountId, customerId },
      outgoing({ tenantId, interactionId }),
    );
    if (account === undefined) throw new Error("wallet answered without a bank account");
    const { bankCode, accountNumber, accountHolderName } = account;
    const to = { bankCode, accountNumber, accountHolderName, narration: `Loan ${reference}` };
    const order = { reference: `loan-${accountId}-${attempt}`, amount: money(minor, currency), ...to };
    const said = await connector.transfer(order, { tenantId });
    if (said.status === "ACCEPTED") throw new Refusal("UNAVAILABLE", "the bank has not paid it yet");
    return said.status === "PAID"
      ? undefined
      : new Refusal("VERIFICATION_FAILED", `the bank refused it: ${said.reason}`);
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
    const application = await begunOn(tenantId, loanApplicationId);
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
    const target =
      application.payTo?.kind === "WALLET" ? application.payTo.walletAccountId : lendingAccount("bank", loan.currency);
    const legs = [
      { accountId: target, amountMinor: principalMinor - feeMinor },
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
