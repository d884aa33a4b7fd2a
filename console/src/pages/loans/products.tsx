import { Pencil, Plus } from "lucide-react";
import { useState } from "react";
import { api } from "../../lib/api";
import { dayCountText } from "../../lib/day-count";
import { useLanguage, useTexts } from "../../lib/language";
import { grouped } from "../../lib/money";
import { useMay } from "../../lib/use-session";
import { Button, IconButton } from "../../ui/button";
import { DataTable } from "../../ui/data-table";
import { Figure } from "../../ui/figures";
import { Page } from "../../ui/page";
import { Empty } from "../../ui/panels";
import type { Column } from "../../ui/table";
import { Tabs } from "../../ui/tabs";
import { inWords } from "../../ui/words";
import { Accrual } from "./accrual";
import { Calendar } from "./calendar";
import { ProductDialog } from "./product-dialog";
import { productTexts } from "./product-texts";
import type { Product } from "./types";

/** What customers may apply for, on which days it falls due, and how far the day's interest is. */
export default function LoanProducts() {
  const t = useTexts(productTexts);
  const may = useMay();
  const [open, setOpen] = useState<Product | "new">();
  return (
    <Page
      title={t.title}
      about={t.about}
      actions={
        may("putLoanProduct") && (
          <Button icon={Plus} variant="primary" onClick={() => setOpen("new")}>
            {t.newProduct}
          </Button>
        )
      }
    >
      <Tabs
        label={t.title}
        name="show"
        tabs={[
          { key: "products", label: t.products, content: <ProductTable onChange={setOpen} /> },
          ...(may("readHolidayCalendar") ? [{ key: "calendar", label: t.calendar, content: <Calendar /> }] : []),
          ...(may("readAccrualProgress") ? [{ key: "accrual", label: t.accrual, content: <Accrual /> }] : []),
        ]}
      />
      {open && <ProductDialog product={open === "new" ? undefined : open} onClose={() => setOpen(undefined)} />}
    </Page>
  );
}

function ProductTable({ onChange }: { onChange: (product: Product) => void }) {
  const t = useTexts(productTexts);
  const language = useLanguage();
  const may = useMay();
  const columns: readonly Column<Product>[] = [
    {
      header: t.name,
      cell: (row) => (
        <>
          <span className="font-medium whitespace-nowrap">{row.name}</span>
          <span className="block font-mono text-[0.7rem] text-muted">{row.productId}</span>
        </>
      ),
    },
    {
      header: t.amounts,
      isNumber: true,
      cell: (row) => (
        <span className="figures">
          {grouped(row.minimumAmount, language)} – {grouped(row.maximumAmount, language)}{" "}
          <span className="text-xs text-muted">{row.currency}</span>
        </span>
      ),
    },
    { header: t.instalments, isNumber: true, cell: (row) => `${row.minimumInstalments} – ${row.maximumInstalments}` },
    { header: t.frequency, cell: (row) => t[row.frequency as "DAY" | "WEEK" | "TWO_WEEKS" | "MONTH"] ?? row.frequency },
    { header: t.annualRate, isNumber: true, cell: (row) => <Figure value={row.annualRate} unit="%" /> },
    { header: t.interestMethod, cell: (row) => inWords(row.interestMethod) },
    { header: t.dayCount, cell: (row) => <span className="whitespace-nowrap">{dayCountText(row.dayCount)}</span> },
    { header: t.version, isNumber: true, cell: (row) => <Figure value={row.version} /> },
    {
      header: t.actions,
      cell: (row) =>
        may("putLoanProduct") && (
          <IconButton icon={Pencil} label={t.change(row.name)} onClick={() => onChange(row)} className="-my-1" />
        ),
    },
  ];
  return (
    <DataTable
      label={t.products}
      area="loans"
      operation="listLoanProducts"
      list={(_query, options) => api.loans.listProducts(options)}
      columns={columns}
      rowKey={(row) => row.productId}
      empty={<Empty title={t.none}>{t.noneHint}</Empty>}
    />
  );
}
