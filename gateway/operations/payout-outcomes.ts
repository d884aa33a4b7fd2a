import { z } from "zod";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { PayoutOutcome, payoutOutcomeFromWire } from "../../services/platform/events/shapes/payout-outcome-shape.js";
import { route } from "../route.js";
import { maybe, moneyTextOrNumberIn } from "../schema.js";
import { filled } from "../wire.js";
import { reasonIn } from "./cursor-pages.js";
import { base, keyed, transactionPath } from "./transaction-desk.js";

/** Ours, by maker-checker: another manager approves it. */
export const askPayoutOutcome = route({
  method: "post",
  path: `${base}/transactions/:transactionId/payout-outcome`,
  operationId: "askPayoutOutcome",
  tag: "Transactions",
  summary: "Say how a payout has ended whose partner's word ends nothing; a second person decides",
  access: ["MANAGER"],
  peopleOnly: "judgement",
  headers: { idempotencyKey: "required" },
  params: transactionPath,
  body: z
    .object({
      outcome: z.enum(["PAID", "REFUSED", "RETURNED"]),
      kept: maybe(moneyTextOrNumberIn).meta({
        description:
          "With RETURNED: what a bank kept, in the receiving currency, at most what was paid out; nothing when absent.",
      }),
      reason: reasonIn,
    })
    .meta({ id: "PayoutOutcomeRequest" }),
  answer: z.object({ outcome: PayoutOutcome, approvalStatus: z.string() }).meta({ id: "AskedPayoutOutcome" }),
  waits: true,
  message: "Payout outcome asked for",
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "payout-outcome-2026-0042" },
    params: { transactionId: "no-such-transaction" },
    body: { outcome: "PAID", reason: "The bank confirms it by telephone" },
    answers: 404,
  },
  renames: keyed,
  run: async ({ params, body, headers, call, clients }) => {
    const { outcome, approvalStatus } = await clients.remittance.askPayoutOutcome(
      {
        ...params,
        outcome: body.outcome,
        kept: body.kept ?? "",
        reason: body.reason,
        idempotencyKey: headers["x-idempotency-key"] ?? "",
      },
      outgoing(call, { onReplayed: call.markReplayed }),
    );
    if (approvalStatus === "PENDING") call.markWaiting();
    return { outcome: payoutOutcomeFromWire(filled(outcome, "outcome")), approvalStatus };
  },
});
