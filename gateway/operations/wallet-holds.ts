import { z } from "zod";
import type { Hold as WireHold } from "../../proto/gen/wallet/v1/holds.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { route } from "../route.js";
import { decimalText, instant, maybe, moneyTextOrNumberIn, text, wholeNumberIn, shown } from "../schema.js";
import { absentIfEmpty, filled, moneyOf, moneyText, timeText } from "../wire.js";
import { idIn } from "./cursor-pages.js";
import { keyOf, replaying } from "./keyed-call.js";
import { paymentsBase } from "./wallet-accounts.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const Hold = z
  .object({
    holdId: z.string(),
    accountId: leaf.accountId,
    payeeAccountId: z.string(),
    amount: decimalText,
    currency: z.string(),
    status: shown(z.string(), "HELD").meta({
      description: "HELD, CONFIRMED, RELEASED, EXPIRED or FAILED; on its way HOLDING, CONFIRMING or RELEASING.",
    }),
    confirmedAmount: decimalText.optional(),
    description: leaf.description.optional(),
    createdAt: instant,
    expiresAt: instant,
  })
  .meta({ id: "Hold" });
const holdPath = z.object({ holdId: idIn });
const own = { "body.accountId": "listWalletAccounts data.4.accountId" };

/** Ours */
export const createHold = route({
  method: "post",
  path: `${paymentsBase}/holds`,
  operationId: "createHold",
  tag: "Payments",
  summary: "Reserve money of one's wallet for another wallet",
  access: ["CUSTOMER"],
  scopes: ["payments:make"],
  headers: { idempotencyKey: "required" },
  body: z
    .object({
      accountId: idIn,
      payeeAccountId: idIn,
      amount: moneyTextOrNumberIn,
      description: maybe(text(140, 0)),
      expiresInSeconds: maybe(wholeNumberIn(60, 2_592_000)),
      password: maybe(text(1024, 0)),
      otp: maybe(text(64, 0)),
      pin: maybe(text(64, 0)),
    })
    .meta({ id: "CreateHoldRequest" }),
  answer: Hold,
  message: "Money held",
  example: {
    as: "amina@demo.example",
    headers: { "x-idempotency-key": "hold-1" },
    body: {
      accountId: "the-account",
      payeeAccountId: "no-such-account",
      amount: "40.00",
      password: "Demo-Amina-1",
    },
    from: own,
    answers: 404,
  },
  renames: { expiresInS: "expiresInSeconds" },
  run: async ({ body, headers, call, clients }) => {
    const { accountId, payeeAccountId, amount, description = "", expiresInSeconds: expiresInS = 0 } = body;
    const { password = "", otp = "", pin = "" } = body;
    const requested = { accountId, payeeAccountId, amount, description, expiresInS, password, otp, pin };
    return holdOf(await clients.wallet.createHold({ ...keyOf(headers), ...requested }, replaying(call)));
  },
});

/** Ours */
export const confirmHold = route({
  method: "post",
  path: `${paymentsBase}/holds/:holdId/confirm`,
  operationId: "confirmHold",
  tag: "Payments",
  summary: "Take all or a part of what is held for one; the rest is free again",
  access: ["CUSTOMER", "MANAGER"],
  scopes: ["payments:request"],
  headers: { idempotencyKey: "required" },
  params: holdPath,
  body: z
    .object({ amount: maybe(moneyTextOrNumberIn).meta({ description: "All of it when absent." }) })
    .meta({ id: "ConfirmHoldRequest" }),
  answer: Hold,
  message: "Hold confirmed",
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "confirm-1" },
    params: { holdId: "no-such-hold" },
    body: { amount: "25.00" },
    answers: 404,
  },
  run: async ({ params, body, headers, call, clients }) => {
    const request = { ...keyOf(headers), ...params, amount: body.amount ?? "" };
    return holdOf(await clients.wallet.confirmHold(request, replaying(call)));
  },
});

/** Ours */
export const releaseHold = route({
  method: "post",
  path: `${paymentsBase}/holds/:holdId/release`,
  operationId: "releaseHold",
  tag: "Payments",
  summary: "Free what is held for one",
  access: ["CUSTOMER", "MANAGER"],
  scopes: ["payments:request"],
  headers: { idempotencyKey: "required" },
  params: holdPath,
  answer: Hold,
  message: "Hold released",
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "release-1" },
    params: { holdId: "no-such-hold" },
    answers: 404,
  },
  run: async ({ params, headers, call, clients }) =>
    holdOf(await clients.wallet.releaseHold({ ...keyOf(headers), ...params }, replaying(call))),
});

/** Ours */
export const readHold = route({
  method: "get",
  path: `${paymentsBase}/holds/:holdId`,
  operationId: "readHold",
  tag: "Payments",
  summary: "Read a hold",
  access: ["CUSTOMER", "MANAGER"],
  scopes: ["payments:make", "payments:request"],
  params: holdPath,
  answer: Hold,
  message: "Hold",
  example: { as: "manager@demo.example", params: { holdId: "no-such-hold" }, answers: 404 },
  run: async ({ params, call, clients }) => holdOf(await clients.wallet.getHold(params, outgoing(call))),
});

function holdOf({ hold: wire }: { hold?: WireHold | undefined }): z.output<typeof Hold> {
  const hold = filled(wire, "hold");
  const { currency } = moneyOf(hold.amount, "hold.amount");
  const { status, confirmedMinor } = hold;
  return {
    holdId: hold.holdId,
    accountId: hold.accountId,
    payeeAccountId: hold.payeeAccountId,
    amount: moneyText(hold.amount, "hold.amount"),
    currency,
    status,
    confirmedAmount: status === "CONFIRMED" ? moneyText({ amountMinor: confirmedMinor, currency }, "") : undefined,
    description: absentIfEmpty(hold.description),
    createdAt: timeText(hold.createdAt, "hold.created_at"),
    expiresAt: timeText(hold.expiresAt, "hold.expires_at"),
  };
}
