import { CsvFault, readCsv } from "../../kernel/formats/read-csv.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { createTurns } from "../../kernel/time/turns.js";

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
const maxLineBytes = 20_000;
// A line takes up to 40 µs to be read.
const linesPerTurn = 200;

/**
 * Reads settings from CSV text (RFC 4180, a header line, columns in any order, any line ends). A
 * faulty line is reported and left out; refuses INVALID_INPUT where the header or the text as a
 * whole cannot be read. Gives its turn up between lines.
 */
export async function readTable<Column extends string, Row>(
  text: string,
  table: Table<Column, Row>,
): Promise<ReadTable<Row>> {
  const { header, records } = await recordsOf(text);
  checkHeader(header, table);
  const turns = createTurns("settings csv", linesPerTurn);
  const rows: { line: number; row: Row }[] = [];
  const faults: LineFault[] = [];
  const lineOf = new Map<string, number>();
  for (const { line, cells } of records) {
    await turns.spent();
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
  turns.end();
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

async function recordsOf(text: string): Promise<{ header: string[]; records: { line: number; cells: string[] }[] }> {
  const records: { line: number; cells: string[] }[] = [];
  try {
    for await (const record of readCsv([Buffer.from(text)], {
      delimiter: ",",
      trim: true,
      maxRecordBytes: maxLineBytes,
    })) {
      if (records.push(record) > maxLines + 1) throw invalidInput("csv", `must have at most ${maxLines} lines`);
    }
  } catch (error) {
    throw error instanceof CsvFault ? invalidInput("csv", error.message) : error;
  }
  const [first, ...others] = records;
  if (first === undefined) throw invalidInput("csv", "is empty");
  return { header: first.cells, records: others };
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
