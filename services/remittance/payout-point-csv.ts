import { parse } from "csv-parse/sync";
import { PayoutPointType } from "../../proto/gen/remittance/v1/remittance.js";
import { parseMoney } from "../shared/money.js";
import { invalidInput, Refusal } from "../shared/refusal.js";
import { pointTypes, type PayoutPointContent } from "./payout-point.js";
import { pointFromWire } from "./wire-settings.js";

export type NewPoint = Omit<PayoutPointContent, "pointId">;

/** One thing wrong with a line; 1 is the header. */
export interface LineFault {
  line: number;
  column: string;
  message: string;
}

const columns = [
  "code",
  "name",
  "type",
  "country",
  "currency",
  "city",
  "address",
  "openingHours",
  "mobileOperator",
  "minimumAmount",
  "maximumAmount",
  "allocatedTo",
  "partner",
  "enabled",
] as const;
type Column = (typeof columns)[number];
type Line = Partial<Record<Column, string>>;

const required: readonly Column[] = ["code", "name", "type", "country", "currency", "maximumAmount"];
const spelled: Record<string, Column> = { minimumMinor: "minimumAmount", maximumMinor: "maximumAmount" };
export const maxLines = 5_000;

/**
 * Reads payout points from CSV text (RFC 4180, UTF-8, a header line, columns in any order). A faulty line is reported and left
 * out; refuses INVALID_INPUT where the header or the text as a whole cannot be read.
 */
export function pointsFromCsv(text: string): { lines: number; points: NewPoint[]; faults: LineFault[] } {
  const { header, rows } = readCsv(text);
  checkHeader(header);
  if (rows.length > maxLines) throw invalidInput("csv", `must have at most ${maxLines} lines`);
  const points: NewPoint[] = [];
  const faults: LineFault[] = [];
  const lineOf = new Map<string, number>();
  for (const { line, cells } of rows) {
    if (cells.length !== header.length) {
      faults.push({ line, column: "", message: `has ${cells.length} cells, and the header ${header.length}` });
      continue;
    }
    try {
      const point = pointFromLine(Object.fromEntries(header.map((column, index) => [column, cells[index] ?? ""])));
      const first = lineOf.get(point.code);
      if (first !== undefined) throw invalidInput("point.code", `stands in line ${first} too`);
      lineOf.set(point.code, line);
      points.push(point);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      for (const fault of error.details?.errors ?? [{ path: "", message: error.message }]) {
        const column = fault.path.replace(/^point\./, "");
        faults.push({ line, column: spelled[column] ?? column, message: fault.message });
      }
    }
  }
  return { lines: rows.length, points, faults };
}

function readCsv(text: string): { header: string[]; rows: { line: number; cells: string[] }[] } {
  try {
    const records = parse(text, {
      bom: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    });
    const rows = (records as unknown as { info: { lines: number }; record: string[] }[]).map(({ info, record }) => ({
      line: info.lines,
      cells: record,
    }));
    const [first, ...others] = rows;
    if (first === undefined) throw invalidInput("csv", "is empty");
    return { header: first.cells, rows: others };
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw invalidInput("csv", `cannot be read: ${error instanceof Error ? error.message : "unknown fault"}`);
  }
}

function checkHeader(header: readonly string[]): void {
  const unknown = header.find((column) => !(columns as readonly string[]).includes(column));
  if (unknown !== undefined)
    throw invalidInput("csv", `has the unknown column ${unknown}; it takes ${columns.join(", ")}`);
  const twice = header.find((column, index) => header.indexOf(column) !== index);
  if (twice !== undefined) throw invalidInput("csv", `has the column ${twice} twice`);
  const missing = required.find((column) => !header.includes(column));
  if (missing !== undefined) throw invalidInput("csv", `lacks the column ${missing}`);
}

function pointFromLine(line: Line): NewPoint {
  const type = pointTypes.find((name) => name === line.type);
  const minorOf = (column: "minimumAmount" | "maximumAmount") =>
    line[column] ? parseMoney(line[column], line.currency ?? "", column).minor : 0n;
  const enabled = (line.enabled ?? "").toLowerCase();
  if (!["", "true", "false"].includes(enabled)) throw invalidInput("enabled", "must be true or false");
  return pointFromWire({
    pointId: "",
    code: line.code ?? "",
    name: line.name ?? "",
    type:
      type === undefined ? PayoutPointType.PAYOUT_POINT_TYPE_UNSPECIFIED : PayoutPointType[`PAYOUT_POINT_TYPE_${type}`],
    country: line.country ?? "",
    currency: line.currency ?? "",
    city: line.city ?? "",
    address: line.address ?? "",
    openingHours: line.openingHours ?? "",
    mobileOperator: line.mobileOperator ?? "",
    minimumMinor: minorOf("minimumAmount"),
    maximumMinor: minorOf("maximumAmount"),
    allocatedTo: line.allocatedTo ?? "",
    partner: line.partner ?? "",
    enabled: enabled !== "false",
    version: 0,
  });
}
