import { Readable } from "node:stream";
import { byteOrderMark, csvLines, plainCell } from "../services/kernel/formats/csv-lines.js";
import { createTurns } from "../services/kernel/time/turns.js";
import { FileAnswer } from "./file-answer.js";

export const csvType = "text/csv; charset=utf-8";

type Cell = string | number | bigint | undefined;

/**
 * A table as a file that spreadsheets open as it is meant: UTF-8 with a byte order mark, lines
 * that end with CRLF (RFC 4180), a header, and no cell that would be run as a formula. Pages are
 * asked for as the client reads.
 */
export function csvFile<Column extends string>(
  fileName: string,
  columns: readonly Column[],
  pages: AsyncIterable<readonly Row<Column>[]> | Iterable<readonly Row<Column>[]>,
): FileAnswer {
  return new FileAnswer(fileName, Readable.from(csvOf(columns, pages), { objectMode: false }), csvType);
}

export type Row<Column extends string> = Partial<Record<Column, Cell>>;

const rowsPerTurn = 200;

async function* csvOf<Column extends string>(
  columns: readonly Column[],
  pages: AsyncIterable<readonly Row<Column>[]> | Iterable<readonly Row<Column>[]>,
): AsyncGenerator<string> {
  const turns = createTurns("csv", rowsPerTurn);
  yield byteOrderMark + csvLines([columns]);
  for await (const page of pages) {
    for (let from = 0; from < page.length; from += rowsPerTurn) {
      const rows = page.slice(from, from + rowsPerTurn);
      yield csvLines(rows.map((row) => columns.map((column) => plainCell(String(row[column] ?? "")))));
      await turns.spent(rows.length);
    }
  }
  turns.end();
}
