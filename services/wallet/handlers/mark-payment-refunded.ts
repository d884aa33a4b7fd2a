import type { MarkPaymentRefundedRequest } from "../../../proto/gen/wallet/v1/wallet.js";
import type { Call } from "../../shared/grpc/context.js";
import { moneyFromWire } from "../../shared/money.js";
import { Refusal } from "../../shared/refusal.js";
import { textFromWire } from "../../shared/wire-text.js";
import { noteRefund } from "../domain/payment.js";
import type { WalletDeps } from "./deps.js";

/**
 * Notes that the ledger has put a payment's money, or a part of it, back into its wallet. Safe to
 * repeat. Refuses NOT_FOUND, and STATE_CONFLICT where the payment has not paid for this
 * transaction.
 */
export function markPaymentRefunded({ store, clock }: Pick<WalletDeps, "store" | "clock">) {
  return async (request: MarkPaymentRefundedRequest, call: Call): Promise<object> => {
    const paymentId = textFromWire(request.paymentId, "paymentId");
    const transactionId = textFromWire(request.transactionId, "transactionId");
    const amount = moneyFromWire(request.refunded, "refunded");
    const refundedAt = request.refundedAt ?? clock.now();
    const wallet = store.forTenant(call.tenantId);
    for (;;) {
      const payment = await wallet.findPayment(paymentId);
      if (payment === undefined) throw new Refusal("NOT_FOUND", "no such payment");
      const isPart = request.isPart && ({ isPart: true } as const);
      const refund = noteRefund(payment, { transactionId, amount, refundedAt, ...isPart });
      if (refund === undefined) return {};
      if (await wallet.refundPayment(payment, refund)) return {};
      call.signal.throwIfAborted();
    }
  };
}
