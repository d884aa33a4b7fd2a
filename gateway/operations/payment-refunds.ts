import { z } from "zod";
import type { Refund as WireRefund } from "../../proto/gen/wallet/v1/refunds.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { route } from "../route.js";
import { instant, maybe, moneyTextOrNumberIn, shown } from "../schema.js";
import { absentIfEmpty, filled, moneyOf, moneyText, timeText } from "../wire.js";
import { idIn, reasonIn } from "./cursor-pages.js";
import { keyOf, replaying } from "./keyed-call.js";
import { paymentsBase } from "./wallet-accounts.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const Refund = z
  .object({
    refundId: z.string(),
    paymentId: leaf.paymentId,
    amount: leaf.totalAmount,
    currency: z.string(),
    status: shown(z.string(), "ASKED").meta({ description: "ASKED, POSTING, DONE, REFUSED or FAILED." }),
    reason: leaf.reason,
    approvalId: z.string().optional(),
    failure: leaf.failure.optional(),
    createdAt: instant,
  })
  .meta({ id: "Refund" });

/** Ours */
export const refundPayment = route({
  method: "post",
  path: `${paymentsBase}/payments/:paymentId/refund`,
  operationId: "refundPayment",
  tag: "Payments",
  summary:
    "Ask for a payment to be refunded, whole or in part; another manager approves it. Transactions are refunded themselves.",
  access: ["MANAGER", "CASHIER", "AGENT"],
  scopes: ["transactions:write", "refunds:request"],
  sdk: { name: "refund" },
  headers: { idempotencyKey: "required" },
  params: z.object({ paymentId: idIn }),
  body: z
    .object({
      amount: maybe(moneyTextOrNumberIn).meta({ description: "All that is left when absent." }),
      reason: reasonIn,
    })
    .meta({ id: "RefundPaymentRequest" }),
  answer: Refund,
  message: "Refund asked for",
  waits: true,
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "refund-1" },
    params: { paymentId: "no-such-payment" },
    body: { reason: "Sent back" },
    answers: 404,
  },
  run: async ({ params, body, headers, call, clients }) => {
    const request = { ...keyOf(headers), ...params, amount: body.amount ?? "", reason: body.reason };
    const refund = refundOf(await clients.wallet.refundPayment(request, replaying(call)));
    if (refund.status === "ASKED") call.markWaiting();
    return refund;
  },
});

/** Ours */
export const readRefund = route({
  method: "get",
  path: `${paymentsBase}/refunds/:refundId`,
  operationId: "readRefund",
  tag: "Payments",
  summary: "Read a refund",
  access: ["MANAGER", "CASHIER", "AGENT"],
  scopes: ["transactions:write", "refunds:request"],
  params: z.object({ refundId: idIn }),
  answer: Refund,
  message: "Refund",
  example: { as: "manager@demo.example", params: { refundId: "no-such-refund" }, answers: 404 },
  run: async ({ params, call, clients }) => refundOf(await clients.wallet.getRefund(params, outgoing(call))),
});

function refundOf({ refund: wire }: { refund?: WireRefund | undefined }): z.output<typeof Refund> {
  const refund = filled(wire, "refund");
  return {
    refundId: refund.refundId,
    paymentId: refund.paymentId,
    amount: moneyText(refund.amount, "refund.amount"),
    currency: moneyOf(refund.amount, "refund.amount").currency,
    status: refund.status,
    reason: refund.reason,
    approvalId: absentIfEmpty(refund.approvalId),
    failure: absentIfEmpty(refund.failure),
    createdAt: timeText(refund.createdAt, "refund.created_at"),
  };
}
