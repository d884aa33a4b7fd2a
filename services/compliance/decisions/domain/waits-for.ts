import type { RecordedDecision } from "./recorded-decision.js";
import { verdictOf } from "../../screening/domain/summary.js";

/** What waits for documents, and what waits for a word on a hit, or for lists. */
export type WaitsFor = "DOCUMENTS" | "SCREENING";

/**
 * Whether a decision is made anew once that is there: what waits for a person alone stays theirs.
 */
export function isWaitingFor(
  waitsFor: WaitsFor,
  { isOpen, decision, reasonCode, inputs }: Pick<RecordedDecision, "isOpen" | "decision" | "reasonCode" | "inputs">,
): boolean {
  if (!isOpen) return false;
  if (waitsFor === "DOCUMENTS") return decision === "PENDING";
  const verdict = verdictOf(inputs.screening);
  if (reasonCode === "SCREENING_UNAVAILABLE") return true;
  return decision === "REVIEW" && verdict !== "CLEAR" && verdict !== "UNKNOWN";
}
