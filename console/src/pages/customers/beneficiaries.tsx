import { api, type RowOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { DataTable } from "../../ui/data-table";
import { Day } from "../../ui/figures";
import { Empty } from "../../ui/panels";
import { PayeeVerdict } from "../../ui/payee-verdict";
import type { Column } from "../../ui/table";
import { inWords } from "../../ui/words";
import { texts } from "./texts";
import type { Customer } from "./types";

type Beneficiary = RowOf<typeof api.beneficiaries.findAll>;

/** Whom they send money to. */
export function Beneficiaries({ customer: { customerId } }: { customer: Customer }) {
  const t = useTexts(texts);
  const columns: readonly Column<Beneficiary>[] = [
    { header: t.name, cell: (row) => row.name },
    { header: t.recipientCode, cell: (row) => <span className="font-mono text-[0.8125rem]">{row.code}</span> },
    { header: t.country, cell: (row) => `${row.country} · ${row.currency}` },
    { header: t.paidBy, cell: (row) => row.deliveryMethods.map(inWords).join(", ") },
    {
      header: t.deliveredTo,
      cell: (row) =>
        [row.bankName ?? row.mobileOperator, row.accountNumber || row.mobileNumber].filter(Boolean).join(" · "),
    },
    { header: t.payeeCheck, cell: (row) => row.payeeCheck && <PayeeVerdict of={row.payeeCheck} /> },
    { header: t.relationship, cell: (row) => row.relationship && inWords(row.relationship) },
    { header: t.saved, cell: (row) => <Day at={row.createdAt} /> },
  ];
  return (
    <DataTable
      label={t.beneficiaries}
      area="customers"
      operation="findAllBeneficiaries"
      of={customerId}
      list={async (_query, options) =>
        (await api.beneficiaries.findAll(options)).filter((one) => one.customerId === customerId)
      }
      columns={columns}
      rowKey={(row) => row.id}
      empty={<Empty title={t.noBeneficiaries}>{t.noBeneficiariesHint}</Empty>}
    />
  );
}
