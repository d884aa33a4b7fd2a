import { loanApplicationStatuses } from "../../generated/enums";
import { api, type RowOf } from "../../lib/api";
import { useLanguage, useTexts } from "../../lib/language";
import { grouped } from "../../lib/money";
import { useFilters } from "../../lib/url-state";
import { StatusBadge } from "../../ui/badge";
import { DataTable } from "../../ui/data-table";
import { Day, Figure, Id, Money, None, Time } from "../../ui/figures";
import { FilterBar } from "../../ui/filters";
import { Link } from "../../ui/link";
import { worded } from "../../ui/options";
import { Page } from "../../ui/page";
import { Empty } from "../../ui/panels";
import type { Column } from "../../ui/table";
import { Tabs } from "../../ui/tabs";
import { texts } from "./texts";
import type { Application } from "./types";

type LoanRow = RowOf<typeof api.loans.history>;

/** Applications by their status, and the loans of one customer. */
export default function LoanList() {
  const t = useTexts(texts);
  return (
    <Page title={t.title} about={t.about}>
      <Tabs
        label={t.title}
        name="show"
        tabs={[
          { key: "applications", label: t.applications, content: <Applications /> },
          { key: "loans", label: t.loansOf, content: <LoansOfCustomer /> },
        ]}
      />
    </Page>
  );
}

function Applications() {
  const t = useTexts(texts);
  const filters = useFilters(["status", "customerId"]);
  const columns: readonly Column<Application>[] = [
    { header: t.amount, cell: (row) => <OfferedAmount application={row} /> },
    { header: t.product, cell: (row) => row.offer.loanProductName },
    { header: t.instalments, isNumber: true, cell: (row) => row.offer.schedule.length },
    { header: t.customer, cell: (row) => <CustomerLink id={row.customerId} /> },
    { header: t.purpose, cell: (row) => row.purpose ?? <None /> },
    { header: t.applied, cell: (row) => <Time at={row.createdAt} /> },
    {
      header: t.disbursement,
      cell: (row) =>
        row.disbursementStatus === "NONE" ? (
          <None />
        ) : (
          <StatusBadge
            status={row.disbursementStatus}
            {...(row.disbursementStatus === "DONE" && { tone: "good" as const })}
          />
        ),
    },
    { header: t.status, cell: (row) => <StatusBadge status={row.status} /> },
  ];
  return (
    <div className="flex flex-col gap-4">
      <FilterBar
        filters={filters}
        fields={[
          { name: "customerId", label: t.customerId, kind: "search" },
          {
            name: "status",
            label: t.status,
            kind: "select",
            options: worded(loanApplicationStatuses),
          },
        ]}
      />
      <DataTable
        label={t.applications}
        area="loans"
        operation="listLoanApplications"
        list={api.loans.listApplications}
        filters={filters}
        columns={columns}
        rowKey={(row) => row.loanApplicationId}
        rowLink={(row) => `/loans/${row.loanApplicationId}`}
        empty={<Empty title={t.noApplications}>{t.noApplicationsHint}</Empty>}
      />
    </div>
  );
}

function OfferedAmount({ application }: { application: Application }) {
  const language = useLanguage();
  const { loanAmount, currency } = application.offer;
  return <span className="figures">{`${grouped(loanAmount, language)} ${currency}`}</span>;
}

export function CustomerLink({ id, name }: { id: string; name?: string }) {
  return (
    <Link to={`/customers/${id}`} className="link">
      {name ?? <span className="font-mono text-[0.7rem]">…{id.slice(-8)}</span>}
    </Link>
  );
}

function LoansOfCustomer() {
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
        <LoanTable key={customerId} customerId={customerId} />
      )}
    </div>
  );
}

function LoanTable({ customerId }: { customerId: string }) {
  const t = useTexts(texts);
  const columns: readonly Column<LoanRow>[] = [
    { header: t.product, cell: (row) => row.loanProductName },
    { header: t.amount, isNumber: true, cell: (row) => <Money amount={row.loanAmount} currency={row.currency} /> },
    {
      header: t.owed,
      isNumber: true,
      cell: (row) => <Money amount={row.outstandingBalance} currency={row.currency} />,
    },
    { header: t.overdue, isNumber: true, cell: (row) => <Money amount={row.overdueAmount} currency={row.currency} /> },
    { header: t.daysLate, isNumber: true, cell: (row) => <Figure value={row.daysPastDue} /> },
    { header: t.nextDue, cell: (row) => <Day at={row.nextDueDate} /> },
    { header: t.account, cell: (row) => <Id value={row.accountId} short /> },
    { header: t.status, cell: (row) => <StatusBadge status={row.status} /> },
  ];
  return (
    <DataTable
      label={t.loans}
      area="loans"
      operation="loanHistory"
      of={customerId}
      list={(query, options) => api.loans.history(customerId, query, options)}
      columns={columns}
      rowKey={(row) => row.accountId}
      rowLink={(row) => `/loans/${row.loanApplicationId}`}
      empty={<Empty title={t.noLoans}>{t.noLoansHint}</Empty>}
    />
  );
}
