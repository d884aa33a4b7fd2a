import { z } from "zod";
import type { ListStatementResponse, StatementEntry as WireEntry } from "../../proto/gen/wallet/v1/statements.js";
import { StatementEntry, statementEntryFromWire } from "../../services/platform/events/shapes/statement-shape.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { createPdf, type Cell } from "../../services/kernel/pdf/printer.js";
import type { Clients } from "../clients.js";
import { csvFile, csvType } from "../csv-file.js";
import { FileAnswer } from "../file-answer.js";
import { route, type EdgeCall } from "../route.js";
import { instantIn, cursorQuery, idIn, nextCursorOf, pageOf, timesOf } from "../schema.js";
import { paymentsBase } from "./wallet-accounts.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const range = z.object({
  from: instantIn.optional().meta({ description: "Booked at or after." }),
  to: instantIn.optional().meta({ description: "Booked before." }),
});
const params = z.object({ accountId: idIn });
const example = {
  as: "amina@demo.example",
  params: { accountId: "the-account" },
  from: { "params.accountId": "listWalletAccounts data.4.accountId" },
};
const common = { tag: "Payments" as const, access: ["CUSTOMER", "MANAGER"] as const, params, example };
const path = `${paymentsBase}/wallet-accounts/:accountId/statement`;

const readStatement = route({
  ...common,
  method: "get",
  path,
  scopes: ["accounts:read"],
  summary: "Read a wallet's statement, the newest entry first",
  query: cursorQuery.extend(range.shape),
  answer: z.object({ entries: z.array(StatementEntry), nextCursor: leaf.nextCursor.optional() }),
  message: "Statement",
  run: async ({ params: { accountId }, query, call, clients }) => {
    const request = { accountId, ...timesOf(query), ...pageOf(query), newestFirst: true };
    const answer = await clients.wallet.listStatement({ ...request, pageSize: request.pageSize || 20 }, outgoing(call));
    return { entries: answer.entries.map(statementEntryFromWire), ...nextCursorOf(answer) };
  },
});

const statementAsCsv = route({
  ...common,
  method: "get",
  path: `${path}.csv`,
  scopes: ["accounts:read"],
  summary: "Get a wallet's whole statement as CSV, the oldest entry first",
  query: range,
  answer: z.instanceof(FileAnswer),
  file: csvType,
  message: "Statement as CSV",
  run: async ({ params: { accountId }, query, call, clients }) => {
    const pages = pagesOf(clients, { accountId, ...timesOf(query) }, call);
    // Reads the first page before answering, so that a refusal still has its status.
    const first = await pages.next();
    const accountNumber = first.done === true ? "" : first.value.accountNumber;
    async function* rows() {
      for (let page = first; page.done !== true; page = await pages.next()) yield page.value.entries.map(rowOf);
    }
    return csvFile(`statement-${accountNumber.slice(-4)}.csv`, csvColumns, rows());
  },
});

// A PDF is for people to read; the CSV has every entry.
const maxInPdf = 2_000;

const statementAsPdf = route({
  ...common,
  method: "get",
  path: `${path}.pdf`,
  scopes: ["accounts:read"],
  summary: `Get a wallet's statement as PDF, the newest ${maxInPdf} entries of the range`,
  query: range,
  answer: z.instanceof(FileAnswer),
  file: "application/pdf",
  message: "Statement as PDF",
  run: async ({ params: { accountId }, query, call, clients }) => {
    const entries: WireEntry[] = [];
    let [accountNumber, currency] = ["", ""];
    for await (const page of pagesOf(clients, { accountId, ...timesOf(query), newestFirst: true }, call)) {
      ({ accountNumber, currency } = page);
      entries.push(...page.entries);
      if (entries.length >= maxInPdf) break;
    }
    const shown = entries.slice(0, maxInPdf);
    const pdf = await pdfOf(shown, { accountNumber, currency });
    return new FileAnswer(`statement-${accountNumber.slice(-4)}.pdf`, pdf);
  },
});

async function* pagesOf(
  clients: Clients,
  request: { accountId: string; newestFirst?: boolean },
  call: EdgeCall,
): AsyncGenerator<ListStatementResponse, undefined> {
  const { tenantId, interactionId, userToken, signal } = call;
  let cursor = "";
  do {
    // Each page has its own deadline, and the client's leaving ends the whole.
    const options = outgoing({ tenantId, interactionId, signal, ...(userToken !== undefined && { userToken }) });
    const page = await clients.wallet.listStatement({ ...request, pageSize: 1_000, cursor }, options);
    yield page;
    cursor = page.nextCursor;
  } while (cursor !== "");
  return undefined;
}

const csvColumns = ["date", "type", "amount", "balance", "currency", "kind", "description", "interactionId"] as const;

function rowOf(entry: WireEntry) {
  const { executedAt: date, amount, ...other } = statementEntryFromWire(entry);
  return { ...other, date, amount: other.type === "DEBIT" ? `-${amount}` : amount };
}

const columns: Omit<Cell, "text">[] = [
  { x: 56, width: 90 },
  { x: 150, width: 200 },
  { x: 355, width: 85, align: "right" },
  { x: 445, width: 94, align: "right" },
];
const cellsOf = (texts: readonly string[], isBold = false): Cell[] =>
  columns.map((column, index) => ({ ...column, text: texts[index] ?? "", isBold }));

async function pdfOf(
  entries: readonly WireEntry[],
  { accountNumber, currency }: { accountNumber: string; currency: string },
): Promise<Buffer> {
  const pdf = await createPdf({ title: "Statement", work: "statement pdf" });
  await pdf.heading("Statement", 16);
  await pdf.row([{ x: 56, width: 480, text: `Wallet account ${accountNumber}, ${currency}` }]);
  pdf.space(14);
  await pdf.head(cellsOf(["Date", "Description", "Amount", "Balance"], true));
  for (const entry of entries) {
    const { date, amount, balance, kind, description } = rowOf(entry);
    await pdf.row(cellsOf([date.slice(0, 16).replace("T", " "), description ?? kind, amount, balance]));
  }
  if (entries.length === 0) await pdf.row(cellsOf(["No entries"]));
  return pdf.finish();
}

/** In the order in which the documentation shows them. */
export const statementRoutes = { readStatement, statementAsCsv, statementAsPdf };
