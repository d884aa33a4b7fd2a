import { z } from "zod";
import { operation } from "../operation.js";
import { maybe, moneyTextOrNumberIn, text, wholeNumberIn } from "../schema.js";
import { Hold } from "../shapes/wallet-holds.js";
import { idIn } from "./cursor-pages.js";
import { paymentsBase } from "./wallet-accounts.js";

const holdPath = z.object({ holdId: idIn });
const own = { "body.accountId": "listWalletAccounts data.4.accountId" };

/** Ours */
export const createHold = operation({
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
  rpc: "wallet.createHold",
  fields: { expiresInSeconds: "expiresInS" },
  gives: "hold",
});

/** Ours */
export const confirmHold = operation({
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
  rpc: "wallet.confirmHold",
  gives: "hold",
});

/** Ours */
export const releaseHold = operation({
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
  rpc: "wallet.releaseHold",
  gives: "hold",
});

/** Ours */
export const readHold = operation({
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
  rpc: "wallet.getHold",
  gives: "hold",
});
