import { z } from "zod";
import { readerOf } from "../codec.js";
import { operation } from "../operation.js";
import { keyOf, replaying, route } from "../route.js";
import { idIn, maybe, moneyTextOrNumberIn, text } from "../schema.js";
import { CashMovement, WaitingCashIn } from "../shapes/wallet-money.js";
import { atDrawer, tillFrom, tillPath } from "./tills.js";
import { paymentsBase } from "./wallet-accounts.js";

const movementOf = readerOf(CashMovement);
const waitingOf = readerOf(WaitingCashIn);

export const cashIn = route({
  ...atDrawer,
  method: "post",
  path: `${paymentsBase}/tills/:tillId/cash-in`,
  summary:
    "Take cash for a wallet, agents for customers they manage; above the organisation's amount it waits for a manager",
  scopes: ["payments:process"],
  inPerson: ["AGENT"],
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

export const takeCashIn = operation({
  ...atDrawer,
  method: "post",
  path: `${paymentsBase}/cash-ins/:cashInId/take`,
  summary: "Take the cash of a cash-in that a manager has approved, on the same business day",
  scopes: ["payments:process"],
  inPerson: ["AGENT"],
  params: z.object({ cashInId: idIn }),
  answer: CashMovement,
  message: "Cash taken",
  example: {
    as: "cashier@demo.example",
    headers: { "x-idempotency-key": "take-1" },
    params: { cashInId: "no-such-cash-in" },
    answers: 404,
  },
  rpc: "wallet.takeCashIn",
});

export const readCashIn = operation({
  method: "get",
  path: `${paymentsBase}/cash-ins/:cashInId`,
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
});

export const cashOut = operation({
  ...atDrawer,
  method: "post",
  path: `${paymentsBase}/tills/:tillId/cash-out`,
  summary:
    "Give cash out of a wallet, agents for customers they manage, with the customer's password and one-time code",
  scopes: ["cash:handle"],
  inPerson: ["AGENT"],
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
});
