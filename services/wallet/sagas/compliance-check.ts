import type {
  CheckWalletPaymentRequest,
  CheckWalletPaymentResponse,
} from "../../../proto/gen/compliance/v1/compliance.js";
import { decisionOr } from "../../platform/neighbours/decision.js";
import { outgoing } from "../../kernel/grpc/client.js";
import { moneyToWire, type Money } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import { deadlineOf, type DriveContext } from "../../kernel/sagas/index.js";
import type { Compliance } from "../clients/neighbours.js";

export interface ComplianceCheck extends Pick<CheckWalletPaymentRequest, "customerId" | "payeeCustomerId" | "kind"> {
  /**
   * Of the payment or the hold: compliance decides once for it, and takes its part of the day's
   * limit.
   */
  readonly paymentId: string;
  readonly amount: Money;
  /** The money moves right after the answer. */
  readonly atOnce?: boolean;
}

/**
 * Compliance's one answer, or its refusal. Throws UNAVAILABLE, DEADLINE_EXCEEDED while it has not
 * decided.
 */
export async function checkWithCompliance(
  compliance: Pick<Compliance, "checkWalletPayment">,
  by: { tenantId: string; interactionId: string },
  { amount, ...check }: ComplianceCheck,
  context: DriveContext,
): Promise<CheckWalletPaymentResponse | Refusal> {
  const call = outgoing({ ...by, ...deadlineOf(context) });
  const request = { ...check, amount: moneyToWire(amount) };
  const answer = await compliance.checkWalletPayment(request, call).catch((error: unknown) => {
    throw decisionOr(error, new Set(), "a check of a payment or a hold");
  });
  return answer.approved ? answer : refusalOf(answer);
}

/** Names a limit, a missing confirmation and missing documents; all else is refused neutrally. */
export function refusalOf({
  reasonCode,
  message,
  outstandingRequirements,
}: Pick<CheckWalletPaymentResponse, "reasonCode" | "message" | "outstandingRequirements">): Refusal {
  if (reasonCode === "DAILY_LIMIT_EXCEEDED" || reasonCode === "CUSTOMER_NOT_CONFIRMED") {
    return new Refusal(reasonCode, message);
  }
  const isMissing = outstandingRequirements.length > 0;
  return new Refusal("COMPLIANCE_REJECTED", isMissing ? message : "compliance refuses this payment");
}
