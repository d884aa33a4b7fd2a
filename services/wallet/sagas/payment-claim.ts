import { decisionOr } from "../../platform/neighbours/decision.js";
import { outgoing } from "../../kernel/grpc/client.js";
import { moneyFromWire, moneyToWire } from "../../kernel/money.js";
import { Refusal, type RefusalCode } from "../../kernel/refusal.js";
import { deadlineOf, type DriveContext } from "../../kernel/sagas/index.js";
import type { Remittance } from "../clients/neighbours.js";
import type { Posting } from "../clients/posting.js";
import type { Due, Payment } from "../domain/payment.js";
import { principalKeyOf } from "../domain/transfers.js";

// What remittance decides about a claim. After each of them the transaction is not held by this
// payment.
const claimDecisions: ReadonlySet<RefusalCode> = new Set([
  "INVALID_INPUT",
  "FORBIDDEN",
  "PAYER_NOT_SENDER",
  "NOT_FOUND",
  "PAYABLE_NOT_FOUND",
  "TRANSACTION_NOT_FOUND",
  "TRANSACTION_NOT_PAYABLE",
  "TRANSACTION_EXPIRED",
  "PAYABLE_ALREADY_PAID",
  "AMOUNT_MISMATCH",
  "CURRENCY_MISMATCH",
  "TRANSPARENCY_INCOMPLETE",
] as const);

/**
 * Claims a remittance transaction for its payment: what is due, or remittance's refusal. Throws
 * while it is not decided.
 */
export async function claimTransaction(
  { remittance, posting }: { remittance: Pick<Remittance, "claimTransaction">; posting: Posting },
  tenantId: string,
  payment: Payment,
  context: DriveContext,
): Promise<Due | Refusal> {
  const { paymentId, payableId: transactionId, customerId, total, interactionId, funding = "WALLET" } = payment;
  const { accountNumber, sale } = payment;
  const tillId = sale?.tillId ?? "";
  const agentId = sale?.lineMinor === undefined ? "" : sale.cashierId;
  const call = outgoing({ tenantId, interactionId, ...deadlineOf(context) });
  const claimed = { transactionId, paymentId, customerId, totalAmount: moneyToWire(total) };
  const request = { ...claimed, funding, accountNumber, tillId, agentId };
  try {
    const { principal, totalFees, totalTaxes, ...accounts } = await remittance.claimTransaction(request, call);
    return {
      ...accounts,
      principal: moneyFromWire(principal, "principal"),
      fees: moneyFromWire(totalFees, "totalFees"),
      taxes: moneyFromWire(totalTaxes, "totalTaxes"),
    };
  } catch (error) {
    const refusal = decisionOr(error, claimDecisions, "a claim");
    // A claim repeated for its own payment succeeds: were it refused after the money moved, failing
    // would lose it.
    if (context.isFirst !== true && (await posting.findPosted(tenantId, payment, principalKeyOf(payment), context))) {
      throw new Error(`payment ${paymentId} is posted but its claim was refused: ${refusal.code}`, { cause: error });
    }
    return refusal.code === "INVALID_INPUT" ? new Refusal("PAYABLE_NOT_FOUND", "no such transaction") : refusal;
  }
}
