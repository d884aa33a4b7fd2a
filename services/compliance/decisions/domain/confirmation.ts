import type { DecisionKind } from "./decision.js";
import type { CustomerStatus } from "./moves.js";
import { isMet, type Requirement } from "./requirements.js";
import type { RiskModel } from "./risk-model.js";

/**
 * The decision on a customer: APPROVED once every mandatory requirement is met and the score is
 * below the model's threshold. `inherent` is the score of what nobody can fulfil.
 */
export function decideOnCustomer(
  model: RiskModel,
  { score, inherent, requirements }: { score: number; inherent: number; requirements: readonly Requirement[] },
  now: Date,
): DecisionKind {
  if (inherent >= model.rejectFrom) return "REJECTED";
  const mandatory = requirements.filter((one) => one.mandatory);
  if (mandatory.some((one) => !isMet(one, now))) return "PENDING";
  // A policy that asks nothing of this customer has not said that they may come in, unless they
  // have shown who they are.
  if (mandatory.length === 0 && !requirements.some((one) => isIdentityShown(one, now))) return "REVIEW";
  if (score < model.approveBelow) return "APPROVED";
  return score >= model.rejectFrom ? "REJECTED" : "REVIEW";
}

const isIdentityShown = (one: Requirement, now: Date): boolean => one.kind === "IDENTITY_DOCUMENT" && isMet(one, now);

/**
 * The status and its reason of a waiting customer whom the approval threshold has just confirmed.
 */
export function confirmationOf(
  status: CustomerStatus,
  decision: DecisionKind,
): { status: "CONFIRMED"; reason: string } | undefined {
  if (status !== "PENDING" || decision !== "APPROVED") return undefined;
  return { status: "CONFIRMED", reason: "the approval threshold is met" };
}
