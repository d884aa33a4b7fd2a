import { ListFault, type Row } from "./list-file.js";

/** A line below a header, by the names of its columns. */
export interface Table extends Row {
  /** Trimmed; empty where there is no such column. */
  of(column: string): string;
}

/**
 * Reads a header, in one of its first lines, and the lines below it. A header that comes again, a
 * line of another length and a header without a needed column are faults.
 */
export async function* readTable(
  rows: AsyncIterable<Row>,
  needed: readonly string[],
  readAbove?: (row: Row) => void,
): AsyncGenerator<Table> {
  let columns: ReadonlyMap<string, number> | undefined;
  let header: readonly string[] = [];
  let width = 0;
  for await (const row of rows) {
    if (columns === undefined) {
      if (hasColumn(row, needed[0] as string))
        [columns, header, width] = [columnsOf(row, needed), row.cells, widthOf(row)];
      else if (row.line <= maxLinesAbove && readAbove !== undefined) readAbove(row);
      else throw new ListFault(`has no column ${needed[0]}: this is no such list, or its header is missing`, row.line);
      continue;
    }
    const { cells, line } = row;
    if (cells[0] === header[0] && cells[1] === header[1]) throw new ListFault(headerAgain, line);
    const filled = cells.findLastIndex((cell) => cell.trim() !== "") + 1;
    if (cells.length < width) throw new ListFault(`has ${cells.length} columns, not ${width}: the file is cut`, line);
    if (filled > width) throw new ListFault(`has ${filled} columns, not ${width}: a delimiter is too many`, line);
    yield tableRow(row, columns);
  }
  if (columns === undefined) throw new ListFault("the file is empty");
}

const headerAgain = "has the header again: the file holds the list more than once";

function hasColumn({ cells }: Row, column: string): boolean {
  return cells.some((cell) => nameOf(cell) === nameOf(column));
}

const maxLinesAbove = 5;

function columnsOf(row: Row, needed: readonly string[]): ReadonlyMap<string, number> {
  const columns = new Map<string, number>();
  row.cells.forEach((cell, index) => {
    if (!columns.has(nameOf(cell))) columns.set(nameOf(cell), index);
  });
  for (const name of needed) {
    if (!columns.has(nameOf(name))) throw new ListFault(`has no column ${name}`, row.line);
  }
  return columns;
}

/** Up to the last column with a name: spreadsheets go on without. */
function widthOf(row: Row): number {
  return row.cells.findLastIndex((cell) => cell.trim() !== "") + 1;
}

function tableRow(row: Row, columns: ReadonlyMap<string, number>): Table {
  return {
    ...row,
    of(column) {
      const index = columns.get(nameOf(column));
      return index === undefined ? "" : (row.cells[index] ?? "").trim();
    },
  };
}

const names = new Map<string, string>();

/** Sources change case and spaces of their headers. Kept, since a line asks for fifty. */
function nameOf(column: string): string {
  const known = names.get(column);
  if (known !== undefined) return known;
  const name = column.toLowerCase().replace(/[^a-z0-9]/g, "");
  if (names.size < 1_000) names.set(column, name);
  return name;
}
