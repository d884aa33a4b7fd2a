import { z } from "zod";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { route } from "../route.js";
import { cursorQuery, nextCursorOf, pageOf, sizeOf } from "./cursor-pages.js";
import { readerOf } from "../codec.js";
import { NamedLedgerEntry } from "../shapes/ledger.js";
import { anyTransaction, base, firstTransaction, keyed, staff, transactionPath } from "./transaction-desk.js";

/** Ours. */
export const listTransactionEntries = route({
  method: "get",
  path: `${base}/transactions/:transactionId/entries`,
  operationId: "listTransactionEntries",
  tag: "Transactions",
  summary: "List all ledger entries of a transaction: payment, fee and tax, payout, return, refunds",
  access: staff,
  scopes: ["ledger:read"],
  params: transactionPath,
  query: cursorQuery.extend({
    size: sizeOf(100).meta({
      description: "Transfers that are looked for, 1 to 100; 100 when absent. A transfer has two entries.",
    }),
  }),
  answer: z.object({
    entries: z.array(NamedLedgerEntry).meta({
      description: "Of a page, in the journal's order. Requested refunds come last; cashiers see what they caused.",
    }),
    nextCursor: z.string().optional(),
  }),
  message: "Ledger entries",
  renames: { ...keyed, cursor: "query.cursor", pageSize: "query.size" },
  example: { as: "manager@demo.example", params: anyTransaction, from: firstTransaction },
  run: async ({ params, query, call, clients }) => {
    const answer = await clients.remittance.listTransactionEntries({ ...params, ...pageOf(query) }, outgoing(call));
    return { entries: answer.entries.map(readerOf(NamedLedgerEntry)), ...nextCursorOf(answer) };
  },
});
