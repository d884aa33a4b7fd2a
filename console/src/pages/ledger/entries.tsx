import { api, type RowOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useFilters } from "../../lib/url-state";
import { DataTable } from "../../ui/data-table";
import { Money, None, Time } from "../../ui/figures";
import { FilterBar } from "../../ui/filters";
import { Stack } from "../../ui/page";
import { Empty } from "../../ui/panels";
import type { Column } from "../../ui/table";
import { inWords } from "../../ui/words";
import { transferPage } from "./paths";
import { texts } from "./texts";

type Entry = RowOf<typeof api.ledger.listEntries>;

/** An account's entries, each with the balance after it. */
export function Entries({ accountId }: { accountId: string }) {
  const t = useTexts(texts);
  const filters = useFilters(["from", "to"]);
  const amount = (entry: Entry, side: string) =>
    entry.side === side ? <Money amount={entry.amount} currency={entry.currency} /> : <None />;
  const columns: readonly Column<Entry>[] = [
    { header: t.when, cell: (row) => <Time at={row.insertedAt} seconds /> },
    {
      header: t.about,
      cell: (row) => (
        <span title={row.transferId}>
          {row.description ?? inWords(row.kind)} <span className="text-xs text-muted">{row.kind}</span>
        </span>
      ),
    },
    { header: t.debit, isNumber: true, cell: (row) => amount(row, "DEBIT") },
    { header: t.credit, isNumber: true, cell: (row) => amount(row, "CREDIT") },
    { header: t.balanceAfter, isNumber: true, cell: (row) => <Money amount={row.balance} currency={row.currency} /> },
  ];
  return (
    <Stack>
      <FilterBar
        filters={filters}
        fields={[
          { name: "from", label: t.from, kind: "date" },
          { name: "to", label: t.until, kind: "date" },
        ]}
      />
      <DataTable
        label={t.entries}
        area="ledger"
        operation="listLedgerEntries"
        of={accountId}
        list={(query, options) => api.ledger.listEntries(accountId, query, options)}
        filters={filters}
        days={{ first: "from", last: "to" }}
        columns={columns}
        rowKey={(row) => String(row.sequence) + row.side}
        rowLink={(row) => transferPage(row.transferId)}
        empty={<Empty title={t.noEntries}>{t.noEntriesHint}</Empty>}
      />
    </Stack>
  );
}
