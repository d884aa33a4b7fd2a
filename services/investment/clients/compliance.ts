import { decisionOr } from "../../platform/neighbours/decision.js";
import { outgoing, type OutgoingContext } from "../../kernel/grpc/client.js";
import { moneyToWire } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import type { Application, WaitingFor } from "../domain/application.js";
import type { Compliance } from "./neighbours.js";

/** What compliance decided on an application; what waits is not decided yet. */
export type ComplianceDecision =
  | { readonly kind: "approved" }
  | { readonly kind: "refused"; readonly refusal: Refusal }
  | ({ readonly kind: "waits" } & WaitingFor);

/**
 * Decided once per application; what waits may be decided later, so it may be asked again. Throws
 * while nothing is known: UNAVAILABLE.
 */
export async function requestDecision(
  compliance: Pick<Compliance, "checkCustomerAction">,
  { applicationId: actionId, customerId, total }: Application,
  call: OutgoingContext,
): Promise<ComplianceDecision> {
  const request = { actionId, customerId, kind: "INVESTMENT", amount: moneyToWire(total) } as const;
  const { decision, outstandingRequirements } = await compliance
    .checkCustomerAction(request, outgoing(call))
    .catch((error: unknown) => {
      throw decisionOr(error, new Set(), "a check of an application");
    });
  switch (decision) {
    case "DECISION_APPROVED":
      return { kind: "approved" };
    case "DECISION_PENDING":
      return { kind: "waits", decision: "PENDING", outstandingRequirements };
    case "DECISION_REVIEW":
      return { kind: "waits", decision: "REVIEW", outstandingRequirements: [] };
    case "DECISION_REJECTED":
      // Why is not the customer's to hear.
      return { kind: "refused", refusal: new Refusal("COMPLIANCE_REJECTED", "compliance refuses this investment") };
    default:
      throw new Error(`compliance decided ${decision}`);
  }
}
