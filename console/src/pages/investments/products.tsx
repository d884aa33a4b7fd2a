import { Plus } from "lucide-react";
import { useState } from "react";
import { useTexts } from "../../i18n/language";
import { api } from "../../lib/api";
import { StatusBadge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { DataTable, type Column } from "../../ui/data-table";
import { Figure, Money } from "../../ui/figures";
import { Page } from "../../ui/page";
import { Empty } from "../../ui/panels";
import { ProductDialog } from "./product-dialog";
import { productTexts } from "./product-texts";
import { ratesText, useTermText } from "./terms";

export type Product = Awaited<ReturnType<typeof api.investments.readProduct>>;

/** What customers may buy, and how much of it is left. */
export default function InvestmentProducts() {
  const t = useTexts(productTexts);
  const [isNew, setNew] = useState(false);
  const termText = useTermText();
  const columns: readonly Column<Product>[] = [
    { key: "name", header: t.name, cell: (row) => row.name },
    {
      key: "price",
      header: t.unitPrice,
      isNumber: true,
      cell: (row) => <Money amount={row.unitPrice} currency={row.currency} />,
    },
    { key: "left", header: t.unitsLeft, isNumber: true, cell: (row) => <Figure value={row.unitsLeft} /> },
    { key: "offered", header: t.unitsOffered, isNumber: true, cell: (row) => <Figure value={row.unitsOffered} /> },
    { key: "rates", header: t.ratePercent, isNumber: true, cell: (row) => <Figure value={ratesText(row)} unit="%" /> },
    { key: "term", header: t.term, cell: (row) => termText(row) },
    { key: "version", header: t.version, isNumber: true, cell: (row) => <Figure value={row.version} /> },
    {
      key: "status",
      header: t.status,
      cell: (row) => <StatusBadge status={row.status} tone={row.status === "OPEN" ? "good" : "neutral"} />,
    },
  ];
  return (
    <Page
      title={t.title}
      about={t.about}
      actions={
        <Button icon={Plus} look="primary" onClick={() => setNew(true)}>
          {t.newProduct}
        </Button>
      }
    >
      <DataTable
        label={t.title}
        area="investments"
        operation="listInvestmentProducts"
        load={(query, options) => api.investments.listProducts(query as object, options).page()}
        columns={columns}
        rowKey={(row) => row.id}
        rowLink={(row) => `/investment-products/${row.id}`}
        empty={<Empty title={t.none}>{t.noneHint}</Empty>}
      />
      {isNew && <ProductDialog product={undefined} onClose={() => setNew(false)} />}
    </Page>
  );
}
