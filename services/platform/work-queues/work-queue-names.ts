/** What waits for people, by the service that counts it. */
export const workQueues = {
  identity: ["APPROVALS_PENDING", "APPROVALS_TO_DECIDE", "REFUNDS_TO_DECIDE", "IDENTITY_ROWS_PARKED"],
  compliance: [
    "CASES_OPEN",
    "CASES_OVERDUE",
    "CASES_UNASSIGNED",
    "CASES_MINE",
    "REVIEWS_WAITING",
    "SCREENING_HITS_IN_REVIEW",
    "DOCUMENTS_TO_REVIEW",
    "SCREENING_LISTS_IN_USE",
    "COMPLIANCE_ROWS_PARKED",
  ],
  remittance: [
    "TRANSACTIONS_AWAITING_COMPLIANCE",
    "PAYOUTS_PROCESSING",
    "PAYOUTS_HELD",
    "PAYOUTS_UNCLEAR",
    "PAYOUTS_WITHOUT_CARRIER",
    "PAYOUTS_FAILED",
    "REMITTANCE_ROWS_PARKED",
  ],
  wallet: ["CREDITS_UNMATCHED", "ARRIVALS_HELD", "WALLET_ROWS_PARKED"],
  lending: ["REPAYMENTS_TO_VERIFY", "LOAN_APPLICATIONS_TO_DECIDE", "LOAN_CREDITS_IN_SUSPENSE", "LENDING_ROWS_PARKED"],
  investment: ["INVESTMENT_ROWS_PARKED"],
  ledger: ["LEDGER_ROWS_PARKED"],
  events: ["WEBHOOK_ENDPOINTS_DISABLED", "WEBHOOK_ENDPOINTS_FAILING", "EVENTS_ROWS_PARKED"],
} as const;

export type QueueingService = keyof typeof workQueues;
export type QueueName = (typeof workQueues)[QueueingService][number];
