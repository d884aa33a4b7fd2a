import { Download } from "lucide-react";
import { api, type RowOf } from "../../lib/api";
import { saveFile } from "../../lib/files";
import { useTexts } from "../../lib/language";
import { useOrganisation } from "../../lib/organisation";
import { useFilters } from "../../lib/url-state";
import { momentsOf } from "../../lib/zoned-day";
import { Button } from "../../ui/button";
import { DataTable } from "../../ui/data-table";
import { Id, Money, None, Time } from "../../ui/figures";
import { FilterBar } from "../../ui/filters";
import { Empty, ErrorPanel } from "../../ui/panels";
import type { Column } from "../../ui/table";
import { useAction } from "../../ui/use-action";
import { inWords } from "../../ui/words";
import { texts } from "./texts";
import type { Wallet } from "./types";

type Entry = RowOf<typeof api.payments.readStatement>;

const days = { first: "from", last: "to" } as const;

/** A wallet's entries, the newest first, and its files. */
export function Statement({ wallet }: { wallet: Wallet }) {
  const t = useTexts(texts);
  const filters = useFilters(["from", "to"]);
  const columns: readonly Column<Entry>[] = [
    { header: t.when, cell: (row) => <Time at={row.executedAt} /> },
    { header: t.description, cell: (row) => row.description || inWords(row.kind) },
    { header: t.interaction, cell: (row) => <Id value={row.interactionId} short /> },
    {
      header: t.debit,
      isNumber: true,
      cell: (row) => (row.type === "DEBIT" ? <Money amount={row.amount} /> : <None />),
    },
    {
      header: t.credit,
      isNumber: true,
      cell: (row) => (row.type === "CREDIT" ? <Money amount={row.amount} /> : <None />),
    },
    { header: t.balance, isNumber: true, cell: (row) => <Money amount={row.balance} currency={row.currency} /> },
  ];
  return (
    <section aria-label={t.statementOf(wallet.currency)} className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <h2 className="text-lg font-semibold">{t.statementOf(wallet.currency)}</h2>
        <div className="flex flex-wrap items-end gap-2.5">
          <FilterBar
            filters={filters}
            fields={[
              { name: "from", label: t.from, kind: "date" },
              { name: "to", label: t.until, kind: "date" },
            ]}
          />
          <Files wallet={wallet} requested={filters.values} />
        </div>
      </div>
      <DataTable
        label={t.statementOf(wallet.currency)}
        area="wallets"
        operation="readStatement"
        filters={filters}
        days={days}
        of={wallet.accountId}
        list={(query, options) => api.payments.readStatement(wallet.accountId, query, options)}
        columns={columns}
        rowKey={(row) => row.entryId}
        empty={<Empty title={t.noEntries}>{t.noEntriesHint}</Empty>}
      />
    </section>
  );
}

function Files({ wallet, requested }: { wallet: Wallet; requested: { from?: string; to?: string } }) {
  const t = useTexts(texts);
  const { timeZone } = useOrganisation();
  const moments = momentsOf(requested, days, timeZone);
  const name = `${wallet.currency}-${wallet.accountNumber}`;
  const csv = useAction({
    operation: "statementAsCsv",
    run: async () => saveFile(await api.payments.statementAsCsv(wallet.accountId, moments), `${name}.csv`, "text/csv"),
    done: t.isSaved,
  });
  const pdf = useAction({
    operation: "statementAsPdf",
    run: async () =>
      saveFile(await api.payments.statementAsPdf(wallet.accountId, moments), `${name}.pdf`, "application/pdf"),
    done: t.isSaved,
  });
  return (
    <div className="flex flex-wrap gap-2">
      <ErrorPanel error={csv.error ?? pdf.error} />
      <Button icon={Download} busy={csv.isRunning} onClick={() => void csv.run()}>
        CSV
      </Button>
      <Button icon={Download} busy={pdf.isRunning} onClick={() => void pdf.run()}>
        PDF
      </Button>
    </div>
  );
}
