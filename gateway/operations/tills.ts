import { z } from "zod";
import { shape } from "../codec.js";
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
  reasonIn,
  wholeNumberIn,
} from "../schema.js";
import { paymentsBase } from "./wallet-accounts.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";
import * as wire from "../../proto/gen/wallet/v1/tills.js";

export const atDrawer = { tag: "Cash", access: ["CASHIER", "AGENT"], headers: { idempotencyKey: "required" } } as const;

export const inTill = <M extends string>(minor: M) => ({ minor, currency: "currency" }) as const;

export const Denomination = shape(
  wire.Denomination,
  z.object({ value: shown(decimalText, "20.00"), count: shown(z.int(), 12) }).meta({ id: "Denomination" }),
);
const DenominationIn = shape(
  wire.Denomination,
  z.object({ value: moneyTextOrNumberIn, count: wholeNumberIn(0, 1_000_000) }).meta({ id: "DenominationCounted" }),
);

export const Till = shape(
  wire.Till,
  z
    .object({
      tillId: z.string(),
      cashierId: z.string().meta({ description: "User id of the cashier or agent whose it is." }),
      role: z.enum(["CASHIER", "AGENT"]).meta({ description: "Theirs." }),
      currency: z.string(),
      branchCode: shown(z.string(), "LAG-1")
        .optional()
        .meta({ description: "Whose vault fills it; absent for the house." }),
      status: shown(z.string(), "OPEN"),
      float: shown(decimalText, "1000.00"),
      expected: shown(decimalText, "1025.50").optional().meta({
        description: "What must be in it; absent for whoever holds it and has not counted it.",
      }),
      counted: shown(decimalText, "1025.50").optional(),
      difference: leaf.zero.optional().meta({ description: "Counted less expected; booked at closing." }),
      openedAt: instant,
      closedAt: instant.optional(),
      reason: shown(z.string(), "Gave a note too many").optional().meta({ description: "Of its difference." }),
      approvalId: z.string().optional().meta({ description: "Of its closing, where a manager decides about it." }),
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

export const tillPath = z.object({ tillId: idIn });
export const counting = {
  counted: maybe(moneyTextOrNumberIn).meta({ description: "May be absent where denominations say it." }),
  denominations: maybe(z.array(DenominationIn).max(50)).meta({
    description: "Notes and coins, each value once; they come to what was counted where both are given.",
  }),
};
const CountRequest = z.object(counting).meta({ id: "CountTillRequest" });
const CloseRequest = z
  .object({
    ...counting,
    reason: maybe(reasonIn).meta({
      description: "Needed where there is a difference, and of a manager who closes somebody else's.",
    }),
  })
  .meta({ id: "CloseTillRequest" });
export const tillFrom = { "params.tillId": "listTills data.tills.0.tillId" };

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
  access: ["CASHIER", "AGENT", "MANAGER"],
  method: "post",
  path: `${paymentsBase}/tills/:tillId/close`,
  summary:
    "Count and close one's till; a difference is booked, above the organisation's amount once a manager approves; a manager closes anybody's with a second one",
  peopleOnly: "drawer",
  params: tillPath,
  body: CloseRequest,
  answer: Till,
  message: "Till closed",
  waits: "Closing waits for a manager",
  isWaiting: ({ status }) => status === "WAITING",
  example: {
    as: "cashier@demo.example",
    headers: { "x-idempotency-key": "close-1" },
    params: { tillId: "the-till" },
    body: { counted: "250.00", reason: "Gave a note too few" },
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
