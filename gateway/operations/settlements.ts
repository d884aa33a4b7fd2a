import { z } from "zod";
import * as wire from "../../proto/gen/ledger/v1/settlements.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";
import { Settlement } from "../../services/platform/events/shapes/settlement-shape.js";
import { enumOf } from "../codec.js";
import { operation } from "../operation.js";
import { cursorQuery, dateIn, idIn, isPending, reasonIn } from "../schema.js";
import { AskedSettlement, SettlementLine, SettlementRequest } from "../shapes/settlements.js";
import { booksBase, booksOperation } from "./books.js";

const base = `${booksBase}/settlements`;
const settlementPath = z.object({ settlementId: idIn });
const noSettlement = {
  as: "manager@demo.example",
  params: { settlementId: "no-such-settlement" },
  answers: 404 as const,
};
const paged = { size: { field: "pageSize", absent: "20" } } as const;
const renames = { cursor: "query.cursor", pageSize: "query.size" };

const proposeSettlement = operation({
  ...booksOperation,
  method: "post",
  path: base,
  scopes: ["books:write"],
  summary: "Propose what the organisation and another side paid each other; a second person decides, then it is posted",
  headers: { idempotencyKey: "required" },
  body: SettlementRequest,
  answer: AskedSettlement,
  waits: true,
  message: "Settlement proposed",
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "settlement-2026-0042" },
    body: {
      kind: "PARTNER",
      accountId: "partner_settlement:no-such-partner:NGN",
      amount: "152575.00",
      currency: "NGN",
      cost: { amount: "99.40", currency: "USD" },
      bankAccountId: "own_bank:chase-operating:USD",
      valueDate: "2026-11-20",
      reference: "WIRE-0042",
    },
    answers: 404,
  },
  rpc: "settlements.proposeSettlement",
  isWaiting: isPending,
});

const listSettlements = operation({
  ...booksOperation,
  method: "get",
  path: base,
  scopes: ["books:read"],
  summary: "List settlements, the newest first",
  query: cursorQuery.extend({
    account: idIn.optional().meta({ description: "Of an account of the ledger." }),
    status: enumOf(wire.SettlementStatus).optional(),
    open: z.enum(["true"]).optional().meta({ description: "Those that are neither posted nor ended." }),
  }),
  answer: z.object({ settlements: z.array(Settlement), nextCursor: leaf.nextCursor.optional() }),
  message: "Settlements",
  renames: { ...renames, accountId: "query.account", status: "query.status" },
  example: { as: "manager@demo.example", query: { status: "POSTED" } },
  rpc: "settlements.listSettlements",
  asks: ({ query: { account = "", status, open, size, cursor = "" } }) => ({
    accountId: account,
    ...(status !== undefined && { status: wire.SettlementStatus[`SETTLEMENT_STATUS_${status}`] }),
    open: open === "true",
    pageSize: Number(size ?? 20),
    cursor,
  }),
});

const readSettlement = operation({
  ...booksOperation,
  method: "get",
  path: `${base}/:settlementId`,
  scopes: ["books:read"],
  summary: "Read a settlement: its terms, its transfers in the journal, and its reversal",
  params: settlementPath,
  answer: Settlement,
  message: "Settlement",
  renames: { settlementId: "path.settlementId" },
  example: noSettlement,
  rpc: "settlements.getSettlement",
});

const listSettlementLines = operation({
  ...booksOperation,
  method: "get",
  path: `${base}/:settlementId/lines`,
  scopes: ["books:read"],
  summary: "List the transfers that a settlement settles, in the journal's order",
  params: settlementPath,
  query: cursorQuery,
  answer: z.object({ lines: z.array(SettlementLine), nextCursor: leaf.nextCursor.optional() }),
  message: "Settlement lines",
  renames: { ...renames, settlementId: "path.settlementId" },
  example: noSettlement,
  rpc: "settlements.listSettlementLines",
  fields: paged,
});

const listOpenLines = operation({
  ...booksOperation,
  method: "get",
  path: `${booksBase}/accounts/:accountId/open-lines`,
  scopes: ["books:read"],
  summary: "List what of an account no settlement has taken, in the journal's order; a page may hold fewer",
  params: z.object({ accountId: idIn }),
  query: cursorQuery.extend({ throughDate: dateIn.optional() }),
  answer: z.object({ lines: z.array(SettlementLine), nextCursor: leaf.nextCursor.optional() }),
  message: "Open lines",
  renames: { ...renames, accountId: "path.accountId", throughDate: "query.throughDate" },
  example: { as: "manager@demo.example", params: { accountId: "fee_income:USD" } },
  rpc: "settlements.listOpenLines",
  fields: paged,
});

const reverseSettlement = operation({
  ...booksOperation,
  method: "post",
  path: `${base}/:settlementId/reversals`,
  scopes: ["books:write"],
  summary: "Ask for the reversal of a posted settlement; a second person decides, and its lines are open again",
  headers: { idempotencyKey: "required" },
  params: settlementPath,
  body: z.object({ reason: reasonIn }).meta({ id: "ReverseSettlementRequest" }),
  answer: AskedSettlement,
  waits: true,
  message: "Reversal asked for",
  renames: { settlementId: "path.settlementId" },
  example: {
    ...noSettlement,
    headers: { "x-idempotency-key": "settlement-reversal-2026-0042" },
    body: { reason: "Another partner was paid" },
  },
  rpc: "settlements.reverseSettlement",
  isWaiting: isPending,
});

/** In the order in which the documentation shows them. */
export const settlementRoutes = {
  proposeSettlement,
  listSettlements,
  readSettlement,
  listSettlementLines,
  listOpenLines,
  reverseSettlement,
};
