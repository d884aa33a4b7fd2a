import { stringify } from "csv-stringify/sync";

/** What stands before a CSV file for spreadsheets: it is UTF-8. */
export const byteOrderMark = "\ufeff";

/** Lines of CSV that end with CRLF (RFC 4180). */
export function csvLines(rows: readonly (readonly string[])[]): string {
  return stringify([...rows], { record_delimiter: "\r\n" });
}

// By what a spreadsheet knows a formula, also in letters of full width (OWASP, CSV injection).
const formula = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/u;
const amount = /^-?\d+(\.\d+)?$/;

/** A cell that a spreadsheet would run becomes text; an amount below zero stays a number. */
export function plainCell(text: string): string {
  return formula.test(text) && !amount.test(text) ? `'${text}` : text;
}

/** A line of cells, each as plainCell has it, quoted where it must be (RFC 4180); ends with LF. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => quoted(plainCell(cell))).join(",")}\n`;
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
