import type { ComponentProps, ReactNode } from "react";
import { None } from "./figures";
import { Table } from "./table";

type Props<Row> = ComponentProps<typeof Table<Row>> & {
  /** Shown where there are none. */
  empty: ReactNode;
};

/** Rows that are all there, a dash where a cell has nothing, within a Section that is flush. */
export function Rows<Row>({ empty, ...table }: Props<Row>) {
  if (table.rows.length === 0) return <div className="p-4 text-muted">{empty}</div>;
  const columns = table.columns.map((column) => ({ ...column, cell: (row: Row) => column.cell(row) ?? <None /> }));
  return <Table {...table} columns={columns} />;
}
