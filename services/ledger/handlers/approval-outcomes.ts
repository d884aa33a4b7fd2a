import type { OutcomeHandler } from "../../platform/approvals/approval-outcomes.js";
import type { ApprovalKind } from "../../platform/approvals/approvals.js";
import { createManualJournalSaga } from "../sagas/manual-journal.js";
import { reopeningOutcome } from "./reopening-outcome.js";
import { settlementOutcome } from "./settlement-outcome.js";

type OutcomeDeps = Parameters<typeof settlementOutcome>[0] &
  Parameters<typeof createManualJournalSaga>[0] &
  Parameters<typeof reopeningOutcome>[0];

/** What two people decided, carried out in the transaction that remembers it. */
export function approvalOutcomes(deps: OutcomeDeps): Partial<Record<ApprovalKind, OutcomeHandler>> {
  return {
    SETTLEMENT: settlementOutcome(deps),
    JOURNAL: createManualJournalSaga(deps).outcome,
    PERIOD_REOPENING: reopeningOutcome(deps),
  };
}
