import { byteOrderMark, csvLines, plainCell } from "../../kernel/formats/csv-lines.js";
import { formatMoney } from "../../kernel/money.js";
import { invalidInput } from "../../kernel/refusal.js";
import { shownStatus } from "./block-view.js";
import type { ListPosition } from "./transaction-list.js";
import type { Transaction } from "./transaction.js";

export const exportFormats = ["CSV", "JSONL"] as const;
export type ExportFormat = (typeof exportFormats)[number];
export type ExportStatus = "QUEUED" | "RUNNING" | "DONE" | "FAILED";

/** Why an export failed. */
export type ExportFault = "TOO_MANY_ROWS" | "PERSON_ERASED";

/** A long list that is made piece by piece, and read by whoever asked for it. */
export interface ReportExport {
  /** In the order they were asked for. */
  exportId: string;
  report: "transactions";
  /** Days of the tenant's zone, both included, and their ends in time. */
  from: string;
  to: string;
  start: Date;
  end: Date;
  columns: string[];
  format: ExportFormat;
  /** Whether whoever asked may know of blocks. */
  seesBlocks: boolean;
  status: ExportStatus;
  askedBy: string;
  askedAt: Date;
  rows: number;
  /** Pieces that are kept; the next one has this number. */
  pieces: number;
  /** The last transaction that is in. */
  position?: ListPosition;
  /** Hex, of the whole file. */
  sha256?: string;
  fault?: ExportFault;
  doneAt?: Date;
  /** When it is removed, real time. */
  expiresAt: Date;
}

/** The most rows of one export. */
export const mostExported = 1_000_000;
export const exportKeptForMs = 7 * 24 * 60 * 60_000;
/** How many of a tenant may wait. */
export const mostWaiting = 10;

type Cell = (one: Transaction, seesBlocks: boolean) => string;

/** Columns of the list of transactions, in their order. */
const cells: Readonly<Record<string, Cell>> = {
  transactionId: ({ transactionId }) => transactionId,
  transactionCode: ({ transactionCode }) => transactionCode,
  createdAt: ({ createdAt }) => createdAt.toISOString(),
  status: (one, seesBlocks) => (seesBlocks ? one.status : shownStatus(one)),
  originCountry: ({ transferInformation }) => transferInformation.originCountry,
  receivingCountry: ({ transferInformation }) => transferInformation.receivingCountry,
  deliveryMethod: ({ deliveryMethod }) => deliveryMethod,
  sendCurrency: ({ price }) => price.principal.currency,
  principalAmount: ({ price }) => formatMoney(price.principal),
  fees: ({ price }) => formatMoney(price.totalFees),
  taxes: ({ price }) => formatMoney(price.totalTaxes),
  totalAmount: ({ price }) => formatMoney(price.total),
  receivingCurrency: ({ price }) => price.receive.currency,
  receivedAmount: ({ price }) => formatMoney(price.receive),
  rate: ({ price }) => price.rate,
  senderId: ({ sender }) => sender.customerId,
  agentId: ({ agentId = "" }) => agentId,
  createdBy: ({ createdBy }) => createdBy,
  createdByRole: ({ createdByRole }) => createdByRole,
};
const columnNames = Object.keys(cells);

/** Refuses INVALID_INPUT at report, columns or format; all columns where none are named. */
export function parseExport(asked: { report: string; columns: readonly string[]; format: string }) {
  if (asked.report !== "transactions") throw invalidInput("report", "must be transactions");
  if (!asked.columns.every((column) => columnNames.includes(column))) {
    throw invalidInput("columns", `must be of ${columnNames.join(", ")}`);
  }
  const format = exportFormats.find((one) => one === asked.format);
  if (format === undefined) throw invalidInput("format", `must be one of ${exportFormats.join(", ")}`);
  const columns = asked.columns.length === 0 ? columnNames : columnNames.filter((one) => asked.columns.includes(one));
  return { report: "transactions" as const, columns, format };
}

/** A piece of the file and whom it is about; the first one has what stands before rows. */
export function pieceOf(
  { columns, format, seesBlocks, pieces }: ReportExport,
  found: readonly Transaction[],
): { text: string; customerIds: string[] } {
  const lines = found.map((one) => columns.map((column) => cells[column]!(one, seesBlocks)));
  const customerIds = [...new Set(found.map(({ sender }) => sender.customerId))];
  if (format === "CSV") {
    const header = pieces === 0 ? byteOrderMark + csvLines([columns]) : "";
    return { text: header + csvLines(lines.map((line) => line.map(plainCell))), customerIds };
  }
  const objects = lines.map((line) => Object.fromEntries(columns.map((column, index) => [column, line[index]])));
  return { text: objects.map((one) => `${JSON.stringify(one)}\n`).join(""), customerIds };
}
