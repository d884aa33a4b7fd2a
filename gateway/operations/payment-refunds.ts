import { z } from "zod";
import * as wire from "../../proto/gen/wallet/v1/refunds.js";
import { shape } from "../codec.js";
import { operation } from "../operation.js";
import { instant, maybe, moneyTextOrNumberIn, shown } from "../schema.js";
import { idIn, reasonIn } from "./cursor-pages.js";
import { paymentsBase } from "./wallet-accounts.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const Refund = shape(
  wire.Refund,
  z
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
    .meta({ id: "Refund" }),
  {
    currency: "amount.currency",
  },
);

/** Ours */
export const refundPayment = operation({
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
  rpc: "wallet.refundPayment",
  gives: "refund",
  isWaiting: ({ status }) => status === "ASKED",
});

/** Ours */
export const readRefund = operation({
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
  rpc: "wallet.getRefund",
  gives: "refund",
});
