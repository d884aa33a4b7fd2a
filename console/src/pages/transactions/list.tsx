import { deliveryMethods } from "../../generated/enums";
import { api, type RowOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useOrganisation } from "../../lib/organisation";
import { useFilters } from "../../lib/url-state";
import { useUser } from "../../lib/use-session";
import { StatusBadge } from "../../ui/badge";
import { DataTable } from "../../ui/data-table";
import { Money, Time } from "../../ui/figures";
import { FilterBar } from "../../ui/filters";
import { plain, worded } from "../../ui/options";
import { Page } from "../../ui/page";
import { Empty } from "../../ui/panels";
import type { Column } from "../../ui/table";
import { deliveryTexts, statuses } from "./codes";
import { texts } from "./texts";

type Row = RowOf<typeof api.transactions.list>;

const names = ["search", "status", "type", "from", "to", "sendCurrency", "receivingCountry"] as const;

export default function TransactionList() {
  const t = useTexts(texts);
  const deliveries = useTexts(deliveryTexts);
  const { currencies, countries } = useOrganisation();
  // Others than managers are not told what is held for a hit, nor what a partner said.
  const seesHeld = useUser().role === "MANAGER";
  const filters = useFilters(seesHeld ? ([...names, "held", "unclear"] as const) : names);
  const columns: readonly Column<Row>[] = [
    { header: t.code, cell: (row) => <span className="font-mono text-[0.8125rem]">{row.transactionCode}</span> },
    { header: t.created, cell: (row) => <Time at={row.createdAt} /> },
    { header: t.sender, cell: (row) => <Party name={row.sender.name} country={row.sender.country} /> },
    { header: t.recipient, cell: (row) => <Party name={row.recipient.name} country={row.recipient.country} /> },
    { header: t.sends, isNumber: true, cell: (row) => <Money amount={row.sendAmount} currency={row.sendCurrency} /> },
    {
      header: t.receives,
      isNumber: true,
      cell: (row) => <Money amount={row.amount} currency={row.receivingCurrency} />,
    },
    { header: t.status, cell: (row) => <StatusBadge status={row.status} /> },
  ];
  return (
    <Page title={t.title} about={t.about}>
      <FilterBar
        filters={filters}
        fields={[
          { name: "search", label: t.search, kind: "search" },
          { name: "status", label: t.status, kind: "select", options: worded(statuses) },
          {
            name: "type",
            label: t.type,
            kind: "select",
            options: deliveryMethods.map((value) => ({ value, label: deliveries[value] })),
          },
          ...(seesHeld
            ? [
                {
                  name: "held" as const,
                  label: t.held,
                  kind: "select" as const,
                  options: [{ value: "true", label: t.heldOnly }],
                },
                {
                  name: "unclear" as const,
                  label: t.unclear,
                  kind: "select" as const,
                  options: [{ value: "true", label: t.unclearOnly }],
                },
              ]
            : []),
          { name: "sendCurrency", label: t.currency, kind: "select", options: plain(currencies) },
          { name: "receivingCountry", label: t.country, kind: "select", options: plain(countries) },
          { name: "from", label: t.from, kind: "date" },
          { name: "to", label: t.to, kind: "date" },
        ]}
      />
      <DataTable
        label={t.title}
        area="transactions"
        operation="listTransactions"
        list={api.transactions.list}
        filters={filters}
        days={{ first: "from", last: "to" }}
        columns={columns}
        rowKey={(row) => row.id}
        rowLink={(row) => `/transactions/${row.id}`}
        empty={<Empty title={t.empty}>{t.emptyHint}</Empty>}
      />
    </Page>
  );
}

function Party({ name, country }: { name: string; country: string }) {
  return (
    <>
      {name}&nbsp;<span className="text-xs text-muted">{country}</span>
    </>
  );
}
