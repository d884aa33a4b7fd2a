import { Refusal } from "../../kernel/refusal.js";
import { payableForMs } from "./payment-window.js";
import type { Change } from "./transaction.js";

export interface ComplianceOutcome {
  decision: "PENDING" | "APPROVED" | "REVIEW" | "REJECTED";
  reasonCode: string;
  message: string;
  outstandingRequirements: string[];
  policyVersion: number;
}

/** What compliance's answer makes of a transaction that waits for it. */
export function afterCompliance(compliance: ComplianceOutcome, now: Date, waitsMs = payableForMs): Change {
  const { decision, reasonCode } = compliance;
  switch (decision) {
    case "APPROVED": {
      const expiresAt = new Date(now.getTime() + waitsMs);
      return { status: "AWAITING_PAYMENT", reason: "", set: { compliance, expiresAt } };
    }
    case "REJECTED":
      return { status: "REJECTED", reason: reasonCode, set: { compliance } };
    case "REVIEW":
    case "PENDING":
      return { set: { compliance } };
  }
}

/**
 * What the customer is told of a rejection: a limit and a missing confirmation by name, all else
 * neutrally.
 */
export function rejectionOf({ reasonCode, message }: ComplianceOutcome): Refusal {
  switch (reasonCode) {
    case "DAILY_LIMIT_EXCEEDED":
    case "CUSTOMER_NOT_CONFIRMED":
      return new Refusal(reasonCode, message);
    default:
      return new Refusal("COMPLIANCE_REJECTED", "compliance refuses this transaction");
  }
}
