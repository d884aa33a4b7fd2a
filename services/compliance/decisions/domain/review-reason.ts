import type { RecordedDecision } from "./recorded-decision.js";
import { verdictOf } from "../../screening/domain/summary.js";

export type ReviewReason =
  | "SCREENING_HIT"
  | "SCREENING_UNAVAILABLE"
  | "PARTIES_UNKNOWN"
  | "RULE"
  | "NO_POLICY"
  | "DOCUMENTS"
  | "CUSTOMER_NOT_CONFIRMED"
  | "FORCED";

/**
 * Why a transaction waits, for officers alone. What a person has to do first is said where
 * there are several reasons. Pure.
 */
export function reviewReasonOf({ decision, reasonCode, inputs, matchedRules }: RecordedDecision): ReviewReason {
  if (decision === "PENDING") return reasonCode === "CUSTOMER_NOT_CONFIRMED" ? reasonCode : "DOCUMENTS";
  if (reasonCode === "NO_POLICY" || reasonCode === "SCREENING_UNAVAILABLE") return reasonCode;
  const verdict = verdictOf(inputs.screening);
  if (verdict === "STOPPED" || verdict === "CONFIRMED") return "SCREENING_HIT";
  if (verdict === "UNKNOWN") return "PARTIES_UNKNOWN";
  return inputs.forced === "REVIEW" && matchedRules.length === 0 ? "FORCED" : "RULE";
}
