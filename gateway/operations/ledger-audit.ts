import { Readable } from "node:stream";
import { z } from "zod";
import type {
  ListJournalTransfersResponse,
  Verification as WireVerification,
} from "../../proto/gen/ledger/v1/ledger.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import type { Clients } from "../clients.js";
import { csvFile, csvType } from "../csv-file.js";
import { FileAnswer } from "../file-answer.js";
import { route, type EdgeCall, type Route } from "../route.js";
import { instant, integer } from "../schema.js";
import { absentIfEmpty, enumName, filled, timeText } from "../wire.js";
import { cursorQuery, idIn, nextCursorOf, pageOf } from "./cursor-pages.js";
import { keyOf, replaying } from "./keyed-call.js";
import { exportedTransfer, insertedRange, ledgerBase, timesOf } from "./ledger-shapes.js";

const common = { tag: "Ledger" as const, access: ["MANAGER"] as const };
const statuses = ["RUNNING", "PASSED", "FAILED"] as const;
const path = `${ledgerBase}/verifications`;
const renames = {
  cursor: "query.cursor",
  page_size: "query.size",
  idempotencyKey: "x-idempotency-key",
  verification_id: "path.verificationId",
};

const LedgerVerification = z
  .object({
    verificationId: z.string(),
    status: z.enum(statuses).meta({ description: "PASSED where everything fits, FAILED where something does not." }),
    pass: z.number().int().meta({
      description: "1 first. A journal of more than 20,000 accounts is gone through again for each further 20,000.",
    }),
    checkedSequence: integer.meta({ description: "Transfers up to here are checked in this pass." }),
    lastSequence: integer.meta({
      description: "Where the pass ends: what was posted later is not in it. 0 until the accounts are read.",
    }),
    headHash: z.string().optional().meta({ description: "Of the transfer at lastSequence, in hexadecimal digits." }),
    faults: z
      .array(
        z
          .object({
            sequence: integer.optional(),
            transferId: z.string().optional(),
            accountId: z.string().optional(),
            difference: z.string(),
          })
          .meta({ id: "LedgerFault" }),
      )
      .meta({ description: "The first 100, once it ended." }),
    startedAt: instant,
    startedBy: z.string().meta({ description: "A user's id." }),
    endedAt: instant.optional(),
  })
  .meta({ id: "LedgerVerification" });

function verificationFromWire(wire: WireVerification | undefined): z.output<typeof LedgerVerification> {
  const { verificationId, status, pass, checkedSequence, lastSequence, headHash, faults, ...kept } = filled(
    wire,
    "verification",
  );
  return {
    verificationId,
    status: enumName(status, "VERIFICATION_STATUS_") as (typeof statuses)[number],
    pass,
    checkedSequence,
    lastSequence,
    headHash: absentIfEmpty(Buffer.from(headHash).toString("hex")),
    faults: faults.map(({ sequence, transferKey, accountId, difference }) => ({
      sequence: sequence === 0n ? undefined : sequence,
      transferId: absentIfEmpty(transferKey),
      accountId: absentIfEmpty(accountId),
      difference,
    })),
    startedAt: timeText(kept.startedAt, "verification.started_at"),
    startedBy: kept.startedBy,
    endedAt: kept.endedAt?.toISOString(),
  };
}

/** Ours */
const beginLedgerVerification = route({
  ...common,
  method: "post",
  path,
  operationId: "beginLedgerVerification",
  scopes: ["ledger:read"],
  summary: "Begin to verify the ledger: its chain of hashes, every balance and every sum. One runs at a time",
  headers: { idempotencyKey: "required" },
  answer: LedgerVerification,
  message: "Verification begun",
  renames,
  example: { as: "manager@demo.example", headers: { "x-idempotency-key": "ledger-verification-2026-0042" } },
  run: async ({ headers, call, clients }) =>
    verificationFromWire((await clients.ledger.beginVerification(keyOf(headers), replaying(call))).verification),
});

/** Ours */
const listLedgerVerifications = route({
  ...common,
  method: "get",
  path,
  operationId: "listLedgerVerifications",
  scopes: ["ledger:read"],
  summary: "List verifications of the ledger, the newest first",
  query: cursorQuery,
  answer: z.object({ verifications: z.array(LedgerVerification), nextCursor: z.string().optional() }),
  message: "Verifications",
  renames,
  example: { as: "manager@demo.example" },
  run: async ({ query, call, clients }) => {
    const answer = await clients.ledger.listVerifications(pageOf(query), outgoing(call));
    return { verifications: answer.verifications.map(verificationFromWire), ...nextCursorOf(answer) };
  },
});

/** Ours */
const readLedgerVerification = route({
  ...common,
  method: "get",
  path: `${path}/:verificationId`,
  operationId: "readLedgerVerification",
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
  run: async ({ params, call, clients }) =>
    verificationFromWire((await clients.ledger.getVerification(params, outgoing(call))).verification),
});

const jsonLines = "application/x-ndjson";
const perPage = 1_000;

/** Ours */
const exportLedger = route({
  ...common,
  method: "get",
  path: `${ledgerBase}/export`,
  operationId: "exportLedger",
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
    if (query.format === "csv") return csvFile("ledger.csv", exportColumns, rowsOf(first, pages));
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
  for (let page = first; page.done !== true; page = await pages.next())
    yield page.value.transfers.map(exportedTransfer);
}

const exportColumns = [
  "sequence",
  "transferId",
  "mode",
  "insertedAt",
  "effectiveAt",
  "debitAccountId",
  "creditAccountId",
  "currency",
  "amount",
  "debitBalance",
  "creditBalance",
  "kind",
  "description",
  "refersTo",
  "interactionId",
  "createdBy",
  "service",
  "hash",
] as const satisfies readonly (keyof ReturnType<typeof exportedTransfer>)[];

/**
 * A transfer a line, and a last line that says how many there are: a file without it was cut off.
 */
async function* jsonLinesOf(first: IteratorResult<Page, undefined>, pages: Pages): AsyncGenerator<string> {
  let transfers = 0;
  let lastSequence = "0";
  for (let page = first; page.done !== true; page = await pages.next()) {
    const lines = page.value.transfers.map((transfer) => JSON.stringify(exportedTransfer(transfer)));
    transfers += lines.length;
    lastSequence = String(page.value.transfers.at(-1)?.sequence ?? lastSequence);
    if (lines.length > 0) yield `${lines.join("\n")}\n`;
  }
  yield `${JSON.stringify({ end: { transfers, lastSequence } })}\n`;
}

/** In the order in which the documentation shows them. */
export const ledgerAuditRoutes: readonly Route[] = [
  beginLedgerVerification,
  listLedgerVerifications,
  readLedgerVerification,
  exportLedger,
];
