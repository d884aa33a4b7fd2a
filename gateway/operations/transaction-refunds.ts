import { z } from "zod";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { route } from "../route.js";
import { maybe, moneyTextOrNumberIn } from "../schema.js";
import { filled } from "../wire.js";
import { Refund, refundFromWire } from "../../services/platform/events/shapes/transaction-shape.js";
import { base, transactionPath, staff, keyed } from "./transaction-desk.js";
import { reasonIn } from "./cursor-pages.js";

/** Ours, by maker-checker: another manager approves it. */
export const requestRefund = route({
  method: "post",
  path: `${base}/transactions/:transactionId/refunds`,
  operationId: "requestRefund",
  tag: "Transactions",
  summary: "Ask for a refund of a completed transaction, whole or in part; a second person decides",
  access: staff,
  scopes: ["transactions:write", "refunds:request"],
  headers: { idempotencyKey: "required" },
  params: transactionPath,
  body: z
    .object({
      amount: maybe(moneyTextOrNumberIn).meta({
        description: "In the sending currency; all that is left when absent.",
      }),
      reason: reasonIn,
      fromRecipient: maybe(z.boolean()).meta({
        description:
          "WALLET only: all of it is taken back from the recipient's wallet, where it is still there, and the sender gets all that was paid.",
      }),
    })
    .meta({ id: "RefundRequest" }),
  answer: z.object({ refund: Refund, approvalStatus: z.string() }).meta({ id: "RequestedRefund" }),
  waits: true,
  message: "Refund asked for",
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "refund-2026-0042" },
    params: { transactionId: "no-such-transaction" },
    body: { amount: "5.00", reason: "Arrived late" },
    answers: 404,
  },
  renames: keyed,
  run: async ({ params, body, headers, call, clients }) => {
    const { refund, approvalStatus } = await clients.remittance.requestRefund(
      {
        ...params,
        amount: body.amount ?? "",
        reason: body.reason,
        fromRecipient: body.fromRecipient ?? false,
        idempotencyKey: headers["x-idempotency-key"] ?? "",
      },
      outgoing(call, { onReplayed: call.markReplayed }),
    );
    if (approvalStatus === "PENDING") call.markWaiting();
    return { refund: refundFromWire(filled(refund, "refund")), approvalStatus };
  },
});
