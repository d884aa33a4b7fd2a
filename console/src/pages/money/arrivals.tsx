import { api, type RowOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useFilters } from "../../lib/url-state";
import { StatusBadge } from "../../ui/badge";
import { DataTable } from "../../ui/data-table";
import { Ago, Money, Time } from "../../ui/figures";
import { FilterBar } from "../../ui/filters";
import { Link } from "../../ui/link";
import { Stack } from "../../ui/page";
import { Empty } from "../../ui/panels";
import type { Column } from "../../ui/table";
import { inWords } from "../../ui/words";
import { texts } from "./texts";

type Arrival = RowOf<typeof api.payments.listHeldArrivals>;

/** What arrived for customers who may not have it yet. */
export function Arrivals() {
  const t = useTexts(texts);
  const filters = useFilters(["all"]);
  const columns: readonly Column<Arrival>[] = [
    { header: t.heldSince, cell: (row) => <Ago at={row.heldAt} /> },
    {
      header: t.customer,
      cell: (row) => (
        <Link to={`/customers/${row.customerId}`} className="link">
          {t.showCustomer}
        </Link>
      ),
    },
    { header: t.kind, cell: (row) => inWords(row.kind) },
    { header: t.amount, isNumber: true, cell: (row) => <Money amount={row.amount} currency={row.currency} /> },
    { header: t.status, cell: (row) => <StatusBadge status={row.status} /> },
    { header: t.released, cell: (row) => <Time at={row.releasedAt} /> },
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
        list={api.payments.listHeldArrivals}
        filters={filters}
        columns={columns}
        rowKey={(row) => row.heldId}
        empty={<Empty title={t.noArrivals}>{t.noArrivalsHint}</Empty>}
      />
    </Stack>
  );
}
