import type { MoveKind } from "../../../proto/gen/compliance/v1/compliance.js";
import { outgoing, type OutgoingContext } from "../../shared/grpc/client.js";
import { Refusal } from "../../shared/refusal.js";
import type { Compliance } from "./neighbours.js";

/**
 * Asks compliance's table (docs/decisions/0027) before a customer's own money moves for a loan. Refuses CUSTOMER_NOT_CONFIRMED, and
 * COMPLIANCE_REJECTED with neutral words.
 */
export async function checkMove(
  compliance: Pick<Compliance, "checkMoves">,
  customerId: string,
  kind: Extract<`${MoveKind}`, "MOVE_KIND_LOAN_REPAYMENT" | "MOVE_KIND_LOAN_PAYOFF">,
  call: OutgoingContext,
): Promise<void> {
  const [answer] = (await compliance.checkMoves({ moves: [{ customerId, kind }] }, outgoing(call))).answers;
  if (answer?.verdict === "MOVE_VERDICT_PASS") return;
  if (answer?.reasonCode === "CUSTOMER_NOT_CONFIRMED") {
    throw new Refusal("CUSTOMER_NOT_CONFIRMED", "the customer is not confirmed yet");
  }
  throw new Refusal("COMPLIANCE_REJECTED", "compliance refuses this payment");
}
