import { z } from "zod";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { route } from "../route.js";
import { maybe, moneyTextOrNumberIn, text } from "../schema.js";
import { answerNothing, v6 } from "./base.js";
import { maybeReasonIn } from "./cursor-pages.js";

const base = `${v6}/sandbox`;
const tag = "Sandbox";
const manager = "manager@demo.example";

const settlePayout = route({
  method: "post",
  path: `${base}/payouts/:transactionId/settle`,
  operationId: "settlePayout",
  tag,
  summary: "Let the partner pay or refuse at once a payout that it has accepted, as one that stalls",
  access: ["MANAGER"],
  scopes: ["sandbox:force"],
  sandboxOnly: true,
  params: z.object({ transactionId: text(64) }),
  body: z
    .object({
      outcome: z.enum(["PAID", "REFUSED"]),
      reason: maybeReasonIn.meta({ description: "Of REFUSED." }),
    })
    .meta({ id: "SettlePayoutRequest" }),
  answer: z.object({}),
  message: "The payout is settled",
  example: {
    as: manager,
    sandbox: true,
    params: { transactionId: "00000000-0000-7000-8000-000000000000" },
    body: { outcome: "REFUSED", reason: "account closed" },
    answers: 404,
  },
  run: ({ params, body, call, clients }) => {
    const { outcome, reason = "" } = body;
    return answerNothing(clients.sandbox.payouts.settlePayout({ ...params, outcome, reason }, outgoing(call)));
  },
});

const returnPayout = route({
  method: "post",
  path: `${base}/payouts/:transactionId/return`,
  operationId: "returnPayout",
  tag,
  summary: "Let the recipient's bank send a paid payout back, less what it keeps",
  access: ["MANAGER"],
  scopes: ["sandbox:force"],
  sandboxOnly: true,
  params: z.object({ transactionId: text(64) }),
  body: z.object({ kept: maybe(moneyTextOrNumberIn) }).meta({ id: "ReturnPayoutRequest" }),
  bodyOptional: true,
  answer: z.object({}),
  message: "The payout comes back",
  example: {
    as: manager,
    sandbox: true,
    params: { transactionId: "00000000-0000-7000-8000-000000000000" },
    body: { kept: "0" },
    answers: 404,
  },
  run: ({ params, body, call, clients }) =>
    answerNothing(clients.sandbox.payouts.returnPayout({ ...params, kept: body.kept ?? "" }, outgoing(call))),
});

export const sandboxPayoutRoutes = [settlePayout, returnPayout];
