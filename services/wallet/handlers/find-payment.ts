import type { Call } from "../../kernel/grpc/context.js";
import { Refusal } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import type { Payment } from "../domain/payment.js";
import type { WalletStore } from "../store/index.js";

/** Refuses NOT_FOUND. */
export async function findPayment(store: WalletStore, paymentId: string, call: Call): Promise<Payment> {
  const payment = await store.forTenant(call.tenantId).findPayment(textFromWire(paymentId, "paymentId"));
  if (payment === undefined) throw new Refusal("NOT_FOUND", "no such payment");
  return payment;
}
