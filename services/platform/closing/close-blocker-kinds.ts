/** What stands in the way of closing the books, by the service that finds it. */
export const closeBlockers = {
  identity: ["APPROVALS_OPEN", "ROWS_PARKED"],
  compliance: ["ROWS_PARKED"],
  remittance: ["ROWS_PARKED"],
  wallet: ["SUSPENSE_OLD", "ROWS_PARKED"],
  lending: ["SUSPENSE_OLD", "ROWS_PARKED"],
  investment: ["ROWS_PARKED"],
  events: ["ROWS_PARKED"],
  ledger: ["SETTLEMENTS_OPEN", "JOURNALS_OPEN", "REVALUATION_MISSING", "ROWS_PARKED"],
} as const;

export type BlockingService = keyof typeof closeBlockers;
export type CloseBlockerKind = (typeof closeBlockers)[BlockingService][number];
/** A service that gives no answer: nobody knows what it has. */
export const serviceAway = "SERVICE_AWAY";
