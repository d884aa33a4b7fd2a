import { identityOf, type SagaIdentity } from "../../kernel/sagas/index.js";
import type { Payment } from "../domain/payment.js";
import { rowKinds } from "../row-kinds.js";

export const makePaymentOperation = "wallet.v1.MakePayment";
export const sellTransactionOperation = "wallet.v1.SellTransaction";

/** The aggregate of a payment's outbox rows. */
export const aggregateOfPayment = (paymentId: string): string => `payment:${paymentId}`;

export function sagaOfPayment(tenantId: string, payment: Payment): SagaIdentity {
  const { paymentId } = payment;
  return identityOf(tenantId, payment, {
    operation: payment.sale === undefined ? makePaymentOperation : sellTransactionOperation,
    aggregate: aggregateOfPayment(paymentId),
    recovery: rowKinds.drivePayment,
    payload: { paymentId },
  });
}
