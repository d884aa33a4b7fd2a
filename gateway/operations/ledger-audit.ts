import { Readable } from "node:stream";
import { z } from "zod";
import type { ListJournalTransfersResponse } from "../../proto/gen/ledger/v1/ledger.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import type { Clients } from "../clients.js";
import { readerOf, enumOf, shape, absentIfEmpty } from "../codec.js";
import { csvFile, csvType } from "../csv-file.js";
import { FileAnswer } from "../file-answer.js";
import { operation } from "../operation.js";
import { route, type EdgeCall } from "../route.js";
import { insertedRange } from "../shapes/ledger.js";
import { cursorQuery, idIn, timesOf, decimalText, instant, integer } from "../schema.js";
import { ledgerBase } from "./ledger.js";
import { date } from "../../services/platform/events/shapes/schema.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";
import * as wire from "../../proto/gen/ledger/v1/ledger.js";

const LedgerFault = shape(
  wire.VerificationFault,
  z
    .object({
      sequence: integer.optional(),
      transferId: z.string().optional(),
      accountId: leaf.accountId.optional(),
      difference: leaf.zeroText,
    })
    .meta({ id: "LedgerFault" }),
  { transferId: "transferKey" },
);

export const LedgerVerification = shape(
  wire.Verification,
  z
    .object({
      verificationId: z.string(),
      status: enumOf(wire.VerificationStatus).meta({
        description: "PASSED where everything fits, FAILED where something does not.",
      }),
      pass: z.number().int().meta({
        description: "1 first. A journal of more than 20,000 accounts is gone through again for each further 20,000.",
      }),
      checkedSequence: integer.meta({ description: "Transfers up to here are checked in this pass." }),
      lastSequence: integer.meta({
        description: "Where the pass ends: what was posted later is not in it. 0 until the accounts are read.",
      }),
      headHash: z.string().optional().meta({ description: "Of the transfer at lastSequence, in hexadecimal digits." }),
      faults: z.array(LedgerFault).meta({ description: "The first 100, once it ended." }),
      startedAt: instant,
      startedBy: leaf.userId.meta({ description: "A user's id." }),
      endedAt: instant.optional(),
    })
    .meta({ id: "LedgerVerification" }),
  { headHash: ({ headHash }) => absentIfEmpty(Buffer.from(headHash).toString("hex")) },
);

/** A transfer as an export has it: members in the order of the columns. */
export const ExportedTransfer = shape(
  wire.JournalTransfer,
  z.object({
    sequence: z.string(),
    transferId: z.string(),
    mode: z.string(),
    insertedAt: instant,
    effectiveAt: instant,
    day: date,
    belongsTo: z.string(),
    debitAccountId: z.string(),
    creditAccountId: z.string(),
    currency: z.string(),
    amount: decimalText,
    debitBalance: decimalText,
    creditBalance: decimalText,
    kind: z.string(),
    description: z.string(),
    refersTo: z.string(),
    interactionId: z.string(),
    createdBy: z.string(),
    service: z.string(),
    hash: z.string(),
  }),
  {
    sequence: ({ sequence }) => String(sequence),
    transferId: "key",
    insertedAt: "time",
    currency: "amount.currency",
    debitBalance: { minor: "debitBalanceMinor", currency: "amount.currency" },
    creditBalance: { minor: "creditBalanceMinor", currency: "amount.currency" },
    hash: ({ hash }) => Buffer.from(hash).toString("hex"),
  },
);

const common = { tag: "Ledger" as const, access: ["MANAGER"] as const };
const path = `${ledgerBase}/verifications`;
const renames = {
  cursor: "query.cursor",
  page_size: "query.size",
  idempotencyKey: "x-idempotency-key",
  verification_id: "path.verificationId",
};

const beginLedgerVerification = operation({
  ...common,
  method: "post",
  path,
  scopes: ["ledger:read"],
  summary: "Begin to verify the ledger: its chain of hashes, every balance and every sum. One runs at a time",
  headers: { idempotencyKey: "required" },
  answer: LedgerVerification,
  message: "Verification begun",
  renames,
  example: { as: "manager@demo.example", headers: { "x-idempotency-key": "ledger-verification-2026-0042" } },
  rpc: "ledger.beginVerification",
});

const listLedgerVerifications = operation({
  ...common,
  method: "get",
  path,
  scopes: ["ledger:read"],
  summary: "List verifications of the ledger, the newest first",
  query: cursorQuery,
  answer: z.object({ verifications: z.array(LedgerVerification), nextCursor: leaf.nextCursor.optional() }),
  message: "Verifications",
  renames,
  example: { as: "manager@demo.example" },
  rpc: "ledger.listVerifications",
});

const readLedgerVerification = operation({
  ...common,
  method: "get",
  path: `${path}/:verificationId`,
  scopes: ["ledger:read"],
  summary: "Read how far a verification of the ledger is, or what it found",
  params: z.object({ verificationId: idIn }),
  answer: LedgerVerification,
  message: "Verification",
  renames,
  example: {
    as: "manager@demo.example",
    params: { verificationId: "the-verification" },
    from: { "params.verificationId": "beginLedgerVerification data.verificationId" },
  },
  rpc: "ledger.getVerification",
});

const exported = readerOf(ExportedTransfer);
const columns = Object.keys(ExportedTransfer.shape) as (keyof typeof ExportedTransfer.shape)[];
const jsonLines = "application/x-ndjson";
const perPage = 1_000;

const exportLedger = route({
  ...common,
  method: "get",
  path: `${ledgerBase}/export`,
  scopes: ["ledger:read"],
  summary: "Get the transfers of the ledger by sequence, as JSON lines or CSV",
  query: insertedRange.extend({
    format: z.enum(["jsonl", "csv"]).optional().meta({ description: "jsonl when absent." }),
  }),
  answer: z.instanceof(FileAnswer),
  file: jsonLines,
  files: [csvType],
  message: "Ledger",
  renames: { from: "query.from", until: "query.to" },
  example: { as: "manager@demo.example", query: { from: "2026-11-01T00:00:00Z", format: "csv" } },
  run: async ({ query, call, clients }) => {
    const pages = pagesOf(clients, timesOf(query), call);
    // Read before answering, so that a refusal still has its status.
    const first = await pages.next();
    if (query.format === "csv") return csvFile("ledger.csv", columns, rowsOf(first, pages));
    return new FileAnswer("ledger.jsonl", Readable.from(jsonLinesOf(first, pages)), jsonLines);
  },
});

type Page = ListJournalTransfersResponse;
type Pages = AsyncGenerator<Page, undefined>;

/** Up to where the journal ended when the first page was read, however much is posted meanwhile. */
async function* pagesOf(clients: Clients, range: ReturnType<typeof timesOf>, call: EdgeCall): Pages {
  const { tenantId, interactionId, renewToken, signal } = call;
  let last: bigint | undefined;
  let cursor = "";
  do {
    const userToken = (await renewToken?.()) ?? call.userToken;
    // Each page has its own deadline, and the client's leaving ends the whole.
    const options = outgoing({ tenantId, interactionId, signal, ...(userToken !== undefined && { userToken }) });
    const page = await clients.ledger.listJournalTransfers({ ...range, pageSize: perPage, cursor }, options);
    last ??= page.lastSequence;
    const until = last;
    const transfers = page.transfers.filter(({ sequence }) => sequence <= until);
    yield { ...page, transfers };
    cursor = transfers.length < page.transfers.length ? "" : page.nextCursor;
  } while (cursor !== "");
  return undefined;
}

async function* rowsOf(first: IteratorResult<Page, undefined>, pages: Pages) {
  for (let page = first; page.done !== true; page = await pages.next()) yield page.value.transfers.map(exported);
}

/**
 * A transfer a line, and a last line that says how many there are: a file without it was cut off.
 */
async function* jsonLinesOf(first: IteratorResult<Page, undefined>, pages: Pages): AsyncGenerator<string> {
  let transfers = 0;
  let lastSequence = "0";
  for (let page = first; page.done !== true; page = await pages.next()) {
    const lines = page.value.transfers.map((transfer) => JSON.stringify(exported(transfer)));
    transfers += lines.length;
    lastSequence = String(page.value.transfers.at(-1)?.sequence ?? lastSequence);
    if (lines.length > 0) yield `${lines.join("\n")}\n`;
  }
  yield `${JSON.stringify({ end: { transfers, lastSequence } })}\n`;
}

/** In the order in which the documentation shows them. */
export const ledgerAuditRoutes = {
  beginLedgerVerification,
  listLedgerVerifications,
  readLedgerVerification,
  exportLedger,
};
