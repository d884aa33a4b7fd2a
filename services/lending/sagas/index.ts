import { createDisbursements, type DisbursementDeps } from "./disbursement.js";
import { createDisbursementReturns, type DisbursementReturnDeps } from "./disbursement-return.js";
import { createLoanBook } from "./loan-book.js";
import { createOverpaymentRefunds, type OverpaymentRefundDeps } from "./overpayment-refund.js";
import { createPayoffs, type PayoffDeps } from "./payoff.js";
import { createPayoffSettlement } from "./payoff-settlement.js";
import { createVerification } from "./verification.js";

type SagaDeps = DisbursementDeps & DisbursementReturnDeps & OverpaymentRefundDeps & PayoffDeps;

/** What takes more than one commit, over the book of loans. */
export function createLendingSagas(deps: Omit<SagaDeps, "book" | "verification" | "settlement">) {
  const book = createLoanBook(deps);
  const verification = createVerification({ ...deps, book });
  const settlement = createPayoffSettlement({ ...deps, book, verification });
  const all = { ...deps, book, verification, settlement };
  return {
    book,
    verification,
    settlement,
    payoffs: createPayoffs(all),
    disbursements: createDisbursements(all),
    returns: createDisbursementReturns(all),
    overpaymentRefunds: createOverpaymentRefunds(all),
  };
}
