import { z } from "zod";
import * as wire from "../../proto/gen/wallet/v1/branch_cash.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";
import { shape } from "../codec.js";
import { operation } from "../operation.js";
import {
  currencyCode,
  cursorQuery,
  decimalText,
  idIn,
  instant,
  maybe,
  moneyTextOrNumberIn,
  reasonIn,
  shown,
} from "../schema.js";
import { branchCodeIn } from "./branch-assignments.js";
import { counting, Denomination, inTill } from "./tills.js";
import { paymentsBase } from "./wallet-accounts.js";

const base = `${paymentsBase}/cash-orders`;
const atVault = {
  tag: "Cash",
  access: ["CASHIER", "MANAGER"],
  peopleOnly: "drawer",
  headers: { idempotencyKey: "required" },
} as const;
const branchCode = shown(z.string(), "LAG-1").optional().meta({ description: "Absent for the house." });

export const CashOrder = shape(
  wire.CashOrder,
  z
    .object({
      orderId: z.string(),
      fromBranchCode: branchCode,
      toBranchCode: branchCode,
      amount: shown(decimalText, "5000.00"),
      currency: z.string(),
      denominations: z.array(Denomination),
      status: z
        .enum(["REQUESTED", "SENDING", "SENT", "WAITING", "ENDING", "RECEIVED", "RETURNED", "CANCELLED"])
        .meta({ description: "WAITING while a manager decides about a difference." }),
      requestedBy: z.string().meta({ description: "User id." }),
      requestedAt: instant,
      sentBy: z.string().optional(),
      sentAt: instant.optional(),
      endedBy: z.string().optional(),
      endedAt: instant.optional(),
      counted: shown(decimalText, "5000.00").optional().meta({ description: "Where it was received, or came back." }),
      difference: leaf.zero.optional().meta({ description: "Counted less amount." }),
      reason: shown(z.string(), "A note was torn").optional().meta({ description: "Of the difference." }),
      approvalId: z.string().optional(),
    })
    .meta({ id: "CashOrder" }),
  { amount: "amount", counted: inTill("countedMinor"), difference: inTill("differenceMinor") },
);

export const requestCashOrder = operation({
  ...atVault,
  method: "post",
  path: base,
  summary: "Ask for cash of one vault for another: managers for all, cashiers from and to their branch",
  body: z
    .object({
      fromBranchCode: maybe(branchCodeIn).meta({ description: "Absent for the house." }),
      toBranchCode: maybe(branchCodeIn).meta({ description: "Absent for the house." }),
      currency: currencyCode,
      amount: maybe(moneyTextOrNumberIn).meta({ description: "May be absent where denominations say it." }),
      denominations: counting.denominations,
    })
    .meta({ id: "CashOrderRequest" }),
  answer: CashOrder,
  message: "Cash asked for",
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "order-1" },
    body: { toBranchCode: "no-such-branch", currency: "USD", amount: "5000.00" },
    answers: 400,
  },
  rpc: "branchCash.requestCashOrder",
});

const orderPath = z.object({ orderId: idIn });
const none = {
  as: "manager@demo.example",
  headers: { "x-idempotency-key": "order-2" },
  params: { orderId: "no-such-order" },
  answers: 404,
} as const;

export const sendCashOrder = operation({
  ...atVault,
  method: "post",
  path: `${base}/:orderId/send`,
  summary: "Send the cash: it leaves the sender's vault, and is the sender's until it is received",
  params: orderPath,
  answer: CashOrder,
  message: "Cash sent",
  example: none,
  rpc: "branchCash.sendCashOrder",
});

export const cancelCashOrder = operation({
  ...atVault,
  method: "post",
  path: `${base}/:orderId/cancel`,
  summary: "Cancel an order that nobody has sent",
  params: orderPath,
  answer: CashOrder,
  message: "Order cancelled",
  example: none,
  rpc: "branchCash.cancelCashOrder",
});

const CountRequest = z
  .object({ ...counting, reason: maybe(reasonIn).meta({ description: "Needed where there is a difference." }) })
  .meta({ id: "CountCashOrderRequest" });
const counted = {
  ...atVault,
  method: "post",
  params: orderPath,
  body: CountRequest,
  answer: CashOrder,
  waits: "The count waits for a manager",
  isWaiting: ({ status }: { status: string }) => status === "WAITING",
  example: { ...none, body: { counted: "5000.00" } },
  rpc: "branchCash.endCashOrder",
} as const;

export const receiveCashOrder = operation({
  ...counted,
  path: `${base}/:orderId/receive`,
  summary:
    "Count the cash into the receiver's vault; above the organisation's amount a manager decides about a difference",
  message: "Cash received",
  adds: () => ({ outcome: "RECEIVED" }),
});

export const returnCashOrder = operation({
  ...counted,
  path: `${base}/:orderId/return`,
  summary: "Count cash that has come back into the sender's vault",
  message: "Cash returned",
  adds: () => ({ outcome: "RETURNED" }),
});

export const listCashOrders = operation({
  method: "get",
  path: base,
  tag: "Cash",
  summary: "List orders of cash, the newest first: all for a manager, those of their branch for a cashier",
  access: ["CASHIER", "MANAGER"],
  scopes: ["cash:handle", "reports:read"],
  query: cursorQuery.extend({ branchCode: branchCodeIn.optional(), open: z.enum(["true", "false"]).optional() }),
  answer: z.object({ orders: z.array(CashOrder), nextCursor: leaf.nextCursor.optional() }),
  message: "Orders of cash",
  example: { as: "manager@demo.example" },
  rpc: "branchCash.listCashOrders",
  fields: { open: "openOnly" },
});
