import { Link } from "../../app/link";
import { useTexts } from "../../i18n/language";
import { api } from "../../lib/api";
import { useFilters } from "../../lib/url-state";
import { StatusBadge } from "../../ui/badge";
import { inWords } from "../../ui/words";
import { DataTable, type Column } from "../../ui/data-table";
import { Ago, Money, Time } from "../../ui/figures";
import { FilterBar } from "../../ui/filters";
import { Stack } from "../../ui/page";
import { Empty } from "../../ui/panels";
import { texts } from "./texts";

type Arrival = Awaited<ReturnType<ReturnType<typeof api.payments.listHeldArrivals>["page"]>>["items"][number];

/** What arrived for customers who may not have it yet. */
export function Arrivals() {
  const t = useTexts(texts);
  const filters = useFilters(["all"]);
  const columns: readonly Column<Arrival>[] = [
    { key: "at", header: t.heldSince, cell: (row) => <Ago at={row.heldAt} /> },
    {
      key: "customer",
      header: t.customer,
      cell: (row) => (
        <Link to={`/customers/${row.customerId}`} className="link">
          {t.showCustomer}
        </Link>
      ),
    },
    { key: "kind", header: t.kind, cell: (row) => inWords(row.kind) },
    {
      key: "amount",
      header: t.amount,
      isNumber: true,
      cell: (row) => <Money amount={row.amount} currency={row.currency} />,
    },
    { key: "status", header: t.status, cell: (row) => <StatusBadge status={row.status} /> },
    { key: "released", header: t.released, cell: (row) => <Time at={row.releasedAt} /> },
  ];
  return (
    <Stack>
      <FilterBar
        filters={filters}
        fields={[
          {
            name: "all",
            label: t.status,
            kind: "select",
            nothing: t.stillHeld,
            options: [{ value: "true", label: t.heldEver }],
          },
        ]}
      />
      <DataTable
        label={t.arrivals}
        area="wallets"
        operation="listHeldArrivals"
        load={(query, options) =>
          api.payments.listHeldArrivals(query as Parameters<typeof api.payments.listHeldArrivals>[0], options).page()
        }
        filters={filters}
        columns={columns}
        rowKey={(row) => row.heldId}
        empty={<Empty title={t.noArrivals}>{t.noArrivalsHint}</Empty>}
      />
    </Stack>
  );
}
