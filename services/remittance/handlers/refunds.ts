import { v7 as uuidv7 } from "uuid";
import {
  RequestRefundRequest,
  RequestRefundResponse,
  type RemittanceServiceDefinition,
} from "../../../proto/gen/remittance/v1/remittance.js";
import { crashPoint } from "../../kernel/process/crash-point.js";
import { requireUser } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { formatMoney, parseMoney } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import { idFromWire } from "../../kernel/text/wire-text.js";
import { assertKey } from "../wire/fields.js";
import { keptRefunds, requestPayoutRefund } from "../domain/refund.js";
import { refundToWire } from "../wire/transactions.js";
import { reasonFromWire } from "../../kernel/text/reason.js";
import type { RemittanceDeps } from "./deps.js";
import { createPersonQuestions } from "./person-questions.js";

/** Money back on request: one person asks, another one decides, the ledger follows. */
export function refundHandlers(deps: RemittanceDeps) {
  const { store, people, runOnce, clock } = deps;
  const questions = createPersonQuestions(deps);

  return {
    async requestRefund(request, call) {
      assertKey(request.idempotencyKey);
      const transactionId = idFromWire(request.transactionId, "transactionId");
      const reason = reasonFromWire(request.reason);
      const { tenantId } = call;
      const { userId } = requireUser(call);
      const tenant = store.forTenant(tenantId);
      const requested = await runOnce({
        operation: "request-refund",
        request,
        requestType: RequestRefundRequest,
        response: RequestRefundResponse,
        call,
        async work(session) {
          const before = await tenant.findTransaction(transactionId, session);
          if (before === undefined) throw new Refusal("TRANSACTION_NOT_FOUND", "no such transaction");
          await people.assertMayChange(before, call);
          const { currency } = before.price.total;
          const amount = request.amount === "" ? undefined : parseMoney(request.amount, currency, "amount");
          const now = clock.now();
          const whence = request.fromRecipient && ({ fromRecipient: true } as const);
          const terms = {
            refundId: uuidv7(),
            reason,
            askedBy: userId,
            ...(amount !== undefined && { amount }),
            ...whence,
          };
          const { refund, refunds } = requestPayoutRefund(before, terms, now);
          const after = await tenant.change(before, { set: { refunds } }, { at: now, actor: userId }, session);
          if (after === undefined) throw new Error("a transaction changed inside this transaction's snapshot");
          return { refund: refundToWire(refund) };
        },
      });
      crashPoint("remittance.refund.asked");
      const refundId = requested.refund?.refundId ?? "";
      const answer = await questions.ask(
        transactionId,
        {
          id: { refundId },
          find: (transaction) => keptRefunds.find(transaction, refundId),
          question({ amount, fromRecipient }, { transactionCode }) {
            const isBack = fromRecipient !== undefined;
            const sum = `${formatMoney(amount)} ${amount.currency}`;
            return {
              idempotencyKey: `refund:${refundId}`,
              kind: isBack ? "REVERSAL" : "REFUND",
              summary: `${isBack ? "Reversal" : "Refund"} of ${sum} for ${transactionCode}`,
              amount,
            };
          },
          note: (transaction, noted) => keptRefunds.note(transaction, refundId, noted),
        },
        call,
      );
      if (answer === undefined) throw new Error(`refund ${refundId} was asked and is gone`);
      return { refund: refundToWire(answer.asked), approvalStatus: answer.approvalStatus };
    },
  } satisfies Partial<Handlers<RemittanceServiceDefinition>>;
}
