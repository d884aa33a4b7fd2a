import { Check, X } from "lucide-react";
import { useState } from "react";
import { api, type RowOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useMay } from "../../lib/use-session";
import { IconButton } from "../../ui/button";
import { DataTable } from "../../ui/data-table";
import { Ago, Day, Id, Money, None, Time } from "../../ui/figures";
import { Link } from "../../ui/link";
import { Page } from "../../ui/page";
import { Empty } from "../../ui/panels";
import type { Column } from "../../ui/table";
import { Tabs } from "../../ui/tabs";
import { inWords } from "../../ui/words";
import { CustomerLink } from "./list";
import { texts } from "./texts";
import type { Repayment } from "./types";
import { VerifyDialog } from "./verify-dialog";

type Credit = RowOf<typeof api.loanServicing.listSuspense>;

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
      header: t.reference,
      cell: (row) => (
        <Link to={`/loans/${row.loanApplicationId}`} className="link font-medium" data-row="">
          {row.repaymentReference}
        </Link>
      ),
    },
    { header: t.amount, isNumber: true, cell: (row) => <Money amount={row.amount} currency={row.currency} /> },
    { header: t.customer, cell: (row) => <CustomerLink id={row.customerId} name={row.customerName} /> },
    { header: t.paidOn, cell: (row) => <Day at={row.paymentDate} /> },
    { header: t.method, cell: (row) => inWords(row.paymentMethod) },
    { header: t.narration, cell: (row) => row.paymentNarration ?? <None /> },
    { header: t.recorded, cell: (row) => <Ago at={row.createdAt} /> },
    {
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
        list={api.loanServicing.listPendingRepayments}
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
    { header: t.reference, cell: (row) => row.reference || <None /> },
    { header: t.amount, isNumber: true, cell: (row) => <Money amount={row.amount} currency={row.currency} /> },
    { header: t.sender, cell: (row) => row.senderName || <None /> },
    { header: t.received, cell: (row) => <Time at={row.receivedAt} /> },
    { header: t.credit, cell: (row) => <Id value={row.creditId} /> },
  ];
  return (
    <DataTable
      label={t.suspense}
      area="loans"
      operation="listLoanSuspense"
      list={api.loanServicing.listSuspense}
      columns={columns}
      rowKey={(row) => row.creditId}
      empty={<Empty title={t.noSuspense}>{t.noSuspenseHint}</Empty>}
    />
  );
}
