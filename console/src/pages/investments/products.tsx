import { Plus } from "lucide-react";
import { useState } from "react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { StatusBadge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { DataTable } from "../../ui/data-table";
import { Figure, Money } from "../../ui/figures";
import { Page } from "../../ui/page";
import { Empty } from "../../ui/panels";
import type { Column } from "../../ui/table";
import { ProductDialog } from "./product-dialog";
import { productTexts } from "./product-texts";
import { ratesText, useTermText } from "./terms";
import type { Product } from "./types";

/** What customers may buy, and how much of it is left. */
export default function InvestmentProducts() {
  const t = useTexts(productTexts);
  const [isNew, setNew] = useState(false);
  const termText = useTermText();
  const columns: readonly Column<Product>[] = [
    { header: t.name, cell: (row) => row.name },
    { header: t.unitPrice, isNumber: true, cell: (row) => <Money amount={row.unitPrice} currency={row.currency} /> },
    { header: t.unitsLeft, isNumber: true, cell: (row) => <Figure value={row.unitsLeft} /> },
    { header: t.unitsOffered, isNumber: true, cell: (row) => <Figure value={row.unitsOffered} /> },
    { header: t.ratePercent, isNumber: true, cell: (row) => <Figure value={ratesText(row)} unit="%" /> },
    { header: t.term, cell: (row) => termText(row) },
    { header: t.version, isNumber: true, cell: (row) => <Figure value={row.version} /> },
    {
      header: t.status,
      cell: (row) => <StatusBadge status={row.status} tone={row.status === "OPEN" ? "good" : "neutral"} />,
    },
  ];
  return (
    <Page
      title={t.title}
      about={t.about}
      actions={
        <Button icon={Plus} variant="primary" onClick={() => setNew(true)}>
          {t.newProduct}
        </Button>
      }
    >
      <DataTable
        label={t.title}
        area="investments"
        operation="listInvestmentProducts"
        list={api.investments.listProducts}
        columns={columns}
        rowKey={(row) => row.id}
        rowLink={(row) => `/investment-products/${row.id}`}
        empty={<Empty title={t.none}>{t.noneHint}</Empty>}
      />
      {isNew && <ProductDialog product={undefined} onClose={() => setNew(false)} />}
    </Page>
  );
}
