import { CsvFault, readCsv } from "../../../kernel/formats/read-csv.js";
import { ListFault, type ListPart, type Row } from "./list-file.js";

// The longest line of a published list has 20 kB.
const maxRecordBytes = 1_000_000;

export interface CsvOptions {
  delimiter: "," | ";";
  part?: ListPart;
}

/** Lines of a CSV file as they are; a header is a line too. Throws a ListFault where it is none. */
export async function* csvRows(
  stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { delimiter, part = "" }: CsvOptions,
): AsyncGenerator<Row> {
  try {
    yield* readCsv(stream, { delimiter, maxRecordBytes });
  } catch (error) {
    throw error instanceof CsvFault ? new ListFault(error.reason, error.line, part) : error;
  }
}
