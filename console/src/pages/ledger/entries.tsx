import { useTexts } from "../../i18n/language";
import { api } from "../../lib/api";
import { useFilters } from "../../lib/url-state";
import { inWords } from "../../ui/words";
import { DataTable, type Column } from "../../ui/data-table";
import { Money, None, Time } from "../../ui/figures";
import { FilterBar } from "../../ui/filters";
import { Stack } from "../../ui/page";
import { Empty } from "../../ui/panels";
import { transferPage } from "./paths";
import { texts } from "./texts";

type Entry = Awaited<ReturnType<ReturnType<typeof api.ledger.listEntries>["page"]>>["items"][number];

/** An account's entries, each with the balance after it. */
export function Entries({ accountId }: { accountId: string }) {
  const t = useTexts(texts);
  const filters = useFilters(["from", "to"]);
  const amount = (entry: Entry, side: string) =>
    entry.side === side ? <Money amount={entry.amount} currency={entry.currency} /> : <None />;
  const columns: readonly Column<Entry>[] = [
    { key: "at", header: t.when, cell: (row) => <Time at={row.insertedAt} seconds /> },
    {
      key: "kind",
      header: t.about,
      cell: (row) => (
        <span title={row.transferId}>
          {row.description ?? inWords(row.kind)} <span className="text-xs text-muted">{row.kind}</span>
        </span>
      ),
    },
    { key: "debit", header: t.debit, isNumber: true, cell: (row) => amount(row, "DEBIT") },
    { key: "credit", header: t.credit, isNumber: true, cell: (row) => amount(row, "CREDIT") },
    {
      key: "balance",
      header: t.balanceAfter,
      isNumber: true,
      cell: (row) => <Money amount={row.balance} currency={row.currency} />,
    },
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
        load={(query, options) => api.ledger.listEntries(accountId, query, options).page()}
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
