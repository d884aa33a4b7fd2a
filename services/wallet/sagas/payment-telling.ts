import { outgoing } from "../../kernel/grpc/client.js";
import type { DriveContext } from "../../kernel/sagas/index.js";
import type { Remittance } from "../clients/neighbours.js";
import type { Payment } from "../domain/payment.js";

export interface PaymentTellingDeps {
  remittance: Pick<Remittance, "markTransactionPaid">;
}

const longestMs = 3_000;
// What is left of the payer's time for the payment's own end.
const reserveMs = 1_000;

/**
 * Tells remittance that a transaction's payment is posted; it may be told again. False where it did
 * not say in some seconds, or in the payer's time, that it knows: an outbox row tells it then.
 */
export async function tellOfPayment(
  { remittance }: PaymentTellingDeps,
  { tenantId, payment, paidAt }: { tenantId: string; payment: Payment; paidAt: Date },
  { deadline }: Pick<DriveContext, "deadline">,
): Promise<boolean> {
  const { paymentId, payableId: transactionId, interactionId } = payment;
  const now = Date.now();
  const endsAt = Math.min(now + longestMs, deadline === undefined ? Infinity : deadline.getTime() - reserveMs);
  if (endsAt <= now) return false;
  const call = outgoing({ tenantId, interactionId, deadline: new Date(endsAt) });
  return remittance.markTransactionPaid({ transactionId, paymentId, paidAt }, call).then(
    () => true,
    // Its row is tried until it succeeds, and is shown to an operator where it is refused.
    () => false,
  );
}
