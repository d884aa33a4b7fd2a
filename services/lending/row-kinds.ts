import { rowKindsOf } from "../kernel/outbox/index.js";

/** Kinds of lending's outbox rows, as they are stored. */
export const rowKinds = rowKindsOf({
  matchRepayment: "match-repayment",
  /** Works a loan apart that a day has set aside. */
  resumeLoan: "resume-loan",
  drivePayoff: "drive-payoff",
  /** Looks in suspense for what a loan waits for. */
  matchLoan: "match-loan",
  driveDisbursement: "drive-disbursement",
  post: "post",
  watchDisbursement: "watch-disbursement",
  driveOverpaymentRefund: "drive-overpayment-refund",
});
