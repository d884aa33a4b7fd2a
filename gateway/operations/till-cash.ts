import { z } from "zod";
import type { CashIn as WireCashIn, CashMovement as WireCash } from "../../proto/gen/wallet/v1/money_in.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { route } from "../route.js";
import { decimalText, instant, maybe, moneyTextOrNumberIn, text, shown } from "../schema.js";
import { absentIfEmpty, filled, moneyOf, moneyText, timeText } from "../wire.js";
import { idIn } from "./cursor-pages.js";
import { keyOf, replaying } from "./keyed-call.js";
import { paymentsBase } from "./wallet-accounts.js";
import { tillPath, tillFrom } from "./tills.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const CashMovement = z
  .object({
    movementId: z.string(),
    tillId: z.string(),
    accountId: leaf.accountId,
    amount: decimalText,
    currency: z.string(),
    newBalance: leaf.balance.meta({ description: "Of the wallet." }),
    at: instant,
  })
  .meta({ id: "CashMovement" });

const WaitingCashIn = z
  .object({
    cashInId: z.string(),
    tillId: z.string(),
    accountId: leaf.accountId,
    amount: shown(decimalText, "1200.00"),
    currency: z.string(),
    status: shown(z.string(), "WAITING").meta({
      description:
        "WAITING for a manager, POSTING once approved, then DONE or FAILED; REFUSED where nobody approved it.",
    }),
    approvalId: z.string().optional(),
    failure: leaf.failure.optional().meta({ description: "Of REFUSED and FAILED." }),
    createdAt: instant,
  })
  .meta({ id: "WaitingCashIn" });

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
    if (done.cashIn === undefined) return cashOf(done);
    call.markWaiting();
    return waitingCashOf(done.cashIn);
  },
});

/** Ours */
export const readCashIn = route({
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
  run: async ({ params, call, clients }) => {
    const { cashIn: found } = await clients.wallet.getCashIn(params, outgoing(call));
    return waitingCashOf(filled(found, "cash_in"));
  },
});

/** Ours */
export const cashOut = route({
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
  run: async ({ params, body, headers, call, clients }) => {
    const { accountId, amount, password = "", otp = "", pin = "" } = body;
    const request = { ...keyOf(headers), ...params, accountId, amount, password, otp, pin };
    return cashOf(await clients.wallet.cashOut(request, replaying(call)));
  },
});

function waitingCashOf(cashIn: WireCashIn): z.output<typeof WaitingCashIn> {
  return {
    cashInId: cashIn.cashInId,
    tillId: cashIn.tillId,
    accountId: cashIn.accountId,
    amount: moneyText(cashIn.amount, "cash_in.amount"),
    currency: moneyOf(cashIn.amount, "cash_in.amount").currency,
    status: cashIn.status,
    approvalId: absentIfEmpty(cashIn.approvalId),
    failure: absentIfEmpty(cashIn.failure),
    createdAt: timeText(cashIn.createdAt, "cash_in.created_at"),
  };
}

function cashOf({ movement: wire }: { movement?: WireCash | undefined }): z.output<typeof CashMovement> {
  const movement = filled(wire, "movement");
  const { currency } = moneyOf(movement.amount, "movement.amount");
  return {
    movementId: movement.movementId,
    tillId: movement.tillId,
    accountId: movement.accountId,
    amount: moneyText(movement.amount, "movement.amount"),
    currency,
    newBalance: moneyText({ amountMinor: movement.newBalanceMinor, currency }, ""),
    at: timeText(movement.at, "movement.at"),
  };
}
