import type { Refund as WireRefund } from "../../../proto/gen/wallet/v1/refunds.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import { moneyToWire } from "../../kernel/money.js";
import type { Refund } from "../domain/refund.js";

export function refundToWire(refund: Refund): WirePartial<WireRefund> & WireRefund {
  const { refundId, paymentId, amount, status, reason, createdAt } = refund;
  return {
    refundId,
    paymentId,
    amount: moneyToWire(amount),
    status,
    reason,
    approvalId: refund.approvalId ?? "",
    failure: refund.failure ?? "",
    createdAt,
  };
}
