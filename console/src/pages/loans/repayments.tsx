import { Check, X } from "lucide-react";
import { useState } from "react";
import { Link } from "../../app/link";
import { useMay } from "../../app/use-session";
import { useTexts } from "../../i18n/language";
import { api } from "../../lib/api";
import { inWords } from "../../ui/words";
import { IconButton } from "../../ui/button";
import { DataTable, type Column } from "../../ui/data-table";
import { Ago, Day, Id, Money, None, Time } from "../../ui/figures";
import { Page } from "../../ui/page";
import { Empty } from "../../ui/panels";
import { Tabs } from "../../ui/tabs";
import { CustomerLink } from "./list";
import { texts } from "./texts";
import { VerifyDialog } from "./verify-dialog";

type Listing = ReturnType<typeof api.loanServicing.listPendingRepayments>;
export type Repayment = Awaited<ReturnType<Listing["page"]>>["items"][number];
type Credit = Awaited<ReturnType<ReturnType<typeof api.loanServicing.listSuspense>["page"]>>["items"][number];

/** Bank transfers that wait for a person's word, beside the money that matched nothing. */
export default function Repayments() {
  const t = useTexts(texts);
  return (
    <Page title={t.verifyPage} about={t.verifyAbout}>
      <Tabs
        label={t.repayments}
        name="show"
        tabs={[
          { key: "verify", label: t.toVerify, content: <ToVerify /> },
          { key: "suspense", label: t.suspense, content: <Suspense /> },
        ]}
      />
    </Page>
  );
}

function ToVerify() {
  const t = useTexts(texts);
  const may = useMay();
  const [chosen, setChosen] = useState<{ repayment: Repayment; verify: boolean }>();
  const columns: readonly Column<Repayment>[] = [
    {
      key: "reference",
      header: t.reference,
      cell: (row) => (
        <Link to={`/loans/${row.loanApplicationId}`} className="link font-medium" data-row="">
          {row.repaymentReference}
        </Link>
      ),
    },
    {
      key: "amount",
      header: t.amount,
      isNumber: true,
      cell: (row) => <Money amount={row.amount} currency={row.currency} />,
    },
    {
      key: "customer",
      header: t.customer,
      cell: (row) => <CustomerLink id={row.customerId} name={row.customerName} />,
    },
    { key: "paid", header: t.paidOn, cell: (row) => <Day at={row.paymentDate} /> },
    { key: "method", header: t.method, cell: (row) => inWords(row.paymentMethod) },
    { key: "narration", header: t.narration, cell: (row) => row.paymentNarration ?? <None /> },
    { key: "recorded", header: t.recorded, cell: (row) => <Ago at={row.createdAt} /> },
    {
      key: "actions",
      header: t.actions,
      cell: (row) =>
        may("verifyRepayment") && (
          <span className="-my-1.5 flex justify-end gap-1 sm:justify-start">
            <IconButton
              icon={Check}
              label={`${t.verify} ${row.repaymentReference}`}
              onClick={() => setChosen({ repayment: row, verify: true })}
            />
            <IconButton
              icon={X}
              label={`${t.reject} ${row.repaymentReference}`}
              onClick={() => setChosen({ repayment: row, verify: false })}
            />
          </span>
        ),
    },
  ];
  return (
    <>
      <DataTable
        label={t.toVerify}
        area="loans"
        operation="listPendingRepayments"
        load={(query, options) => api.loanServicing.listPendingRepayments(query, options).page()}
        columns={columns}
        rowKey={(row) => row.id}
        empty={<Empty title={t.noneToVerify}>{t.noneToVerifyHint}</Empty>}
      />
      {chosen && <VerifyDialog {...chosen} onClose={() => setChosen(undefined)} />}
    </>
  );
}

function Suspense() {
  const t = useTexts(texts);
  const columns: readonly Column<Credit>[] = [
    { key: "reference", header: t.reference, cell: (row) => row.reference || <None /> },
    {
      key: "amount",
      header: t.amount,
      isNumber: true,
      cell: (row) => <Money amount={row.amount} currency={row.currency} />,
    },
    { key: "sender", header: t.sender, cell: (row) => row.senderName || <None /> },
    { key: "received", header: t.received, cell: (row) => <Time at={row.receivedAt} /> },
    { key: "credit", header: t.credit, cell: (row) => <Id value={row.creditId} /> },
  ];
  return (
    <DataTable
      label={t.suspense}
      area="loans"
      operation="listLoanSuspense"
      load={(query, options) => api.loanServicing.listSuspense(query, options).page()}
      columns={columns}
      rowKey={(row) => row.creditId}
      empty={<Empty title={t.noSuspense}>{t.noSuspenseHint}</Empty>}
    />
  );
}
