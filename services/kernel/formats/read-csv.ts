import { pipeline } from "node:stream/promises";
import { CsvError, parse } from "csv-parse";
import { createTurns } from "../time/turns.js";

/** Why a text is no table, and at which line. */
export class CsvFault extends Error {
  override readonly name = "CsvFault";
  /** In a few words, for people. */
  readonly reason: string;
  /** 1 the first; 0 where the reason lies at none. */
  readonly line: number;

  constructor(reason: string, line: number) {
    super(line > 0 ? `line ${line}: ${reason}` : reason);
    this.reason = reason;
    this.line = line;
  }
}

export interface CsvRecord {
  /** Where it begins: a record in quotes may span several. */
  line: number;
  cells: string[];
}

export interface CsvOptions {
  delimiter: "," | ";";
  /** Leaves spaces around cells away. */
  trim?: boolean;
  maxRecordBytes: number;
}

// Takes 3 to 6 ms to parse, with what its reader does of each record.
const sliceBytes = 16 * 1024;

/**
 * Records of a CSV in UTF-8 as they are (RFC 4180); a header is one too, and empty lines are none.
 * Line ends may be LF, CRLF and CR, also mixed. Each record is given, or a CsvFault thrown with its
 * line: nothing is left out. Gives its turn up between slices of the text.
 */
export async function* readCsv(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { delimiter, trim = false, maxRecordBytes }: CsvOptions,
): AsyncGenerator<CsvRecord> {
  const counted = { begins: 1, empty: 0 };
  const parser = parse({
    delimiter,
    // What the text's first line ends with says nothing of the others: all are made alike before.
    record_delimiter: "\n",
    relax_column_count: true,
    skip_empty_lines: true,
    trim,
    max_record_size: maxRecordBytes,
    on_record(cells, { lines, empty_lines: empty }) {
      const line = counted.begins + empty - counted.empty;
      Object.assign(counted, { begins: lines + 1, empty });
      return { line, cells } as never;
    },
  });
  const fed = pipeline(slicesOf(source), parser);
  // Whoever reads the records hears of its failure.
  fed.catch(() => undefined);
  try {
    let table: Seen | undefined;
    for await (const record of parser as AsyncIterable<CsvRecord>) {
      const { cells, line } = record;
      if (table !== undefined && cells[0]?.startsWith("\uFEFF") === true)
        throw new CsvFault("begins with a byte order mark: two files were joined", line);
      table ??= { first: filledOf(cells), widest: 0, isSpaced: trim };
      table.widest = Math.max(table.widest, filledOf(cells));
      table.isSpaced ||= cells.some((cell, index) => index > 0 && cell.startsWith(" "));
      assertWhole(record, delimiter, table);
      yield record;
    }
    await fed;
  } catch (error) {
    throw error instanceof CsvError ? faultOf(error, counted) : error;
  } finally {
    parser.destroy();
  }
}

/**
 * What the records so far say of the table: widths are those up to the last cell with
 * text, and one is the header's.
 */
interface Seen {
  first: number;
  widest: number;
  /** Whether spaces follow delimiters, or may have. */
  isSpaced: boolean;
}

/** Throws a CsvFault where a record cannot be what was written. */
function assertWhole({ cells, line }: CsvRecord, delimiter: string, table: Seen): void {
  if (cells.some((cell) => cell.includes("\uFFFD"))) throw new CsvFault("has bytes that are no UTF-8", line);
  if (cells.some((cell, index) => cell.includes("\n") && holdsLines(cells, index, delimiter, table)))
    throw new CsvFault("has a cell in quotes that holds whole lines: a quote is missing or too many", line);
}

/**
 * Whether two quotes in the same column of different lines may have made one cell
 * of all that lies between them.
 */
function holdsLines(cells: readonly string[], index: number, delimiter: string, table: Seen): boolean {
  const cell = cells[index]!;
  if (cells.length < 2 || (!table.isSpaced && isProse(cell, delimiter))) return false;
  const lines = cell.split("\n").map((text) => text.split(delimiter));
  const inner = lines.slice(1, -1).filter((line) => line.length > 1 || line[0]!.trim() !== "");
  const [first, last] = [lines[0]!, lines.at(-1)!];
  const behind = cells.length - 1 - index;
  const filledBehind = filledOf(cells) - 1 - index;
  // Each with the cells of the record that stand beside it; counted, since a
  // record may have many such cells.
  const found = [
    { cells: index + first.length, filled: filledOf(first) === 0 ? 0 : index + filledOf(first) },
    { cells: last.length + behind, filled: filledBehind > 0 ? last.length + filledBehind : filledOf(last) },
    ...inner.map((line) => ({ cells: line.length, filled: filledOf(line) })),
  ];
  const areLinesOf = (width: number) => found.every((line) => line.cells >= width && line.filled <= width);
  return areLinesOf(table.first) || areLinesOf(table.widest);
}

/**
 * Whether a space and text follow every delimiter, as those of a table
 * that has no such spaces never are.
 */
function isProse(text: string, delimiter: string): boolean {
  const [, ...others] = text.split(delimiter);
  return others.length > 0 && others.every((part) => /^ \S/.test(part));
}

function filledOf(cells: readonly string[]): number {
  return cells.findLastIndex((cell) => cell.trim() !== "") + 1;
}

function faultOf(error: CsvError, { begins, empty }: { begins: number; empty: number }): CsvFault {
  const emptyNow = typeof error["empty_lines"] === "number" ? error["empty_lines"] : empty;
  const line = begins + emptyNow - empty;
  switch (error.code) {
    case "CSV_QUOTE_NOT_CLOSED":
      return new CsvFault("opens a quote that nothing closes: the file is cut, or a quote is too many", line);
    case "CSV_MAX_RECORD_SIZE":
      return new CsvFault("is longer than a line may be", line);
    case "INVALID_OPENING_QUOTE":
    case "CSV_INVALID_CLOSING_QUOTE":
      return new CsvFault("has a quote within a cell, which is neither doubled nor around it", line);
    default:
      return new CsvFault(`is no line of a table (${error.code})`, line);
  }
}

const cr = 0x0d;
const lf = 0x0a;

/**
 * Without a byte order mark, with every line end as LF, in slices with a turn
 * of the event loop between them.
 */
async function* slicesOf(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const turns = createTurns("csv", sliceBytes);
  let endsWithCr = false;
  for await (const chunk of withoutMark(source)) {
    for (let at = 0; at < chunk.length; at += sliceBytes) {
      const slice = withLineFeeds(chunk.subarray(at, at + sliceBytes), endsWithCr);
      endsWithCr = chunk[Math.min(at + sliceBytes, chunk.length) - 1] === cr;
      if (slice.length > 0) yield slice;
      await turns.spent(Math.min(sliceBytes, chunk.length - at));
    }
  }
  turns.end();
}

function withLineFeeds(slice: Uint8Array, isAfterCr: boolean): Uint8Array {
  const begin = isAfterCr && slice[0] === lf ? 1 : 0;
  if (!slice.includes(cr)) return slice.subarray(begin);
  const made = new Uint8Array(slice.length);
  let length = 0;
  for (let at = begin; at < slice.length; at++) {
    const byte = slice[at]!;
    if (byte === lf && slice[at - 1] === cr && at > 0) continue;
    made[length++] = byte === cr ? lf : byte;
  }
  return made.subarray(0, length);
}

const mark = Buffer.from([0xef, 0xbb, 0xbf]);

async function* withoutMark(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of source) {
    if (head === undefined) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < mark.length) continue;
    yield head.subarray(0, mark.length).equals(mark) ? head.subarray(mark.length) : head;
    head = undefined;
  }
  if (head !== undefined) yield head;
}
