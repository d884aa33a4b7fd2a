import type { OutcomeHandler } from "../../platform/approvals/approval-outcomes.js";
import type { ApprovalKind } from "../../platform/approvals/approvals.js";

/** What two people decided, carried out in the transaction that remembers it. */
export function approvalOutcomes(): Partial<Record<ApprovalKind, OutcomeHandler>> {
  return {};
}
