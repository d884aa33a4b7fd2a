import { z } from "zod";
import { shape, readerOf } from "../codec.js";
import { operation } from "../operation.js";
import {
  currencyCode,
  decimalText,
  instant,
  maybe,
  moneyTextOrNumberIn,
  shown,
  cursorQuery,
  idIn,
  text,
} from "../schema.js";
import { paymentsBase } from "./wallet-accounts.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";
import { route, keyOf, replaying } from "../route.js";
import { CashMovement, WaitingCashIn } from "../shapes/wallet-money.js";
import * as wire from "../../proto/gen/wallet/v1/tills.js";

const atDrawer = { tag: "Cash", access: ["CASHIER", "AGENT"], headers: { idempotencyKey: "required" } } as const;

const inTill = <M extends string>(minor: M) => ({ minor, currency: "currency" }) as const;

const Till = shape(
  wire.Till,
  z
    .object({
      tillId: z.string(),
      cashierId: z.string().meta({ description: "User id of the cashier or agent whose it is." }),
      role: z.enum(["CASHIER", "AGENT"]).meta({ description: "Theirs." }),
      currency: z.string(),
      status: shown(z.string(), "OPEN"),
      float: shown(decimalText, "1000.00"),
      expected: shown(decimalText, "1025.50").meta({ description: "What must be in it." }),
      counted: shown(decimalText, "1025.50").optional(),
      difference: leaf.zero.optional().meta({ description: "Counted less expected; booked at closing." }),
      openedAt: instant,
      closedAt: instant.optional(),
    })
    .meta({ id: "Till" }),
  {
    role: { from: ({ role }) => (role === "AGENT" ? role : "CASHIER"), to: (role) => ({ role }) },
    float: inTill("floatMinor"),
    expected: inTill("expectedMinor"),
    counted: inTill("countedMinor"),
    difference: inTill("differenceMinor"),
  },
);

export const openTill = operation({
  ...atDrawer,
  method: "post",
  path: `${paymentsBase}/tills`,
  summary: "Open one's till in a currency with a float out of the vault",
  peopleOnly: "drawer",
  body: z.object({ currency: currencyCode, float: maybe(moneyTextOrNumberIn) }).meta({ id: "OpenTillRequest" }),
  answer: Till,
  message: "Till opened",
  example: {
    as: "cashier@demo.example",
    headers: { "x-idempotency-key": "till-2026-11-21" },
    body: { currency: "USD", float: "200.00" },
  },
  rpc: "tills.openTill",
});

const tillPath = z.object({ tillId: idIn });
const CountRequest = z.object({ counted: moneyTextOrNumberIn }).meta({ id: "CountTillRequest" });
const tillFrom = { "params.tillId": "listTills data.tills.0.tillId" };

export const countTill = operation({
  ...atDrawer,
  method: "post",
  path: `${paymentsBase}/tills/:tillId/count`,
  summary: "Note what was counted; nothing is booked",
  peopleOnly: "drawer",
  params: tillPath,
  body: CountRequest,
  answer: Till,
  message: "Till counted",
  example: {
    as: "cashier@demo.example",
    headers: { "x-idempotency-key": "count-1" },
    params: { tillId: "the-till" },
    body: { counted: "200.00" },
    from: tillFrom,
  },
  rpc: "tills.countTill",
});

export const closeTill = operation({
  ...atDrawer,
  method: "post",
  path: `${paymentsBase}/tills/:tillId/close`,
  summary: "Count and close one's till; a difference is booked",
  peopleOnly: "drawer",
  params: tillPath,
  body: CountRequest,
  answer: Till,
  message: "Till closed",
  example: {
    as: "cashier@demo.example",
    headers: { "x-idempotency-key": "close-1" },
    params: { tillId: "the-till" },
    body: { counted: "250.00" },
    from: tillFrom,
  },
  rpc: "tills.closeTill",
});

export const listTills = operation({
  method: "get",
  path: `${paymentsBase}/tills`,
  tag: "Cash",
  summary: "List one's own tills, or all of them for a manager",
  access: ["CASHIER", "AGENT", "MANAGER"],
  scopes: ["cash:handle", "reports:read"],
  query: cursorQuery.extend({ open: z.enum(["true", "false"]).optional() }),
  answer: z.object({ tills: z.array(Till), nextCursor: leaf.nextCursor.optional() }),
  message: "Tills",
  example: { as: "cashier@demo.example" },
  rpc: "tills.listTills",
  fields: { open: "openOnly" },
});

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

const VaultMovement = shape(
  wire.VaultMovement,
  z
    .object({
      movementId: z.string(),
      direction: shown(z.string(), "FROM_BANK").meta({ description: "FROM_BANK or TO_BANK." }),
      amount: decimalText,
      currency: z.string(),
      at: instant,
    })
    .meta({ id: "VaultMovement" }),
  { amount: "amount", currency: "amount.currency" },
);

export const moveVaultCash = operation({
  method: "post",
  path: `${paymentsBase}/vault-movements`,
  tag: "Cash",
  summary: "Enter cash fetched from the bank into the vault that tills are filled from, or brought to the bank",
  access: ["MANAGER"],
  peopleOnly: "drawer",
  headers: { idempotencyKey: "required" },
  body: z
    .object({
      direction: z.enum(["FROM_BANK", "TO_BANK"]),
      currency: currencyCode,
      amount: moneyTextOrNumberIn,
      reference: text(128).meta({ description: "Of the bank's slip." }),
    })
    .meta({ id: "VaultMovementRequest" }),
  answer: VaultMovement,
  message: "Cash moved",
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "vault-2026-11-21" },
    body: { direction: "FROM_BANK", currency: "USD", amount: "5000.00", reference: "Slip 4711" },
  },
  rpc: "tills.moveVaultCash",
});
