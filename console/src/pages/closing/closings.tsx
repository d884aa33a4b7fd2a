import { api, type RowOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { StatusBadge } from "../../ui/badge";
import { DataTable } from "../../ui/data-table";
import { Figure, Time } from "../../ui/figures";
import { Empty } from "../../ui/panels";
import { Person } from "../../ui/person";
import type { Column } from "../../ui/table";
import { usePeriodText } from "./period-text";
import { PackageBadge } from "./package-badge";
import { texts } from "./texts";

type Row = RowOf<typeof api.books.listClosings>;

export function Closings() {
  const t = useTexts(texts);
  const periodText = usePeriodText();
  const columns: readonly Column<Row>[] = [
    { header: t.period, cell: ({ period }) => periodText(period) },
    { header: t.number, isNumber: true, cell: ({ number }) => <Figure value={number} /> },
    { header: t.by, cell: ({ closedBy }) => <Person id={closedBy} /> },
    { header: t.when, cell: ({ closedAt }) => <Time at={closedAt} /> },
    {
      header: t.state,
      cell: ({ supersededAt }) =>
        supersededAt === undefined ? (
          <StatusBadge status="STANDS" label={t.stands} tone="good" />
        ) : (
          <StatusBadge status="SUPERSEDED" label={t.superseded} tone="neutral" />
        ),
    },
    { header: t.package, cell: ({ packageStatus }) => <PackageBadge status={packageStatus} /> },
    {
      header: t.transfers,
      isNumber: true,
      cell: ({ packageTransfers }) => <Figure value={String(packageTransfers)} />,
    },
  ];
  return (
    <DataTable
      label={t.closings}
      area="books"
      operation="listClosings"
      list={api.books.listClosings}
      columns={columns}
      rowKey={({ number }) => String(number)}
      rowLink={({ number }) => `/close/${number}`}
      empty={<Empty title={t.noClosings}>{t.noClosingsHint}</Empty>}
    />
  );
}
