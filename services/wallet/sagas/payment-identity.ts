import { identityOf, type SagaIdentity } from "../../kernel/sagas/index.js";
import type { Payment } from "../domain/payment.js";
import { rowKinds } from "../row-kinds.js";

export const makePaymentOperation = "wallet.v1.MakePayment";
export const sellTransactionOperation = "wallet.v1.SellTransaction";
export const sellFromAccountOperation = "wallet.v1.SellFromAccount";

/** The aggregate of a payment's outbox rows. */
export const aggregateOfPayment = (paymentId: string): string => `payment:${paymentId}`;

export function sagaOfPayment(tenantId: string, payment: Payment): SagaIdentity {
  const { paymentId, sale } = payment;
  const soldBy = sale?.tillId === undefined ? sellFromAccountOperation : sellTransactionOperation;
  return identityOf(tenantId, payment, {
    operation: sale === undefined ? makePaymentOperation : soldBy,
    aggregate: aggregateOfPayment(paymentId),
    recovery: rowKinds.drivePayment,
    payload: { paymentId },
  });
}
