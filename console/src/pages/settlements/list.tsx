import { Plus } from "lucide-react";
import { useState } from "react";
import { settlementStatuses } from "../../generated/enums";
import { api, type RowOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useFilters } from "../../lib/url-state";
import { StatusBadge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { DataTable } from "../../ui/data-table";
import { Day, Money } from "../../ui/figures";
import { FilterBar } from "../../ui/filters";
import { worded } from "../../ui/options";
import { Page } from "../../ui/page";
import { Empty } from "../../ui/panels";
import type { Column } from "../../ui/table";
import { inWords } from "../../ui/words";
import { ProposeDialog } from "./propose-dialog";
import { texts } from "./texts";
import { settlementTones } from "./tones";

type Row = RowOf<typeof api.books.listSettlements>;

export default function Settlements() {
  const t = useTexts(texts);
  const filters = useFilters(["status", "open", "account"]);
  const [isProposing, setProposing] = useState(false);
  const columns: readonly Column<Row>[] = [
    { header: t.reference, cell: (row) => row.reference },
    { header: t.kind, cell: (row) => inWords(row.kind) },
    {
      header: t.account,
      cell: (row) => <span className="font-mono text-xs [overflow-wrap:anywhere]">{row.accountId}</span>,
    },
    { header: t.amount, isNumber: true, cell: (row) => <Money amount={row.amount} currency={row.currency} /> },
    {
      header: t.cost,
      isNumber: true,
      cell: (row) => <Money amount={row.cost.amount} currency={row.cost.currency} />,
    },
    { header: t.valueDate, cell: (row) => <Day at={row.valueDate} /> },
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
        <Button icon={Plus} onClick={() => setProposing(true)}>
          {t.propose}
        </Button>
      }
    >
      <FilterBar
        filters={filters}
        fields={[
          { name: "status", label: t.status, kind: "select", options: worded(settlementStatuses) },
          { name: "open", label: t.state, kind: "select", options: [{ value: "true", label: t.stillOpen }] },
          { name: "account", label: t.account, kind: "search", placeholder: "partner_settlement:operator:NGN" },
        ]}
      />
      <DataTable
        label={t.title}
        area="books"
        operation="listSettlements"
        list={api.books.listSettlements}
        filters={filters}
        columns={columns}
        rowKey={(row) => row.settlementId}
        rowLink={(row) => `/settlements/${row.settlementId}`}
        empty={<Empty title={t.none}>{t.noneHint}</Empty>}
      />
      {isProposing && <ProposeDialog onClose={() => setProposing(false)} />}
    </Page>
  );
}
