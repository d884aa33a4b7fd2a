import { useTexts } from "../../i18n/language";
import { api } from "../../lib/api";
import { inWords } from "../../ui/words";
import { DataTable, type Column } from "../../ui/data-table";
import { Day } from "../../ui/figures";
import { Empty } from "../../ui/panels";
import type { Customer } from "./list";
import { texts } from "./texts";

type Beneficiary = Awaited<ReturnType<typeof api.beneficiaries.findAll>>[number];

/** Whom they send money to. */
export function Beneficiaries({ customer: { customerId } }: { customer: Customer }) {
  const t = useTexts(texts);
  const columns: readonly Column<Beneficiary>[] = [
    { key: "name", header: t.name, cell: (row) => row.name },
    {
      key: "code",
      header: t.recipientCode,
      cell: (row) => <span className="font-mono text-[0.8125rem]">{row.code}</span>,
    },
    { key: "country", header: t.country, cell: (row) => `${row.country} · ${row.currency}` },
    { key: "methods", header: t.paidBy, cell: (row) => row.deliveryMethods.map(inWords).join(", ") },
    {
      key: "to",
      header: t.deliveredTo,
      cell: (row) =>
        [row.bankName ?? row.mobileOperator, row.accountNumber || row.mobileNumber].filter(Boolean).join(" · "),
    },
    { key: "relationship", header: t.relationship, cell: (row) => row.relationship && inWords(row.relationship) },
    { key: "created", header: t.saved, cell: (row) => <Day at={row.createdAt} /> },
  ];
  return (
    <DataTable
      label={t.beneficiaries}
      area="customers"
      operation="findAllBeneficiaries"
      query={{ customerId }}
      load={(_query, options) =>
        api.beneficiaries
          .findAll(options)
          .then((all) => ({ items: all.filter((one) => one.customerId === customerId) }))
      }
      columns={columns}
      rowKey={(row) => row.id}
      empty={<Empty title={t.noBeneficiaries}>{t.noBeneficiariesHint}</Empty>}
    />
  );
}
