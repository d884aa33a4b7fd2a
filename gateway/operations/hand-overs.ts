import { z } from "zod";
import * as wire from "../../proto/gen/wallet/v1/tills.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";
import { shape } from "../codec.js";
import { operation } from "../operation.js";
import { cursorQuery, decimalText, idIn, instant, shown } from "../schema.js";
import { atDrawer, counting, Denomination, tillFrom, tillPath } from "./tills.js";
import { paymentsBase } from "./wallet-accounts.js";

const HandOver = shape(
  wire.HandOver,
  z
    .object({
      handOverId: z.string(),
      fromTillId: z.string(),
      toTillId: z.string().optional().meta({ description: "Once it is accepted." }),
      giverId: z.string().meta({ description: "User id." }),
      receiverId: z.string().meta({ description: "User id." }),
      amount: shown(decimalText, "100.00"),
      currency: z.string(),
      denominations: z.array(Denomination),
      status: z.enum(["OFFERED", "ACCEPTING", "ACCEPTED", "DECLINED", "WITHDRAWN"]),
      offeredAt: instant,
      endedAt: instant.optional(),
      endedBy: z.string().optional().meta({ description: "User id of whoever took it back or declined it." }),
    })
    .meta({ id: "HandOver" }),
  { currency: "amount.currency" },
);

export const offerCash = operation({
  ...atDrawer,
  method: "post",
  path: `${paymentsBase}/tills/:tillId/hand-overs`,
  summary: "Set cash of one's till aside for somebody else's; it is the giver's until it is accepted",
  peopleOnly: "drawer",
  params: tillPath,
  body: z
    .object({ receiverId: idIn.meta({ description: "User id; they have a till open in the currency." }), ...counting })
    .meta({ id: "OfferCashRequest" }),
  answer: HandOver,
  message: "Cash offered",
  example: {
    as: "cashier@demo.example",
    headers: { "x-idempotency-key": "offer-1" },
    params: { tillId: "the-till" },
    body: { receiverId: "no-such-user", counted: "10.00" },
    from: tillFrom,
    answers: 404,
  },
  rpc: "tills.offerCash",
});

const TillColleague = shape(
  wire.TillColleague,
  z
    .object({
      userId: z.string(),
      name: shown(z.string(), "Bisi Cashier"),
      role: z.enum(["CASHIER", "AGENT"]),
      tillId: z.string().meta({ description: "The one that they have open." }),
    })
    .meta({ id: "TillColleague" }),
);

export const listTillColleagues = operation({
  method: "get",
  path: `${paymentsBase}/tills/:tillId/colleagues`,
  tag: "Cash",
  summary: "List whom cash of a till can be offered to: who has one open in its currency at its branch",
  access: ["CASHIER", "AGENT", "MANAGER"],
  scopes: ["cash:handle", "reports:read"],
  params: tillPath,
  query: cursorQuery,
  answer: z.object({ colleagues: z.array(TillColleague), nextCursor: leaf.nextCursor.optional() }),
  message: "Colleagues",
  example: { as: "cashier@demo.example", params: { tillId: "the-till" }, from: tillFrom },
  rpc: "tills.listTillColleagues",
});

const handOverPath = z.object({ handOverId: idIn });
const none = {
  as: "cashier@demo.example",
  headers: { "x-idempotency-key": "hand-over-1" },
  params: { handOverId: "no-such-hand-over" },
  answers: 404,
} as const;

export const acceptHandOver = operation({
  ...atDrawer,
  method: "post",
  path: `${paymentsBase}/hand-overs/:handOverId/accept`,
  summary: "Take offered cash into one's open till",
  peopleOnly: "drawer",
  params: handOverPath,
  answer: HandOver,
  message: "Cash accepted",
  example: none,
  rpc: "tills.acceptHandOver",
});

export const endHandOver = operation({
  ...atDrawer,
  access: ["CASHIER", "AGENT", "MANAGER"],
  method: "post",
  path: `${paymentsBase}/hand-overs/:handOverId/end`,
  summary: "Take offered cash back, or decline it; a manager gives anybody's back",
  peopleOnly: "drawer",
  params: handOverPath,
  answer: HandOver,
  message: "Hand-over ended",
  example: none,
  rpc: "tills.endHandOver",
});

export const listHandOvers = operation({
  method: "get",
  path: `${paymentsBase}/hand-overs`,
  tag: "Cash",
  summary: "List what one has handed over or received, or all of it for a manager, the newest first",
  access: ["CASHIER", "AGENT", "MANAGER"],
  scopes: ["cash:handle", "reports:read"],
  query: cursorQuery.extend({ open: z.enum(["true", "false"]).optional() }),
  answer: z.object({ handOvers: z.array(HandOver), nextCursor: leaf.nextCursor.optional() }),
  message: "Hand-overs",
  example: { as: "cashier@demo.example" },
  rpc: "tills.listHandOvers",
  fields: { open: "openOnly" },
});
