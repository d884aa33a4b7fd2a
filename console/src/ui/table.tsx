import type { KeyboardEvent, ReactNode } from "react";
import { Link } from "./link";

export interface Column<Row> {
  header: string;
  cell: (row: Row) => ReactNode;
  /** Amounts and counts stand at the right. */
  isNumber?: boolean;
  /** Left out between phone and desk, where there is no room for all: the row's page has it. */
  isMinor?: boolean;
  /** Names its row. */
  isHeading?: boolean;
}

interface Props<Row> {
  /** Read aloud as the table's name. */
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  rowKey: (row: Row, index: number) => string | number;
  /** Where a row leads; its first cell becomes the link. */
  rowLink?: ((row: Row) => string) | undefined;
  /** Rows below the others: their sums. */
  sums?: ReactNode;
  isBusy?: boolean;
}

/**
 * Rows that are there; cards where there is no room. Arrows move between rows that lead somewhere.
 */
export function Table<Row>({ label, rows, columns, rowKey, rowLink, sums, isBusy = false }: Props<Row>) {
  return (
    <table className="table as-cards" aria-label={label} aria-busy={isBusy} onKeyDown={moveBetweenRows}>
      <thead>
        <tr>
          {columns.map((column, index) => (
            <th key={index} scope="col" className={classOf(column)}>
              {column.header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={rowKey(row, index)}>
            {columns.map((column, at) => (
              <Cell key={at} row={row} column={column} to={at === 0 ? rowLink?.(row) : undefined} />
            ))}
          </tr>
        ))}
        {sums}
      </tbody>
    </table>
  );
}

interface CellProps<Row> {
  row: Row;
  column: Column<Row>;
  to: string | undefined;
}

function Cell<Row>({ row, column, to }: CellProps<Row>) {
  const { header, cell, isHeading } = column;
  if (isHeading) return <th scope="row">{cell(row)}</th>;
  return (
    <td data-label={header} className={classOf(column)}>
      {to !== undefined ? (
        <Link to={to} className="link font-medium" data-row="">
          {cell(row)}
        </Link>
      ) : (
        <div className="min-w-0">{cell(row)}</div>
      )}
    </td>
  );
}

const classOf = ({ isNumber = false, isMinor = false }: Pick<Column<never>, "isNumber" | "isMinor">) =>
  [isNumber && "is-number", isMinor && "sm:max-xl:hidden"].filter(Boolean).join(" ");

/** Arrow keys, j and k, Home and End move the focus from one row's link to another's. */
function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-row]")];
  const at = links.indexOf(document.activeElement as HTMLElement);
  if (at === -1) return;
  const steps: Record<string, number> = {
    ArrowDown: at + 1,
    j: at + 1,
    ArrowUp: at - 1,
    k: at - 1,
    Home: 0,
    End: links.length - 1,
  };
  const to = links[steps[event.key] ?? -1];
  if (to === undefined) return;
  event.preventDefault();
  to.focus();
}
