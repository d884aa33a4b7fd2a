import { z } from "zod";
import * as wire from "../../proto/gen/wallet/v1/tills.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";
import { readerOf, shape } from "../codec.js";
import { csvFile, csvType } from "../csv-file.js";
import { FileAnswer } from "../file-answer.js";
import { operation } from "../operation.js";
import { route } from "../route.js";
import { cursorQuery, decimalText, instant, shown } from "../schema.js";
import { Denomination, inTill, tillFrom, tillPath } from "./tills.js";
import { paymentsBase } from "./wallet-accounts.js";

const TillLine = shape(
  wire.TillLine,
  z
    .object({
      number: shown(z.int(), 2).meta({ description: "From 1, in the order of booking." }),
      kind: z.enum([
        "FLOAT",
        "CASH_IN",
        "CASH_OUT",
        "CASH_PICKUP",
        "SALE",
        "COUNTER_PAYABLE",
        "ORDER",
        "HAND_OVER",
        "DIFFERENCE",
        "CLOSING",
      ]),
      amount: shown(decimalText, "50.00").meta({ description: "In above zero, out below." }),
      balance: shown(decimalText, "250.00").optional().meta({
        description: "In the till after it; absent for whoever holds it and has not counted it.",
      }),
      currency: z.string(),
      bookedAt: instant,
      movedBy: z.string().meta({ description: "User id." }),
      movementId: z.string(),
      accountId: leaf.accountId.optional(),
      transactionCode: z.string().optional(),
    })
    .meta({ id: "TillLine" }),
  { amount: inTill("amountMinor"), balance: inTill("balanceMinor") },
);
const tillReaders = {
  tag: "Cash",
  access: ["CASHIER", "AGENT", "MANAGER"],
  scopes: ["cash:handle", "reports:read"],
  params: tillPath,
} as const;
const readsTill = { as: "cashier@demo.example", params: { tillId: "the-till" }, from: tillFrom };

export const listTillLines = operation({
  ...tillReaders,
  method: "get",
  path: `${paymentsBase}/tills/:tillId/movements`,
  summary: "List what came into a till and left it, the oldest first",
  query: cursorQuery,
  answer: z.object({ lines: z.array(TillLine), nextCursor: leaf.nextCursor.optional() }),
  message: "Movements of a till",
  example: readsTill,
  rpc: "tills.listTillLines",
});

const lineOf = readerOf(TillLine);
const lineColumns = [
  "number",
  "bookedAt",
  "kind",
  "amount",
  "balance",
  "currency",
  "movedBy",
  "accountId",
  "transactionCode",
  "movementId",
] as const;

export const tillLinesAsCsv = route({
  ...tillReaders,
  method: "get",
  path: `${paymentsBase}/tills/:tillId/movements.csv`,
  summary: "Get all that came into a till and left it as CSV",
  answer: z.instanceof(FileAnswer),
  file: csvType,
  message: "Movements of a till as CSV",
  example: readsTill,
  run: async ({ params: { tillId }, call, clients }) => {
    const read = (cursor: string) => clients.tills.listTillLines({ tillId, cursor, pageSize: 1_000 }, outgoing(call));
    // Reads the first page before answering, so that a refusal still has its status.
    let page = await read("");
    async function* rows() {
      yield page.lines.map((line) => lineOf(line));
      for (; page.nextCursor !== ""; yield page.lines.map((line) => lineOf(line))) page = await read(page.nextCursor);
    }
    return csvFile(`till-${tillId.slice(-4)}.csv`, lineColumns, rows());
  },
});

const TillCount = shape(
  wire.TillCount,
  z
    .object({
      countId: z.string(),
      countedBy: z.string().meta({ description: "User id." }),
      counted: shown(decimalText, "1025.50"),
      expected: shown(decimalText, "1025.50"),
      difference: leaf.zero,
      denominations: z.array(Denomination),
      closing: z.boolean().meta({ description: "The till was to be closed with it." }),
      reason: shown(z.string(), "Gave a note too many").optional(),
      countedAt: instant,
      currency: z.string(),
    })
    .meta({ id: "TillCount" }),
  { counted: inTill("countedMinor"), expected: inTill("expectedMinor"), difference: inTill("differenceMinor") },
);

export const listTillCounts = operation({
  tag: "Cash",
  access: ["MANAGER"],
  scopes: ["reports:read"],
  method: "get",
  path: `${paymentsBase}/tills/:tillId/counts`,
  summary: "List all counts of a till, those before a closing that was refused among them, the newest first",
  params: tillPath,
  answer: z.array(TillCount),
  message: "Counts of a till",
  example: { ...readsTill, as: "manager@demo.example" },
  rpc: "tills.listTillCounts",
});
