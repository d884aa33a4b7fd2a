import { z } from "zod";
import type { Till as WireTill } from "../../proto/gen/wallet/v1/money_in.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { route } from "../route.js";
import { currencyCode, decimalText, instant, maybe, moneyTextOrNumberIn } from "../schema.js";
import { filled, moneyText, timeText } from "../wire.js";
import { cursorQuery, idIn, nextCursorOf, pageOf } from "./cursor-pages.js";
import { keyOf, replaying } from "./keyed-call.js";
import { paymentsBase } from "./wallet-accounts.js";

const Till = z
  .object({
    tillId: z.string(),
    cashierId: z.string().meta({ description: "User id of the cashier or agent whose it is." }),
    role: z.enum(["CASHIER", "AGENT"]).meta({ description: "Theirs." }),
    currency: z.string(),
    status: z.string(),
    float: decimalText,
    expected: decimalText.meta({ description: "What must be in it." }),
    counted: decimalText.optional(),
    difference: decimalText.optional().meta({ description: "Counted less expected; booked at closing." }),
    openedAt: instant,
    closedAt: instant.optional(),
  })
  .meta({ id: "Till" });

/** Ours */
export const openTill = route({
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
  run: async ({ body, headers, call, clients }) => {
    const request = { ...keyOf(headers), currency: body.currency, float: body.float ?? "" };
    return tillOf(await clients.wallet.openTill(request, replaying(call)));
  },
});

export const tillPath = z.object({ tillId: idIn });
const CountRequest = z.object({ counted: moneyTextOrNumberIn }).meta({ id: "CountTillRequest" });
export const tillFrom = { "params.tillId": "listTills data.tills.0.tillId" };

/** Ours */
export const countTill = route({
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
  run: async ({ params, body, headers, call, clients }) =>
    tillOf(await clients.wallet.countTill({ ...keyOf(headers), ...params, ...body }, replaying(call))),
});

/** Ours */
export const closeTill = route({
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
  run: async ({ params, body, headers, call, clients }) =>
    tillOf(await clients.wallet.closeTill({ ...keyOf(headers), ...params, ...body }, replaying(call))),
});

/** Ours */
export const listTills = route({
  method: "get",
  path: `${paymentsBase}/tills`,
  operationId: "listTills",
  tag: "Cash",
  summary: "List one's own tills, or all of them for a manager",
  access: ["CASHIER", "AGENT", "MANAGER"],
  scopes: ["cash:handle", "reports:read"],
  query: cursorQuery.extend({ open: z.enum(["true", "false"]).optional() }),
  answer: z.object({ tills: z.array(Till), nextCursor: z.string().optional() }),
  message: "Tills",
  example: { as: "cashier@demo.example" },
  run: async ({ query, call, clients }) => {
    const answer = await clients.wallet.listTills(
      { ...pageOf(query), openOnly: query.open === "true" },
      outgoing(call),
    );
    return { tills: answer.tills.map(tillFromWire), ...nextCursorOf(answer) };
  },
});

function tillOf({ till }: { till?: WireTill | undefined }): z.output<typeof Till> {
  return tillFromWire(filled(till, "till"));
}

function tillFromWire(till: WireTill): z.output<typeof Till> {
  const { currency, closedAt } = till;
  const part = (amountMinor: bigint) => moneyText({ amountMinor, currency }, "");
  const maybePart = (minor: bigint | undefined) => (minor === undefined ? undefined : part(minor));
  return {
    tillId: till.tillId,
    cashierId: till.cashierId,
    role: till.role === "AGENT" ? till.role : "CASHIER",
    currency,
    status: till.status,
    float: part(till.floatMinor),
    expected: part(till.expectedMinor),
    counted: maybePart(till.countedMinor),
    difference: maybePart(till.differenceMinor),
    openedAt: timeText(till.openedAt, "till.opened_at"),
    closedAt: closedAt === undefined ? undefined : timeText(closedAt, ""),
  };
}
