import { useQuery } from "@tanstack/react-query";
import { useTexts } from "../../i18n/language";
import { api } from "../../lib/api";
import { isStatus, read } from "../../lib/queries";
import { Badge, StatusBadge } from "../../ui/badge";
import { inWords } from "../../ui/words";
import { DataTable, type Column } from "../../ui/data-table";
import { Day, Figure, Money, Time } from "../../ui/figures";
import { Empty } from "../../ui/panels";
import type { Customer } from "./list";
import { texts } from "./texts";

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
    {
      key: "code",
      header: t.transaction,
      cell: (row) => <span className="font-mono text-[0.8125rem]">{row.transactionCode}</span>,
    },
    { key: "created", header: t.when, cell: (row) => <Time at={row.createdAt} /> },
    { key: "recipient", header: t.recipient, cell: (row) => `${row.recipient.name} · ${row.recipient.country}` },
    {
      key: "sends",
      header: t.sends,
      isNumber: true,
      cell: (row) => <Money amount={row.sendAmount} currency={row.sendCurrency} />,
    },
    {
      key: "receives",
      header: t.receives,
      isNumber: true,
      cell: (row) => <Money amount={row.amount} currency={row.receivingCurrency} />,
    },
    { key: "status", header: t.status, cell: (row) => <StatusBadge status={row.status} /> },
  ];
  return (
    <DataTable
      label={t.transactions}
      area="transactions"
      operation="listTransactions"
      query={{ senderCustomerCode: customerCode }}
      load={(query, options) =>
        api.transactions.list(query as Parameters<typeof api.transactions.list>[0], options).page()
      }
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
    { key: "product", header: t.product, cell: (row) => row.loanProductName },
    {
      key: "amount",
      header: t.amount,
      isNumber: true,
      cell: (row) => <Money amount={String(row.loanAmount)} currency={row.currency} />,
    },
    {
      key: "outstanding",
      header: t.outstanding,
      isNumber: true,
      cell: (row) => <Money amount={row.outstandingBalance} currency={row.currency} />,
    },
    { key: "due", header: t.nextDue, cell: (row) => <Day at={row.nextDueDate} /> },
    {
      key: "dueAmount",
      header: t.dueAmount,
      isNumber: true,
      cell: (row) => <Money amount={row.nextDueAmount} currency={row.currency} />,
    },
    {
      key: "late",
      header: t.daysLate,
      isNumber: true,
      cell: (row) => (row.daysPastDue > 0 ? <Badge tone="bad">{row.daysPastDue}</Badge> : <Figure value={0} />),
    },
    { key: "disbursed", header: t.paidOut, cell: (row) => <Day at={row.disbursedAt} /> },
    { key: "status", header: t.status, cell: (row) => <StatusBadge status={row.status} /> },
  ];
  return (
    <DataTable
      label={t.loans}
      area="loans"
      operation="loanHistory"
      query={{ customerId }}
      load={({ customerId: _whose, ...place }, options) =>
        api.loans.history(customerId, place as object, options).page()
      }
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
    { key: "product", header: t.product, cell: (row) => row.productName },
    { key: "units", header: t.units, isNumber: true, cell: (row) => <Figure value={String(row.numberOfUnits)} /> },
    {
      key: "principal",
      header: t.principal,
      isNumber: true,
      cell: (row) => <Money amount={row.principal} currency={row.currency} />,
    },
    {
      key: "interest",
      header: t.accrued,
      isNumber: true,
      cell: (row) => <Money amount={row.accruedInterest} currency={row.currency} />,
    },
    { key: "rate", header: t.ratePercent, isNumber: true, cell: (row) => <Figure value={row.ratePercent} unit="%" /> },
    { key: "bought", header: t.bought, cell: (row) => <Day at={row.purchaseDate} /> },
    { key: "matures", header: t.matures, cell: (row) => <Day at={row.maturityDate} /> },
    {
      key: "status",
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
        load={(query, options) =>
          api.investments.list(query as Parameters<typeof api.investments.list>[0], options).page()
        }
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
    { key: "number", header: t.case, cell: (row) => `#${row.number}` },
    { key: "kind", header: t.kind, cell: (row) => inWords(row.kind) },
    { key: "subject", header: t.subject, cell: (row) => row.subjectName },
    { key: "hits", header: t.hits, isNumber: true, cell: (row) => <Figure value={row.hitCount} /> },
    { key: "priority", header: t.priority, cell: (row) => inWords(row.priority) },
    { key: "opened", header: t.opened, cell: (row) => <Time at={row.openedAt} /> },
    { key: "status", header: t.status, cell: (row) => <StatusBadge status={row.outcome ?? row.status} /> },
  ];
  return (
    <DataTable
      label={t.cases}
      area="cases"
      operation="listCases"
      query={{ customerId, queue: "ALL" }}
      load={(query, options) =>
        api.compliance.listCases(query as Parameters<typeof api.compliance.listCases>[0], options).page()
      }
      columns={columns}
      rowKey={(row) => row.caseId}
      rowLink={(row) => `/cases/${row.caseId}`}
      empty={<Empty title={t.noCases}>{t.noCasesHint}</Empty>}
    />
  );
}
