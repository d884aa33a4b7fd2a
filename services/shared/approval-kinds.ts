/** What is asked of a second person. */
export const approvalKinds = [
  "REPAYMENT_VERIFICATION",
  "REFUND",
  "DISBURSEMENT",
  "WRITE_OFF",
  "REVERSAL",
  "DECISION_OVERRIDE",
  "PARTNER_CHANGE",
  "LIMIT_CHANGE",
  "CORRIDOR_CHANGE",
  "FACTOR_RESET",
  "CASH_IN",
  "SCREENING_CONFIRMATION",
  "SCREENING_RELEASE",
  "RATE_CHANGE",
] as const;
