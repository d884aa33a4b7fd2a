import type { ReactNode } from "react";
import type { Column } from "./data-table";
import { None } from "./figures";

interface Props<Row> {
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  /** Shown where there are none. */
  empty: ReactNode;
}

/** Rows that are all there, within a Section that is flush. */
export function Rows<Row>({ label, rows, columns, rowKey, empty }: Props<Row>) {
  if (rows.length === 0) return <div className="p-4 text-muted">{empty}</div>;
  return (
    <table className="table as-cards" aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ header, isNumber }, index) => (
            <th key={index} scope="col" className={isNumber ? "is-number" : ""}>
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)}>
            {columns.map(({ header, cell, isNumber }, index) => (
              <td key={index} data-label={header} className={isNumber ? "is-number" : ""}>
                <div className="min-w-0">{cell(row) ?? <None />}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
