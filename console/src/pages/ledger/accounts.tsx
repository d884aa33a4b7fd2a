import { api, type RowOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useOrganisation } from "../../lib/organisation";
import { useFilters, useUrlState } from "../../lib/url-state";
import { Badge } from "../../ui/badge";
import { DataTable } from "../../ui/data-table";
import { Money } from "../../ui/figures";
import { FilterBar } from "../../ui/filters";
import { plain } from "../../ui/options";
import { Stack } from "../../ui/page";
import { Empty } from "../../ui/panels";
import type { Column } from "../../ui/table";
import { inWords } from "../../ui/words";
import { accountPage } from "./paths";
import { texts } from "./texts";

type Row = RowOf<typeof api.ledger.listAccounts>;

export function Accounts() {
  const t = useTexts(texts);
  const { currencies } = useOrganisation();
  // Whoever comes from the trial balance of a day sees the account at its end.
  const day = useUrlState().values["day"] ?? "";
  const filters = useFilters(["code", "currency", "owner"]);
  const columns: readonly Column<Row>[] = [
    {
      header: t.account,
      cell: (row) => <span className="font-mono text-xs [overflow-wrap:anywhere]">{row.accountId}</span>,
    },
    { header: t.meaning, cell: (row) => row.name ?? row.meaning },
    { header: t.type, cell: (row) => inWords(row.type) },
    { header: t.flags, cell: (row) => row.flags.includes("CLOSED") && <Badge>{t.closed}</Badge> },
    { header: t.balance, isNumber: true, cell: (row) => <Money amount={row.balance} currency={row.currency} /> },
  ];
  return (
    <Stack>
      <FilterBar
        filters={filters}
        fields={[
          { name: "code", label: t.code, kind: "search", placeholder: "customer_wallet" },
          {
            name: "currency",
            label: t.currency,
            kind: "select",
            options: plain(currencies),
          },
          { name: "owner", label: t.owner, kind: "text" },
        ]}
      />
      <DataTable
        label={t.accounts}
        area="ledger"
        operation="listLedgerAccounts"
        list={api.ledger.listAccounts}
        filters={filters}
        columns={columns}
        rowKey={(row) => row.accountId}
        rowLink={(row) => accountPage(row.accountId) + (day && `?day=${day}`)}
        empty={<Empty title={t.noAccounts}>{t.noAccountsHint}</Empty>}
      />
    </Stack>
  );
}
