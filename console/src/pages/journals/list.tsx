import { useNavigate } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { journalStatuses } from "../../generated/enums";
import { api, type RowOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useFilters } from "../../lib/url-state";
import { useMay } from "../../lib/use-session";
import { StatusBadge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { DataTable } from "../../ui/data-table";
import { Day, Money } from "../../ui/figures";
import { FilterBar } from "../../ui/filters";
import { worded } from "../../ui/options";
import { Page } from "../../ui/page";
import { Empty } from "../../ui/panels";
import { Person } from "../../ui/person";
import type { Column } from "../../ui/table";
import { inWords } from "../../ui/words";
import { settlementTones } from "../settlements/tones";
import { sidesOf } from "./sums";
import { texts } from "./texts";

type Row = RowOf<typeof api.books.listJournals>;

export default function Journals() {
  const t = useTexts(texts);
  const may = useMay();
  const navigate = useNavigate();
  const filters = useFilters(["status", "open"]);
  const columns: readonly Column<Row>[] = [
    { header: t.reason, cell: (row) => <span className="[overflow-wrap:anywhere]">{row.reason}</span> },
    { header: t.kind, cell: (row) => inWords(row.kind) },
    { header: t.valueDate, cell: (row) => <Day at={row.valueDate} /> },
    {
      header: t.amount,
      isNumber: true,
      cell: (row) => (
        <div className="flex flex-col items-end">
          {sidesOf(row.lines).map(({ currency, debits }) => (
            <Money key={currency} amount={debits} currency={currency} />
          ))}
        </div>
      ),
    },
    { header: t.lines, isNumber: true, cell: (row) => String(row.lines.length) },
    { header: t.askedBy, cell: (row) => <Person id={row.askedBy} /> },
    {
      header: t.status,
      cell: ({ status }) => <StatusBadge status={status} tone={settlementTones[status] ?? "accent"} />,
    },
  ];
  return (
    <Page
      title={t.title}
      about={t.titleAbout}
      actions={
        may("writeJournal") && (
          <Button icon={Plus} onClick={() => void navigate({ to: "/journals/new" })}>
            {t.write}
          </Button>
        )
      }
    >
      <FilterBar
        filters={filters}
        fields={[
          { name: "status", label: t.status, kind: "select", options: worded(journalStatuses) },
          { name: "open", label: t.state, kind: "select", options: [{ value: "true", label: t.stillOpen }] },
        ]}
      />
      <DataTable
        label={t.title}
        area="books"
        operation="listJournals"
        list={api.books.listJournals}
        filters={filters}
        columns={columns}
        rowKey={(row) => row.journalId}
        rowLink={(row) => `/journals/${row.journalId}`}
        empty={<Empty title={t.none}>{t.noneHint}</Empty>}
      />
    </Page>
  );
}
