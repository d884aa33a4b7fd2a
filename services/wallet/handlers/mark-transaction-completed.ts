import type { WalletServiceDefinition } from "../../../proto/gen/wallet/v1/wallet.js";
import { actorOf } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { Refusal } from "../../kernel/refusal.js";
import { deadlineOf } from "../../kernel/sagas/index.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import { commissionRow } from "../sagas/commission.js";
import type { WalletDeps } from "./deps.js";

/**
 * Notes that what a sale paid for is completed, and has its commission booked. Safe to repeat; a
 * sale that earns nothing stays as it is.
 */
export function completionHandlers({ store, clock, outbox, payments, crashPoint }: WalletDeps) {
  return {
    async markTransactionCompleted(request, call) {
      const paymentId = textFromWire(request.paymentId, "paymentId");
      const transactionId = textFromWire(request.transactionId, "transactionId");
      const completedAt = request.completedAt ?? clock.now();
      const { tenantId, interactionId } = call;
      const wallet = store.forTenant(tenantId);
      let payment = await wallet.findPayment(paymentId);
      if (payment?.ending === undefined && payment?.payableId === transactionId) {
        // Its process died between telling remittance and its own end, which is made up for here.
        await payments.driveById(tenantId, paymentId, deadlineOf(call));
        payment = await wallet.findPayment(paymentId);
      }
      if (payment === undefined) throw new Refusal("NOT_FOUND", "no such payment");
      const { payableType, payableId, ending, sale } = payment;
      if (payableType !== "TRANSACTION" || payableId !== transactionId || ending?.status !== "SUCCESS") {
        throw new Refusal("STATE_CONFLICT", "the payment has not paid for this transaction");
      }
      if (sale?.commission === undefined) return {};
      await store.transaction(
        async (session) => {
          if (!(await wallet.noteCompleted(paymentId, completedAt, session))) return;
          // Refunds have numbers from 2 on, whichever is told first.
          await outbox.add(commissionRow({ tenantId, interactionId, actor: actorOf(call) }, { paymentId }, 1), session);
        },
        // What was noted is read again, and is then nothing new.
        async () => undefined,
      );
      crashPoint("wallet.commission.completion-noted");
      outbox.wakeSoon();
      return {};
    },
  } satisfies Partial<Handlers<WalletServiceDefinition>>;
}
