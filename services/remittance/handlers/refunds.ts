import { v7 as uuidv7 } from "uuid";
import {
  RequestRefundRequest,
  RequestRefundResponse,
  type RemittanceServiceDefinition,
} from "../../../proto/gen/remittance/v1/remittance.js";
import { stillRefused, takesNoQuestion } from "../../platform/approvals/approvals.js";
import { crashPoint } from "../../kernel/process/crash-point.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { formatMoney, parseMoney } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import { idFromWire } from "../../kernel/text/wire-text.js";
import { assertKey } from "../wire/fields.js";
import { requestPayoutRefund, type Refund } from "../domain/refund.js";
import { refundToWire } from "../wire/transactions.js";
import { reasonFromWire } from "../../kernel/text/reason.js";
import type { RemittanceDeps } from "./deps.js";

/** Money back on request: one person asks, another one decides, the ledger follows. */
export function refundHandlers(deps: RemittanceDeps) {
  const { store, people, runOnce, clock, approvals } = deps;

  /** Notes on the refund what identity made of the question. */
  async function note(tenantId: string, transactionId: string, refundId: string, part: Partial<Refund>, actor: string) {
    const tenant = store.forTenant(tenantId);
    for (;;) {
      const before = await tenant.findTransaction(transactionId);
      const refund = before?.refunds?.find((one) => one.refundId === refundId);
      // Decided meanwhile, or noted by the request before this one.
      if (before === undefined || refund?.status !== "ASKED" || refund.approvalId !== undefined) return;
      const refunds = before.refunds!.map((one) => (one === refund ? { ...one, ...part } : one));
      if (await tenant.change(before, { set: { refunds } }, { at: clock.now(), actor })) return;
    }
  }

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
      return question(requested, transactionId, call);
    },
  } satisfies Partial<Handlers<RemittanceServiceDefinition>>;

  /** The same question under the same key, however often it is repeated. */
  async function question(requested: RequestRefundResponse, transactionId: string, call: Call) {
    const { refundId = "", reason = "" } = requested.refund ?? {};
    const transaction = await store.forTenant(call.tenantId).findTransaction(transactionId);
    const refund = transaction?.refunds?.find((one) => one.refundId === refundId);
    if (transaction === undefined || refund === undefined) throw new Error(`refund ${refundId} was asked and is gone`);
    const { amount, status, approvalId: known, refusedBecause = "" } = refund;
    if (status === "REFUSED" && known === undefined) throw stillRefused(refusedBecause);
    try {
      const approval = await approvals.ask(call, {
        idempotencyKey: `refund:${refundId}`,
        kind: refund.fromRecipient === undefined ? "REFUND" : "REVERSAL",
        subject: `transaction:${transactionId}`,
        summary: `${refund.fromRecipient === undefined ? "Refund" : "Reversal"} of ${formatMoney(amount)} ${amount.currency} for ${transaction.transactionCode}`,
        amount,
        reason,
        payload: { transactionId, refundId },
        customerId: transaction.sender.customerId,
      });
      const { approvalId } = approval;
      await note(call.tenantId, transactionId, refundId, { approvalId }, refund.askedBy);
      return { refund: refundToWire({ ...refund, approvalId }), approvalStatus: approval.status };
    } catch (error) {
      if (!takesNoQuestion(error)) throw error;
      const part = { status: "REFUSED", refusedBecause: error.code } as const;
      await note(call.tenantId, transactionId, refundId, part, refund.askedBy);
      throw error;
    }
  }
}
