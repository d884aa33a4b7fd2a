import { useQuery } from "@tanstack/react-query";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { isStatus, read } from "../../lib/queries";
import { Badge, StatusBadge } from "../../ui/badge";
import { DataTable } from "../../ui/data-table";
import { Day, Figure, Money, Time } from "../../ui/figures";
import { Empty } from "../../ui/panels";
import type { Column } from "../../ui/table";
import { inWords } from "../../ui/words";
import { texts } from "./texts";
import type { Customer } from "./types";

type ItemOf<List extends (...given: never[]) => { page(): Promise<{ items: unknown[] }> }> = Awaited<
  ReturnType<ReturnType<List>["page"]>
>["items"][number];
type Transaction = ItemOf<typeof api.transactions.list>;
type Loan = ItemOf<typeof api.loans.history>;
type Holding = ItemOf<typeof api.investments.list>;
type Case = ItemOf<typeof api.compliance.listCases>;

/** What they sent, the newest first. */
export function CustomerTransactions({ customer: { customerCode } }: { customer: Customer }) {
  const t = useTexts(texts);
  const columns: readonly Column<Transaction>[] = [
    { header: t.transaction, cell: (row) => <span className="font-mono text-[0.8125rem]">{row.transactionCode}</span> },
    { header: t.when, cell: (row) => <Time at={row.createdAt} /> },
    { header: t.recipient, cell: (row) => `${row.recipient.name} · ${row.recipient.country}` },
    { header: t.sends, isNumber: true, cell: (row) => <Money amount={row.sendAmount} currency={row.sendCurrency} /> },
    {
      header: t.receives,
      isNumber: true,
      cell: (row) => <Money amount={row.amount} currency={row.receivingCurrency} />,
    },
    { header: t.status, cell: (row) => <StatusBadge status={row.status} /> },
  ];
  return (
    <DataTable
      label={t.transactions}
      area="transactions"
      operation="listTransactions"
      query={{ senderCustomerCode: customerCode }}
      list={api.transactions.list}
      columns={columns}
      rowKey={(row) => row.id}
      rowLink={(row) => `/transactions/${row.id}`}
      empty={<Empty title={t.noTransactions}>{t.noTransactionsHint}</Empty>}
    />
  );
}

export function Loans({ customer: { customerId } }: { customer: Customer }) {
  const t = useTexts(texts);
  const columns: readonly Column<Loan>[] = [
    { header: t.product, cell: (row) => row.loanProductName },
    {
      header: t.amount,
      isNumber: true,
      cell: (row) => <Money amount={String(row.loanAmount)} currency={row.currency} />,
    },
    {
      header: t.outstanding,
      isNumber: true,
      cell: (row) => <Money amount={row.outstandingBalance} currency={row.currency} />,
    },
    { header: t.nextDue, cell: (row) => <Day at={row.nextDueDate} /> },
    {
      header: t.dueAmount,
      isNumber: true,
      cell: (row) => <Money amount={row.nextDueAmount} currency={row.currency} />,
    },
    {
      header: t.daysLate,
      isNumber: true,
      cell: (row) => (row.daysPastDue > 0 ? <Badge tone="bad">{row.daysPastDue}</Badge> : <Figure value={0} />),
    },
    { header: t.paidOut, cell: (row) => <Day at={row.disbursedAt} /> },
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
      rowKey={(row) => row.loanApplicationId}
      rowLink={(row) => `/loans/${row.loanApplicationId}`}
      empty={<Empty title={t.noLoans}>{t.noLoansHint}</Empty>}
    />
  );
}

export function Holdings({ customer: { customerId, userId } }: { customer: Customer }) {
  const t = useTexts(texts);
  const { data: total, error } = useQuery(
    read("investments", "getTotalInvestments", { userId }, (options) => api.investments.total(userId, options)),
  );
  const columns: readonly Column<Holding>[] = [
    { header: t.product, cell: (row) => row.productName },
    { header: t.units, isNumber: true, cell: (row) => <Figure value={String(row.numberOfUnits)} /> },
    { header: t.principal, isNumber: true, cell: (row) => <Money amount={row.principal} currency={row.currency} /> },
    {
      header: t.accrued,
      isNumber: true,
      cell: (row) => <Money amount={row.accruedInterest} currency={row.currency} />,
    },
    { header: t.ratePercent, isNumber: true, cell: (row) => <Figure value={row.ratePercent} unit="%" /> },
    { header: t.bought, cell: (row) => <Day at={row.purchaseDate} /> },
    { header: t.matures, cell: (row) => <Day at={row.maturityDate} /> },
    {
      header: t.status,
      cell: (row) => (
        <span className="flex flex-wrap gap-1">
          <StatusBadge status={row.status} />
          {row.unpaid && <Badge tone="bad">{t.unpaid}</Badge>}
        </span>
      ),
    },
  ];
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {isStatus(error, 422) && <p className="text-muted">{t.noTotal}</p>}
      {total && (
        <p>
          {t.invested}{" "}
          <strong>
            <Money amount={total.invested.totalInvestments} currency={total.currency} />
          </strong>{" "}
          · {t.accrued}{" "}
          <strong>
            <Money amount={total.interestAccrued.totalInvestments} currency={total.currency} />
          </strong>
        </p>
      )}
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
    </div>
  );
}

export function CustomerCases({ customer: { customerId } }: { customer: Customer }) {
  const t = useTexts(texts);
  const columns: readonly Column<Case>[] = [
    { header: t.case, cell: (row) => `#${row.number}` },
    { header: t.kind, cell: (row) => inWords(row.kind) },
    { header: t.subject, cell: (row) => row.subjectName },
    { header: t.hits, isNumber: true, cell: (row) => <Figure value={row.hitCount} /> },
    { header: t.priority, cell: (row) => inWords(row.priority) },
    { header: t.opened, cell: (row) => <Time at={row.openedAt} /> },
    { header: t.status, cell: (row) => <StatusBadge status={row.outcome ?? row.status} /> },
  ];
  return (
    <DataTable
      label={t.cases}
      area="cases"
      operation="listCases"
      query={{ customerId, queue: "ALL" }}
      list={api.compliance.listCases}
      columns={columns}
      rowKey={(row) => row.caseId}
      rowLink={(row) => `/cases/${row.caseId}`}
      empty={<Empty title={t.noCases}>{t.noCasesHint}</Empty>}
    />
  );
}
