import { z } from "zod";
import * as wire from "../../proto/gen/ledger/v1/manual_journals.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";
import { enumOf } from "../codec.js";
import { operation } from "../operation.js";
import { cursorQuery, idIn, shown } from "../schema.js";
import { Journal, JournalAttachment, JournalRequest, JournalReversalRequest } from "../shapes/journals.js";
import { booksBase, booksOperation } from "./books.js";

const path = `${booksBase}/journals`;
const journalPath = z.object({ journalId: idIn });
const renames = { cursor: "query.cursor", page_size: "query.size", idempotencyKey: "x-idempotency-key" };
const noSuchJournal = { as: "manager@demo.example", params: { journalId: "no-such-journal" }, answers: 404 } as const;

/** Kept until a second person has decided, where the organisation's limit asks for one. */
const writes = {
  ...booksOperation,
  method: "post",
  scopes: ["books:write"],
  headers: { idempotencyKey: "required" },
  waits: true,
  isWaiting: ({ status }: { status: string }) => status === "PROPOSED",
  answer: Journal,
  renames,
} as const;

const writeJournal = operation({
  ...writes,
  path,
  summary: "Write a journal of the organisation's own accounts; it is posted once a second person approves",
  body: JournalRequest,
  message: "Journal",
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "journal-2026-0042" },
    body: {
      lines: [
        { accountId: "bank_fees:USD", side: "DEBIT", amount: "12.00", currency: "USD", text: "Fees of November" },
        { accountId: "own_funds:USD", side: "CREDIT", amount: "12.00", currency: "USD" },
      ],
      reason: "Paid in cash by the owner",
    },
    answers: 202,
  },
  rpc: "manualJournals.writeManualJournal",
});

const reverseJournal = operation({
  ...writes,
  path: `${path}/:journalId/reversals`,
  summary: "Take a posted journal back, whole and once, by another one that a second person approves",
  params: journalPath,
  body: JournalReversalRequest,
  message: "Reversal",
  example: {
    ...noSuchJournal,
    headers: { "x-idempotency-key": "journal-2026-0043" },
    body: { reason: "Posted to the wrong account" },
  },
  rpc: "manualJournals.reverseManualJournal",
});

const listJournals = operation({
  ...booksOperation,
  method: "get",
  path,
  scopes: ["books:read"],
  summary: "List journals that people wrote, the newest first",
  query: cursorQuery.extend({
    status: enumOf(wire.ManualJournalStatus).optional(),
    open: z.enum(["true"]).optional().meta({ description: "Those that are neither posted nor refused." }),
  }),
  answer: z.object({ journals: z.array(Journal), nextCursor: leaf.nextCursor.optional() }),
  message: "Journals",
  renames,
  example: { as: "manager@demo.example", query: { status: "POSTED" } },
  rpc: "manualJournals.listManualJournals",
  fields: { size: { field: "pageSize", absent: "20" } },
});

const readJournal = operation({
  ...booksOperation,
  method: "get",
  path: `${path}/:journalId`,
  scopes: ["books:read"],
  summary: "Read a journal: its lines, who wrote it, who decided, and its transfers",
  params: journalPath,
  answer: Journal,
  message: "Journal",
  example: noSuchJournal,
  rpc: "manualJournals.getManualJournal",
});

const readJournalAttachment = operation({
  ...booksOperation,
  method: "get",
  path: `${path}/:journalId/attachment`,
  scopes: ["books:read"],
  summary: "Read the file that was handed in with a journal",
  params: journalPath,
  answer: z.object({
    attachment: JournalAttachment,
    content: shown(z.string(), "JVBERi0xLjcK").meta({ description: "Base64." }),
  }),
  message: "Attachment",
  example: noSuchJournal,
  rpc: "manualJournals.getManualJournalAttachment",
});

/** In the order in which the documentation shows them. */
export const journalRoutes = { writeJournal, listJournals, readJournal, readJournalAttachment, reverseJournal };
