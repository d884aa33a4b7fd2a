import { z } from "zod";
import { Till as WireTill } from "../../proto/gen/wallet/v1/money_in.js";
import { shape } from "../codec.js";
import { operation } from "../operation.js";
import { currencyCode, decimalText, instant, maybe, moneyTextOrNumberIn, shown } from "../schema.js";
import { cursorQuery, idIn } from "./cursor-pages.js";
import { paymentsBase } from "./wallet-accounts.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const inTill = <M extends string>(minor: M) => ({ minor, currency: "currency" }) as const;

const Till = shape(
  WireTill,
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

/** Ours */
export const openTill = operation({
  method: "post",
  path: `${paymentsBase}/tills`,
  operationId: "openTill",
  tag: "Cash",
  summary: "Open one's till in a currency with a float out of the vault",
  access: ["CASHIER", "AGENT"],
  peopleOnly: "drawer",
  headers: { idempotencyKey: "required" },
  body: z.object({ currency: currencyCode, float: maybe(moneyTextOrNumberIn) }).meta({ id: "OpenTillRequest" }),
  answer: Till,
  message: "Till opened",
  example: {
    as: "cashier@demo.example",
    headers: { "x-idempotency-key": "till-2026-11-21" },
    body: { currency: "USD", float: "200.00" },
  },
  rpc: "wallet.openTill",
  gives: "till",
});

export const tillPath = z.object({ tillId: idIn });
const CountRequest = z.object({ counted: moneyTextOrNumberIn }).meta({ id: "CountTillRequest" });
export const tillFrom = { "params.tillId": "listTills data.tills.0.tillId" };

/** Ours */
export const countTill = operation({
  method: "post",
  path: `${paymentsBase}/tills/:tillId/count`,
  operationId: "countTill",
  tag: "Cash",
  summary: "Note what was counted; nothing is booked",
  access: ["CASHIER", "AGENT"],
  peopleOnly: "drawer",
  headers: { idempotencyKey: "required" },
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
  rpc: "wallet.countTill",
  gives: "till",
});

/** Ours */
export const closeTill = operation({
  method: "post",
  path: `${paymentsBase}/tills/:tillId/close`,
  operationId: "closeTill",
  tag: "Cash",
  summary: "Count and close one's till; a difference is booked",
  access: ["CASHIER", "AGENT"],
  peopleOnly: "drawer",
  headers: { idempotencyKey: "required" },
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
  rpc: "wallet.closeTill",
  gives: "till",
});

/** Ours */
export const listTills = operation({
  method: "get",
  path: `${paymentsBase}/tills`,
  operationId: "listTills",
  tag: "Cash",
  summary: "List one's own tills, or all of them for a manager",
  access: ["CASHIER", "AGENT", "MANAGER"],
  scopes: ["cash:handle", "reports:read"],
  query: cursorQuery.extend({ open: z.enum(["true", "false"]).optional() }),
  answer: z.object({ tills: z.array(Till), nextCursor: leaf.nextCursor.optional() }),
  message: "Tills",
  example: { as: "cashier@demo.example" },
  rpc: "wallet.listTills",
  fields: { open: "openOnly" },
});
