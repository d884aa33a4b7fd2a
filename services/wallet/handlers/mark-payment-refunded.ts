import { v7 as uuidv7 } from "uuid";
import type { WalletServiceDefinition } from "../../../proto/gen/wallet/v1/wallet.js";
import { actorOf, type Call } from "../../kernel/grpc/context.js";
import { moneyFromWire } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import { deadlineOf } from "../../kernel/sagas/index.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { payableOfRefund } from "../domain/counter-payable.js";
import { recordRefund, type Payment, type PaymentRefund } from "../domain/payment.js";
import { commissionRow } from "../sagas/commission.js";
import { paymentEventRow } from "../wire/event-rows.js";
import type { WalletDeps } from "./deps.js";

/**
 * Notes that the ledger has put a payment's money, or a part of it, back into its wallet; of a
 * counter sale it is then owed to its sender in cash. Safe to repeat. Refuses NOT_FOUND, and
 * STATE_CONFLICT where the payment has not paid for this transaction.
 */
export function paymentRefundHandlers({ store, clock, outbox, payments, crashPoint }: WalletDeps) {
  /** Notes and tells it in one commit; false where somebody else was first. */
  async function noted(payment: Payment, refund: PaymentRefund, call: Call): Promise<boolean> {
    const { tenantId, interactionId } = call;
    const wallet = store.forTenant(tenantId);
    const isNoted = await store.transaction(
      async (session) => {
        const after = await wallet.refundPayment(payment, refund, session);
        if (after === undefined) return false;
        const owed = payableOfRefund(payment, refund, { payableId: uuidv7(), createdAt: clock.now() });
        if (owed !== undefined) await wallet.insertCounterPayable(owed, session);
        const cause = { tenantId, interactionId, actor: actorOf(call) };
        await outbox.add(paymentEventRow(cause, "payment.refunded", after, refund.refundedAt), session);
        if (payment.sale?.commission !== undefined) {
          await outbox.add(commissionRow(cause, payment, after.told ?? 2), session);
        }
        return true;
      },
      // What was noted is read again, and is then nothing new.
      async () => undefined,
    );
    if (isNoted && payment.sale !== undefined) crashPoint("wallet.counter-payable.opened");
    if (isNoted) outbox.wakeSoon();
    return isNoted;
  }

  return {
    async markPaymentRefunded(request, call) {
      const paymentId = textFromWire(request.paymentId, "paymentId");
      const transactionId = textFromWire(request.transactionId, "transactionId");
      const amount = moneyFromWire(request.refunded, "refunded");
      const refundedAt = request.refundedAt ?? clock.now();
      const wallet = store.forTenant(call.tenantId);
      for (;;) {
        const payment = await wallet.findPayment(paymentId);
        if (payment === undefined) throw new Refusal("NOT_FOUND", "no such payment");
        if (payment.ending === undefined && payment.payableId === transactionId) {
          // Its process died between telling remittance and its own end, which is made up for here.
          await payments.driveById(call.tenantId, paymentId, deadlineOf(call));
          continue;
        }
        const isPart = request.isPart && ({ isPart: true } as const);
        const refund = recordRefund(payment, { transactionId, amount, refundedAt, ...isPart });
        if (refund === undefined) return {};
        if (await noted(payment, refund, call)) return {};
        call.signal.throwIfAborted();
      }
    },
  } satisfies Partial<Handlers<WalletServiceDefinition>>;
}
