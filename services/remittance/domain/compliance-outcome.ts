import { Refusal } from "../../kernel/refusal.js";
import { payableForMs } from "./payment-window.js";
import type { Change } from "./transaction.js";
import { transparencyIncomplete } from "./transparency.js";

export interface ComplianceOutcome {
  decision: "PENDING" | "APPROVED" | "REVIEW" | "REJECTED";
  reasonCode: string;
  message: string;
  outstandingRequirements: string[];
  policyVersion: number;
  /**
   * What the transparency policy asks of it, there or missing: it goes to a partner who is told of
   * them alone. Absent for nothing.
   */
  transparencyMembers?: string[];
  /** More may be asked once it is known how it is paid for. */
  asksByFunding?: true;
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
 * What the customer is told of a rejection: a limit, a missing confirmation and what must be known
 * first by name, all else neutrally.
 */
export function rejectionOf({ reasonCode, message, outstandingRequirements }: ComplianceOutcome): Refusal {
  switch (reasonCode) {
    case "TRANSPARENCY_INCOMPLETE":
      return transparencyIncomplete(outstandingRequirements);
    case "DAILY_LIMIT_EXCEEDED":
    case "CUSTOMER_NOT_CONFIRMED":
      return new Refusal(reasonCode, message);
    default:
      return new Refusal("COMPLIANCE_REJECTED", "compliance refuses this transaction");
  }
}
