import { z } from "zod";
import { readerOf } from "../codec.js";
import { operation } from "../operation.js";
import { route } from "../route.js";
import { maybe, moneyTextOrNumberIn, text } from "../schema.js";
import { CashMovement, WaitingCashIn } from "../shapes/wallet-money.js";
import { idIn } from "./cursor-pages.js";
import { keyOf, replaying } from "./keyed-call.js";
import { paymentsBase } from "./wallet-accounts.js";
import { tillPath, tillFrom } from "./tills.js";

const movementOf = readerOf(CashMovement);
const waitingOf = readerOf(WaitingCashIn);

/** Ours */
export const cashIn = route({
  method: "post",
  path: `${paymentsBase}/tills/:tillId/cash-in`,
  operationId: "cashIn",
  tag: "Cash",
  summary:
    "Take cash for a wallet, agents for customers they manage; above the organisation's amount it waits for a manager",
  access: ["CASHIER", "AGENT"],
  scopes: ["payments:process"],
  inPerson: ["AGENT"],
  headers: { idempotencyKey: "required" },
  params: tillPath,
  body: z.object({ accountId: idIn, amount: moneyTextOrNumberIn }).meta({ id: "CashInRequest" }),
  answer: z.union([CashMovement, WaitingCashIn]),
  message: "Cash taken",
  waits: "Cash-in waits for a manager",
  example: {
    as: "cashier@demo.example",
    headers: { "x-idempotency-key": "cash-in-1" },
    params: { tillId: "the-till" },
    body: { accountId: "the-account", amount: "50.00" },
    from: { ...tillFrom, "body.accountId": "listWalletAccounts data.4.accountId" },
  },
  run: async ({ params, body, headers, call, clients }) => {
    const done = await clients.wallet.cashIn({ ...keyOf(headers), ...params, ...body }, replaying(call));
    if (done.cashIn === undefined) return movementOf(done.movement);
    call.markWaiting();
    return waitingOf(done.cashIn);
  },
});

/** Ours */
export const readCashIn = operation({
  method: "get",
  path: `${paymentsBase}/cash-ins/:cashInId`,
  operationId: "readCashIn",
  tag: "Cash",
  summary: "Read a cash-in that waited for a manager",
  access: ["CASHIER", "AGENT", "MANAGER"],
  scopes: ["payments:process", "accounts:read"],
  inPerson: ["AGENT"],
  params: z.object({ cashInId: idIn }),
  answer: WaitingCashIn,
  message: "Cash-in",
  example: { as: "cashier@demo.example", params: { cashInId: "no-such-cash-in" }, answers: 404 },
  rpc: "wallet.getCashIn",
  gives: "cashIn",
});

/** Ours */
export const cashOut = operation({
  method: "post",
  path: `${paymentsBase}/tills/:tillId/cash-out`,
  operationId: "cashOut",
  tag: "Cash",
  summary:
    "Give cash out of a wallet, agents for customers they manage, with the customer's password and one-time code",
  access: ["CASHIER", "AGENT"],
  scopes: ["cash:handle"],
  inPerson: ["AGENT"],
  headers: { idempotencyKey: "required" },
  params: tillPath,
  body: z
    .object({
      accountId: idIn,
      amount: moneyTextOrNumberIn,
      password: maybe(text(1024, 0)).meta({ description: "The customer's." }),
      otp: maybe(text(64, 0)).meta({ description: "The customer's: always." }),
      pin: maybe(text(64, 0)),
    })
    .meta({ id: "CashOutRequest" }),
  answer: CashMovement,
  message: "Cash given",
  example: {
    as: "cashier@demo.example",
    headers: { "x-idempotency-key": "cash-out-1" },
    params: { tillId: "the-till" },
    body: { accountId: "the-account", amount: "50.00", password: "the customer's" },
    from: { ...tillFrom, "body.accountId": "listWalletAccounts data.4.accountId" },
    // The example is refused, since it lacks the customer's code.
    answers: 403,
  },
  rpc: "wallet.cashOut",
  gives: "movement",
});
