import { Readable } from "node:stream";
import { stringify } from "csv-stringify/sync";
import { z } from "zod";
import type { ListStatementResponse, StatementEntry as WireEntry } from "../../proto/gen/wallet/v1/statements.js";
import { StatementEntry, statementEntryFromWire } from "../../services/shared/api/statement-shape.js";
import { outgoing } from "../../services/shared/grpc/client.js";
import type { Clients } from "../clients.js";
import { FileAnswer } from "../file-answer.js";
import { route, type EdgeCall } from "../route.js";
import { instantIn } from "../schema.js";
import { cursorQuery, idIn, nextCursorOf, pageOf } from "./cursor-pages.js";
import { paymentsBase } from "./wallet-accounts.js";

const range = z.object({
  from: instantIn.optional().meta({ description: "Booked at or after." }),
  to: instantIn.optional().meta({ description: "Booked before." }),
});
const params = z.object({ accountId: idIn });
const example = {
  as: "amina@demo.example",
  params: { accountId: "an accountId of one's own" },
  from: { "params.accountId": "listWalletAccounts data.4.accountId" },
};
const common = { tag: "Payments", access: ["CUSTOMER", "MANAGER"] as const, params, example };
const path = `${paymentsBase}/wallet-accounts/:accountId/statement`;

/** Ours */
const readStatement = route({
  ...common,
  method: "get",
  path,
  operationId: "readStatement",
  summary: "Read a wallet's statement, the newest entry first",
  query: cursorQuery.extend(range.shape),
  answer: z.object({ entries: z.array(StatementEntry), nextCursor: z.string().optional() }),
  message: "Statement",
  run: async ({ params: { accountId }, query, call, clients }) => {
    const request = { accountId, ...timesOf(query), ...pageOf(query), newestFirst: true };
    const answer = await clients.wallet.listStatement({ ...request, pageSize: request.pageSize || 20 }, outgoing(call));
    return { entries: answer.entries.map(statementEntryFromWire), ...nextCursorOf(answer) };
  },
});

/** Ours */
const statementAsCsv = route({
  ...common,
  method: "get",
  path: `${path}.csv`,
  operationId: "statementAsCsv",
  summary: "Get a wallet's whole statement as CSV, the oldest entry first",
  query: range,
  answer: z.instanceof(FileAnswer),
  file: "text/csv; charset=utf-8",
  message: "Statement as CSV",
  run: async ({ params: { accountId }, query, call, clients }) => {
    const pages = pagesOf(clients, { accountId, ...timesOf(query) }, call);
    // Reads the first page before answering, so that a refusal still has its status.
    const first = await pages.next();
    const accountNumber = first.done === true ? "" : first.value.accountNumber;
    async function* lines(): AsyncGenerator<string> {
      yield stringify([["date", "type", "amount", "balance", "currency", "kind", "description", "interactionId"]]);
      for (let page = first; page.done !== true; page = await pages.next())
        yield stringify(page.value.entries.map(rowOf));
    }
    return new FileAnswer(`statement-${accountNumber.slice(-4)}.csv`, Readable.from(lines()));
  },
});

// A PDF is for people to read; the CSV has every entry.
const maxInPdf = 2_000;

/** Ours */
const statementAsPdf = route({
  ...common,
  method: "get",
  path: `${path}.pdf`,
  operationId: "statementAsPdf",
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
    return new FileAnswer(
      `statement-${accountNumber.slice(-4)}.pdf`,
      Readable.from(await pdfOf(shown, { accountNumber, currency })),
    );
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

function timesOf({ from, to }: z.output<typeof range>) {
  return {
    ...(from !== undefined && { from: new Date(from) }),
    ...(to !== undefined && { until: new Date(to) }),
  };
}

function rowOf(entry: WireEntry): string[] {
  const {
    type,
    amount,
    balance,
    currency,
    kind,
    description = "",
    executedAt,
    interactionId,
  } = statementEntryFromWire(entry);
  // A spreadsheet would run a cell that begins like this as a formula.
  const plain = /^[=+\-@\t\r]/.test(description) ? `'${description}` : description;
  return [executedAt, type, type === "DEBIT" ? `-${amount}` : amount, balance, currency, kind, plain, interactionId];
}

const columns = [
  { title: "Date", x: 40, width: 95 },
  { title: "Description", x: 140, width: 205 },
  { title: "Amount", x: 350, width: 95, align: "right" as const },
  { title: "Balance", x: 450, width: 105, align: "right" as const },
];
const [top, bottom, lineHeight] = [130, 780, 16];

async function pdfOf(
  entries: readonly WireEntry[],
  { accountNumber, currency }: { accountNumber: string; currency: string },
): Promise<AsyncIterable<Buffer>> {
  // Fonts and their decoders are some ten megabytes: only a gateway that draws a statement has
  // them.
  const { default: PDFDocument } = await import("pdfkit");
  const document = new PDFDocument({ size: "A4", margin: 40 });
  const line = (cells: readonly string[], y: number): void => {
    for (const [index, { x, width, align = "left" as const }] of columns.entries()) {
      document.text(cells[index] ?? "", x, y, { width, align, lineBreak: false, ellipsis: true, height: lineHeight });
    }
  };
  const head = (): number => {
    document.fontSize(16).text("Statement", 40, 50);
    document.fontSize(9).text(`Wallet account ${accountNumber}, ${currency}`, 40, 75);
    document.font("Helvetica-Bold");
    line(
      columns.map(({ title }) => title),
      top - lineHeight,
    );
    document.font("Helvetica");
    return top;
  };
  let y = head();
  for (const entry of entries) {
    if (y > bottom) {
      document.addPage();
      y = head();
    }
    const { executedAt, type, amount, balance, kind, description } = statementEntryFromWire(entry);
    const date = executedAt.slice(0, 16).replace("T", " ");
    line([date, latin(description ?? kind), type === "DEBIT" ? `-${amount}` : amount, balance], y);
    y += lineHeight;
  }
  if (entries.length === 0) document.text("No entries", 40, top);
  document.end();
  return document as unknown as AsyncIterable<Buffer>;
}

/** The built-in fonts have Latin letters only: others are left out, not drawn as something else. */
function latin(text: string): string {
  return text.replaceAll(/[^\u0020-\u00ff]/g, "?");
}

/** In the order in which the documentation shows them. */
export const statementRoutes = [readStatement, statementAsCsv, statementAsPdf];
