import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { Coins, Pencil } from "lucide-react";
import { useState } from "react";
import { api } from "../../lib/api";
import { dayCountText } from "../../lib/day-count";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { useUrlState } from "../../lib/url-state";
import { useMay } from "../../lib/use-session";
import { StatusBadge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Bars, KeyValue } from "../../ui/facts";
import { Figure, Id, Money } from "../../ui/figures";
import { Columns, Page, Stack } from "../../ui/page";
import { Loaded, Section } from "../../ui/panels";
import { Rows } from "../../ui/rows";
import { inWords } from "../../ui/words";
import { Dividend } from "./dividend";
import { DividendDialog } from "./dividend-dialog";
import { ProductDialog } from "./product-dialog";
import { productTexts, type PeriodCode } from "./product-texts";
import { useTermText } from "./terms";
import type { Product } from "./types";

/** A product as it is sold now, and the dividend that was declared last. */
export default function ProductPage() {
  const t = useTexts(productTexts);
  const may = useMay();
  const [open, setOpen] = useState<"change" | "declare">();
  const { values, set } = useUrlState();
  const { productId } = useParams({ strict: false }) as { productId: string };
  const product = useQuery(
    read("investments", "readInvestmentProduct", { productId }, (options) =>
      api.investments.readProduct(productId, options),
    ),
  );
  const { data } = product;
  const close = () => setOpen(undefined);
  return (
    <Page
      title={data ? t.product(data.name) : t.aProduct}
      badge={data && <StatusBadge status={data.status} tone={data.status === "OPEN" ? "good" : "neutral"} />}
      back={{ to: "/investment-products", label: t.title }}
      actions={
        data && (
          <>
            {may("declareInvestmentDividend") && (
              <Button icon={Coins} onClick={() => setOpen("declare")}>
                {t.declare}
              </Button>
            )}
            {may("putInvestmentProduct") && (
              <Button icon={Pencil} onClick={() => setOpen("change")}>
                {t.change}
              </Button>
            )}
          </>
        )
      }
    >
      <Loaded query={product} lines={10}>
        {(found) => <Content product={found} dividendId={values["dividend"]} />}
      </Loaded>
      {open === "change" && data && <ProductDialog product={data} onClose={close} />}
      {open === "declare" && data && (
        <DividendDialog product={data} onClose={close} onDeclared={(id) => set({ dividend: id })} />
      )}
    </Page>
  );
}

function Content({ product, dividendId }: { product: Product; dividendId: string | undefined }) {
  const t = useTexts(productTexts);
  const sold = product.unitsOffered - product.unitsLeft;
  return (
    <Columns>
      <Stack>
        <Facts product={product} />
        {dividendId && <Dividend dividendId={dividendId} />}
      </Stack>
      <Stack>
        <Section title={t.units}>
          <Bars
            bars={[
              {
                label: t.sold,
                share: product.unitsOffered === 0 ? 0 : sold / product.unitsOffered,
                text: <Figure value={sold} />,
              },
              {
                label: t.unitsLeft,
                share: product.unitsOffered === 0 ? 0 : product.unitsLeft / product.unitsOffered,
                text: <Figure value={product.unitsLeft} />,
                tone: "good",
              },
            ]}
          />
        </Section>
        <Section title={t.tiers} flush>
          <Rows
            label={t.tiers}
            rows={product.tiers}
            rowKey={(row) => row.from}
            empty={t.none}
            columns={[
              {
                header: t.tierFrom,
                isNumber: true,
                cell: (row) => <Money amount={row.from} currency={product.currency} />,
              },
              { header: t.ratePercent, isNumber: true, cell: (row) => <Figure value={row.ratePercent} unit="%" /> },
            ]}
          />
        </Section>
      </Stack>
    </Columns>
  );
}

function Facts({ product }: { product: Product }) {
  const t = useTexts(productTexts);
  const termText = useTermText();
  const period = (code: string) => t[code as PeriodCode] ?? inWords(code);
  const { penalty } = product;
  return (
    <Section title={t.aProduct}>
      {product.description && <p className="mb-4">{product.description}</p>}
      <KeyValue
        columns={3}
        facts={[
          { label: t.unitPrice, value: <Money amount={product.unitPrice} currency={product.currency} /> },
          { label: t.unitsOffered, value: <Figure value={product.unitsOffered} /> },
          { label: t.term, value: termText(product) },
          { label: t.minimumUnits, value: <Figure value={product.minimumUnits} /> },
          { label: t.maximumUnits, value: <Figure value={product.maximumUnitsPerCustomer} /> },
          { label: t.lockInDays, value: <Figure value={product.lockInDays} /> },
          { label: t.compounding, value: period(product.compounding) },
          { label: t.dayCount, value: dayCountText(product.dayCount) },
          { label: t.payout, value: period(product.payout) },
          { label: t.reinvestment, value: inWords(product.reinvestment) },
          {
            label: t.penalty,
            value: (
              <>
                {inWords(penalty.kind)}
                {penalty.bps ? (
                  <>
                    {" "}
                    · <Figure value={penalty.bps} unit="bps" />
                  </>
                ) : null}
                {penalty.percent ? (
                  <>
                    {" "}
                    · <Figure value={penalty.percent} unit="%" />
                  </>
                ) : null}
              </>
            ),
          },
          { label: t.tax, value: <Figure value={product.withholdingTaxBps} unit="bps" /> },
          { label: t.version, value: <Figure value={product.version} /> },
          { label: t.id, value: <Id value={product.id} /> },
        ]}
      />
    </Section>
  );
}
