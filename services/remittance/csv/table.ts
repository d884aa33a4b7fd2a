import { parse } from "csv-parse/sync";
import { invalidInput, Refusal } from "../../shared/refusal.js";

/** One thing wrong with a line; 1 is the header. */
export interface LineFault {
  line: number;
  /** Empty where it is the line as a whole. */
  column: string;
  message: string;
}

export type Cells<Column extends string> = Partial<Record<Column, string>>;

export interface Table<Column extends string, Row> {
  columns: readonly Column[];
  required: readonly Column[];
  /** What a line says. Refuses INVALID_INPUT naming columns, or fields of the wire. */
  read: (cells: Cells<Column>) => Row;
  /** What a file may say once. */
  keyOf: (row: Row) => { key: string; column: Column };
  /** Fields of the wire that are columns under another name. */
  spelled?: Record<string, Column>;
}

export interface ReadTable<Row> {
  /** Without the header. */
  lines: number;
  rows: { line: number; row: Row }[];
  faults: LineFault[];
}

export const maxLines = 5_000;

/**
 * Reads settings from CSV text (RFC 4180, UTF-8, a header line, columns in any order). A faulty
 * line is reported and left out; refuses INVALID_INPUT where the header or the text as a whole
 * cannot be read.
 */
export function readTable<Column extends string, Row>(text: string, table: Table<Column, Row>): ReadTable<Row> {
  const { header, records } = readCsv(text);
  checkHeader(header, table);
  if (records.length > maxLines) throw invalidInput("csv", `must have at most ${maxLines} lines`);
  const rows: { line: number; row: Row }[] = [];
  const faults: LineFault[] = [];
  const lineOf = new Map<string, number>();
  for (const { line, cells } of records) {
    if (cells.length !== header.length) {
      faults.push({ line, column: "", message: `has ${cells.length} cells, and the header ${header.length}` });
      continue;
    }
    try {
      const row = table.read(Object.fromEntries(header.map((name, index) => [name, cells[index] ?? ""])) as never);
      const { key, column } = table.keyOf(row);
      const first = lineOf.get(key);
      if (first !== undefined) throw invalidInput(column, `stands in line ${first} too`);
      lineOf.set(key, line);
      rows.push({ line, row });
    } catch (error) {
      faults.push(...faultsOf(error, line, table.spelled));
    }
  }
  return { lines: records.length, rows, faults };
}

/** What a refusal says of a line. Throws what is none. */
export function faultsOf(error: unknown, line: number, spelled: Record<string, string> = {}): LineFault[] {
  if (!(error instanceof Refusal)) throw error;
  return (error.details?.errors ?? [{ path: "", message: error.message }]).map(({ path, message }) => {
    // The first part names what the line is: point.code, corridor.fees[0].name.
    const inLine = path.slice(path.indexOf(".") + 1);
    const field = path.split(".").at(-1) ?? "";
    return { line, column: spelled[inLine] ?? spelled[field] ?? field, message };
  });
}

/** True, false, or nothing said. Refuses INVALID_INPUT. */
export function booleanCell(text: string | undefined, column: string): boolean | undefined {
  const word = (text ?? "").toLowerCase();
  if (word === "") return undefined;
  if (word === "true" || word === "false") return word === "true";
  throw invalidInput(column, "must be true or false");
}

/** A whole number of at most 9 digits, or nothing said. Refuses INVALID_INPUT. */
export function wholeCell(text: string | undefined, column: string): number | undefined {
  if (text === undefined || text === "") return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw invalidInput(column, "must be a whole number");
}

function readCsv(text: string): { header: string[]; records: { line: number; cells: string[] }[] } {
  try {
    const parsed = parse(text, {
      bom: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    });
    const records = (parsed as unknown as { info: { lines: number }; record: string[] }[]).map(({ info, record }) => ({
      line: info.lines,
      cells: record,
    }));
    const [first, ...others] = records;
    if (first === undefined) throw invalidInput("csv", "is empty");
    return { header: first.cells, records: others };
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw invalidInput("csv", `cannot be read: ${error instanceof Error ? error.message : "unknown fault"}`);
  }
}

function checkHeader(
  header: readonly string[],
  { columns, required }: Pick<Table<string, unknown>, "columns" | "required">,
): void {
  const unknown = header.find((column) => !columns.includes(column));
  if (unknown !== undefined)
    throw invalidInput("csv", `has the unknown column ${unknown}; it takes ${columns.join(", ")}`);
  const twice = header.find((column, index) => header.indexOf(column) !== index);
  if (twice !== undefined) throw invalidInput("csv", `has the column ${twice} twice`);
  const missing = required.find((column) => !header.includes(column));
  if (missing !== undefined) throw invalidInput("csv", `lacks the column ${missing}`);
}
