import type { ReactNode } from "react";
import { api, type RowOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useFilters } from "../../lib/url-state";
import { useUser } from "../../lib/use-session";
import { StatusBadge } from "../../ui/badge";
import { DataTable } from "../../ui/data-table";
import { Day, Figure, Money, None, Time } from "../../ui/figures";
import { FilterBar } from "../../ui/filters";
import { Link } from "../../ui/link";
import { Page } from "../../ui/page";
import { Empty } from "../../ui/panels";
import type { Column } from "../../ui/table";
import { Tabs } from "../../ui/tabs";
import { inWords } from "../../ui/words";
import { texts } from "./texts";

type Holding = RowOf<typeof api.investments.list>;
type Application = RowOf<typeof api.investments.listApplications>;

/** What could not be paid, and what one customer holds and asked for. */
export default function Investments() {
  const t = useTexts(texts);
  const { role } = useUser();
  return (
    <Page title={t.title} about={t.about}>
      <Tabs
        label={t.title}
        name="show"
        tabs={[
          // Those of all customers are for managers alone.
          ...(role === "MANAGER" ? [{ key: "unpaid", label: t.unpaid, content: <Unpaid /> }] : []),
          {
            key: "holdings",
            label: t.holdings,
            content: <OfCustomer>{(id) => <Holdings customerId={id} />}</OfCustomer>,
          },
          {
            key: "applications",
            label: t.applications,
            content: <OfCustomer>{(id) => <ApplicationTable customerId={id} />}</OfCustomer>,
          },
        ]}
      />
    </Page>
  );
}

function OfCustomer({ children }: { children: (customerId: string) => ReactNode }) {
  const t = useTexts(texts);
  const filters = useFilters(["customerId"]);
  const { customerId } = filters.values;
  return (
    <div className="flex flex-col gap-4">
      <FilterBar filters={filters} fields={[{ name: "customerId", label: t.customerId, kind: "search" }]} />
      {customerId === undefined ? (
        <div className="card">
          <Empty title={t.chooseCustomer}>{t.chooseCustomerHint}</Empty>
        </div>
      ) : (
        children(customerId)
      )}
    </div>
  );
}

function useHoldingColumns(): readonly Column<Holding>[] {
  const t = useTexts(texts);
  return [
    { header: t.product, cell: (row) => row.productName },
    { header: t.units, isNumber: true, cell: (row) => <Figure value={row.numberOfUnits} /> },
    { header: t.principal, isNumber: true, cell: (row) => <Money amount={row.principal} currency={row.currency} /> },
    {
      header: t.accrued,
      isNumber: true,
      cell: (row) => <Money amount={row.accruedInterest} currency={row.currency} />,
    },
    { header: t.rate, isNumber: true, cell: (row) => <Figure value={row.ratePercent} unit="%" /> },
    { header: t.bought, cell: (row) => <Day at={row.purchaseDate} /> },
    { header: t.matures, cell: (row) => <Day at={row.maturityDate} /> },
    { header: t.status, cell: (row) => <StatusBadge status={row.status} /> },
  ];
}

function Unpaid() {
  const t = useTexts(texts);
  const [product, units, principal, , , ...rest] = useHoldingColumns();
  const columns: readonly Column<Holding>[] = [
    product as Column<Holding>,
    { header: t.customer, cell: (row) => <CustomerLink id={row.customerId} /> },
    {
      header: t.unpaidSince,
      cell: ({ unpaid }) =>
        unpaid ? (
          <>
            <Day at={unpaid.dueDate} /> · {inWords(unpaid.code)}
          </>
        ) : (
          <None />
        ),
    },
    units as Column<Holding>,
    principal as Column<Holding>,
    ...rest,
  ];
  return (
    <DataTable
      label={t.unpaid}
      area="investments"
      operation="listInvestments"
      query={{ unpaid: "true" }}
      list={api.investments.list}
      columns={columns}
      rowKey={(row) => row.holdingId}
      rowLink={(row) => `/investments/${row.holdingId}`}
      empty={<Empty title={t.unpaidEmpty}>{t.unpaidEmptyHint}</Empty>}
    />
  );
}

function Holdings({ customerId }: { customerId: string }) {
  const t = useTexts(texts);
  const columns = useHoldingColumns();
  return (
    <DataTable
      label={t.holdings}
      area="investments"
      operation="listInvestments"
      query={{ customerId }}
      list={api.investments.list}
      columns={columns}
      rowKey={(row) => row.holdingId}
      rowLink={(row) => `/investments/${row.holdingId}`}
      empty={<Empty title={t.noHoldings}>{t.noHoldingsHint}</Empty>}
    />
  );
}

function ApplicationTable({ customerId }: { customerId: string }) {
  const t = useTexts(texts);
  const columns: readonly Column<Application>[] = [
    { header: t.product, cell: (row) => <ApplicationName application={row} /> },
    { header: t.units, isNumber: true, cell: (row) => <Figure value={row.numberOfUnitsToPurchase} /> },
    { header: t.amount, isNumber: true, cell: (row) => <Money amount={row.totalAmount} currency={row.currency} /> },
    { header: t.applied, cell: (row) => <Time at={row.createdAt} /> },
    { header: t.waitsFor, cell: (row) => <Waiting application={row} /> },
    { header: t.waitsUntil, cell: (row) => <Day at={row.waitsUntil} /> },
    { header: t.refusal, cell: (row) => row.refusal?.message ?? <None /> },
    { header: t.status, cell: (row) => <StatusBadge status={row.status} /> },
  ];
  return (
    <DataTable
      label={t.applications}
      area="investments"
      operation="listInvestmentApplications"
      query={{ customerId }}
      list={api.investments.listApplications}
      columns={columns}
      rowKey={(row) => row.investmentApplicationId}
      empty={<Empty title={t.noApplications}>{t.noApplicationsHint}</Empty>}
    />
  );
}

/** Leads to what was bought, once it was. */
function ApplicationName({ application: { productName, holdingId } }: { application: Application }) {
  if (holdingId === undefined) return productName;
  return (
    <Link to={`/investments/${holdingId}`} className="link font-medium" data-row="">
      {productName}
    </Link>
  );
}

function Waiting({ application: { compliance } }: { application: Application }) {
  if (!compliance) return <None />;
  return [compliance.decision, ...compliance.outstandingRequirements].map(inWords).join(", ");
}

export function CustomerLink({ id }: { id: string }) {
  return (
    <Link to={`/customers/${id}`} className="link">
      <span className="font-mono text-[0.7rem]">…{id.slice(-8)}</span>
    </Link>
  );
}
