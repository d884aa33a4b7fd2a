import type { OwnPartner } from "../../platform/banks/own-partner.js";
import { Refusal } from "../../kernel/refusal.js";
import { formatMoney } from "../../kernel/money.js";
import type { UnmatchedCredit } from "./credit.js";
import { checkActive, checkUnclaimed, viewOf, type Loan } from "./loan.js";

export type RepaymentStatus = "PENDING_VERIFICATION" | "VERIFIED" | "REJECTED" | "CHARGED_BACK" | "PAID";

export interface Repayment {
  readonly repaymentId: string;
  /** Empty where the loan has none. */
  readonly loanApplicationId: string;
  readonly accountId: string;
  readonly customerId: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly status: RepaymentStatus;
  readonly method: "BANK_TRANSFER" | "WALLET" | "CARD";
  readonly reference: string;
  /** Only where the reference is the instructions' can the bank's own word verify it. */
  readonly isMatchable: boolean;
  /** The reference as it is compared. */
  readonly matchReference: string;
  readonly paidOn: string;
  readonly narration: string;
  readonly customerName: string;
  readonly email: string;
  readonly productName: string;
  readonly reason: string;
  readonly createdAt: Date;
  readonly decidedAt?: Date;
  readonly decidedBy?: string;
  readonly creditId?: string;
  /** The tenant's own bank or acquirer that has its money; the operator's where absent. */
  readonly partner?: OwnPartner;
}

/** References are compared without regard to case, spaces and hyphens: banks rewrite them. */
export function comparableReference(reference: string): string {
  return reference.toUpperCase().replace(/[^A-Z0-9]/g, "");
}

/**
 * A repayment that nobody recorded: a bank credit that names a loan which somebody else
 * collects, or which was written off.
 */
export function collectedRepayment(
  repaymentId: string,
  { accountId, customerId, loanApplicationId = "", productName }: Loan,
  { reference, matchReference, amountMinor, currency }: UnmatchedCredit,
  paidOn: string,
  createdAt: Date,
): Repayment {
  return {
    repaymentId,
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
    createdAt,
  };
}

/**
 * Whether a loan takes a repayment, in the order that was decided: MISSING_LOAN_APPLICATION,
 * LOAN_CLOSED, MANUAL_REPAYMENT_NOT_ALLOWED, INVALID_AMOUNT. What waits for verification counts
 * against what is payable.
 */
export function checkRepayable(loan: Loan, amountMinor: bigint): void {
  if (loan.status === "PENDING_DISBURSEMENT") throw new Refusal("LOAN_NOT_FOUND", "no active loan of this customer");
  if (loan.loanApplicationId === undefined) {
    throw new Refusal("MISSING_LOAN_APPLICATION", "the loan has no loan application");
  }
  checkActive(loan);
  if (loan.thirdPartyCollection) {
    throw new Refusal("MANUAL_REPAYMENT_NOT_ALLOWED", "somebody else collects the repayments of this loan");
  }
  checkUnclaimed(loan);
  const open = viewOf(loan, loan.accrual.through).position.totalPayableMinor - loan.pendingMinor;
  if (amountMinor <= 0n || amountMinor > open) throw invalidAmount(loan, open);
}

function invalidAmount({ currency, pendingMinor }: Loan, openMinor: bigint): Refusal {
  const text = (minor: bigint): string => formatMoney({ minor, currency });
  const [payable, waitingForVerification] = [text(openMinor), text(pendingMinor)];
  const waiting = pendingMinor > 0n ? `: ${waitingForVerification} ${currency} more waits for verification` : "";
  const message = `repaymentAmount must be above zero and at most ${payable} ${currency}${waiting}`;
  return new Refusal("INVALID_AMOUNT", message, { figures: { payable, waitingForVerification, currency } });
}
