import { pipeline } from "node:stream/promises";
import { CsvError, parse } from "csv-parse";
import { ListFault, type ListPart, type Row } from "./list-file.js";
import { inSlices } from "./slices.js";

// The longest line of a published list has 20 kB.
const maxLineBytes = 1_000_000;

export interface CsvOptions {
  delimiter: "," | ";";
  part?: ListPart;
}

/** Lines of a CSV file as they are; a header is a line too. Throws a ListFault where it is none. */
export async function* csvRows(
  stream: AsyncIterable<Uint8Array>,
  { delimiter, part = "" }: CsvOptions,
): AsyncGenerator<Row> {
  const parser = parse({
    delimiter,
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: maxLineBytes,
  });
  const fed = pipeline(inSlices(stream), parser);
  // Whoever reads the lines hears of its failure.
  fed.catch(() => undefined);
  try {
    for await (const { record, info } of parser as AsyncIterable<Parsed>) {
      if (record.some((cell) => cell.includes("\uFFFD")))
        throw new ListFault("has bytes that are no UTF-8", info.lines, part);
      yield { line: info.lines, cells: record };
    }
    await fed;
  } catch (error) {
    throw error instanceof CsvError ? faultOf(error, part) : error;
  } finally {
    parser.destroy();
  }
}

interface Parsed {
  record: string[];
  info: { lines: number };
}

function faultOf(error: CsvError, part: ListPart): ListFault {
  const line = typeof error["lines"] === "number" ? error["lines"] : 0;
  if (error.code === "CSV_QUOTE_NOT_CLOSED") return new ListFault("ends inside quotes: the file is cut", line, part);
  if (error.code === "CSV_MAX_RECORD_SIZE") return new ListFault("a line is longer than 1 MB", line, part);
  return new ListFault(`is no line of a table (${error.code})`, line, part);
}
