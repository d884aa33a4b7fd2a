import type { GetPaymentRequest } from "../../../proto/gen/wallet/v1/refunds.js";
import type { GetPaymentResponse } from "../../../proto/gen/wallet/v1/wallet.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import { Refusal } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import type { Payment } from "../domain/payment.js";
import type { WalletStore } from "../store/index.js";
import { paymentToWire } from "../wire/payments.js";
import type { WalletDeps } from "./deps.js";

/** Refuses NOT_FOUND, FORBIDDEN for another customer's. */
export function getPayment({ store }: WalletDeps) {
  return async (request: GetPaymentRequest, call: Call): Promise<GetPaymentResponse> => {
    const payment = await findPayment(store, request.paymentId, call);
    const { role, customerId } = requireUser(call);
    if (role === "CUSTOMER" && payment.customerId !== customerId) {
      throw new Refusal("FORBIDDEN", "this is another customer's");
    }
    return { payment: paymentToWire(payment) };
  };
}

/** Refuses NOT_FOUND. */
export async function findPayment(store: WalletStore, paymentId: string, call: Call): Promise<Payment> {
  const payment = await store.forTenant(call.tenantId).findPayment(textFromWire(paymentId, "paymentId"));
  if (payment === undefined) throw new Refusal("NOT_FOUND", "no such payment");
  return payment;
}
