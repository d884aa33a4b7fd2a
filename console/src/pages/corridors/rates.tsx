import { useQuery } from "@tanstack/react-query";
import { Plus, Upload } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useOrganisation } from "../../lib/organisation";
import { isStatus, read } from "../../lib/queries";
import { useFilters } from "../../lib/url-state";
import { useMay } from "../../lib/use-session";
import { Button } from "../../ui/button";
import { DataTable } from "../../ui/data-table";
import { KeyValue } from "../../ui/facts";
import { Figure, None, Time } from "../../ui/figures";
import { FilterBar } from "../../ui/filters";
import { plain } from "../../ui/options";
import { Page } from "../../ui/page";
import { Empty, Loaded, Section, Skeleton } from "../../ui/panels";
import { Person } from "../../ui/person";
import type { Column } from "../../ui/table";
import { CsvDialog } from "./csv-dialog";
import { RateDialog } from "./rate-dialog";
import { rateTexts } from "./rate-texts";
import type { Pair, Rate } from "./types";

const RateChart = lazy(() => import("./rate-chart"));

/** The rates of a pair of currencies: what holds, what held, and what will. */
export default function Rates() {
  const t = useTexts(rateTexts);
  const may = useMay();
  const { currencies } = useOrganisation();
  const [open, setOpen] = useState<"put" | "load">();
  const filters = useFilters(["sendCurrency", "receivingCurrency"]);
  const { sendCurrency, receivingCurrency } = filters.values;
  // The select offers currencies of the organisation and no others.
  const pair = sendCurrency && receivingCurrency ? ({ sendCurrency, receivingCurrency } as Pair) : undefined;
  const options = plain(currencies);
  const close = () => setOpen(undefined);
  return (
    <Page
      title={t.title}
      about={t.about}
      actions={
        <>
          {may("loadExchangeRates") && (
            <Button icon={Upload} onClick={() => setOpen("load")}>
              {t.load}
            </Button>
          )}
          {may("putExchangeRate") && (
            <Button icon={Plus} variant="primary" onClick={() => setOpen("put")}>
              {t.put}
            </Button>
          )}
        </>
      }
    >
      <FilterBar
        filters={filters}
        fields={[
          { name: "sendCurrency", label: t.send, kind: "select", options },
          { name: "receivingCurrency", label: t.receive, kind: "select", options },
        ]}
      />
      {pair ? (
        <OfPair key={`${sendCurrency} ${receivingCurrency}`} pair={pair} />
      ) : (
        <div className="card">
          <Empty title={t.choose}>{t.chooseHint}</Empty>
        </div>
      )}
      {open === "put" && <RateDialog pair={pair} onClose={close} />}
      {open === "load" && (
        <CsvDialog
          operation="loadExchangeRates"
          load={(body, options) => api.rates.load(body, options)}
          columns="sendCurrency,receivingCurrency,exchangeRate,source,validFrom,validUntil"
          onClose={close}
        />
      )}
    </Page>
  );
}

function OfPair({ pair }: { pair: Pair }) {
  const t = useTexts(rateTexts);
  const latest = useQuery(
    read("corridors", "listExchangeRates", { ...pair, chart: true }, (options) =>
      api.rates.list(pair, options).toArray({ max: 200 }),
    ),
  );
  return (
    <>
      <Loaded query={latest}>{(rates) => <Current pair={pair} mayHold={rates.some(hasBegun)} />}</Loaded>
      {latest.data && latest.data.length > 1 && (
        <Section title={t.chart}>
          <Suspense fallback={<Skeleton lines={6} />}>
            <RateChart rates={latest.data} />
          </Suspense>
        </Section>
      )}
      <RateTable pair={pair} />
    </>
  );
}

const readAgainMs = 10_000;

const hasBegun = ({ validFrom }: Rate) => Date.parse(validFrom) <= Date.now();

function Current({ pair, mayHold }: { pair: Pair; mayHold: boolean }) {
  const t = useTexts(rateTexts);
  const current = useQuery({
    ...read("corridors", "readExchangeRate", { ...pair, mayHold }, async (options) => {
      // Where none has begun there is nothing to ask for, and a refusal would
      // stand in the browser's console.
      if (!mayHold) return null;
      try {
        return await api.rates.read(pair, options);
      } catch (error) {
        if (isStatus(error, 422)) return null;
        throw error;
      }
    }),
    // A rate begins and ends by itself, at its time.
    refetchInterval: readAgainMs,
  });
  return (
    <Section title={t.current}>
      <Loaded query={current}>
        {(rate) =>
          rate === null ? (
            <Empty title={t.noCurrent}>{t.noCurrentHint}</Empty>
          ) : (
            <KeyValue
              columns={3}
              facts={[
                {
                  label: `${pair.sendCurrency} → ${pair.receivingCurrency}`,
                  value: (
                    <strong>
                      <Figure value={rate.exchangeRate} />
                    </strong>
                  ),
                },
                { label: t.source, value: rate.source },
                { label: t.validFrom, value: <Time at={rate.validFrom} /> },
                ...(rate.validUntil ? [{ label: t.validUntil, value: <Time at={rate.validUntil} /> }] : []),
              ]}
            />
          )
        }
      </Loaded>
    </Section>
  );
}

function RateTable({ pair }: { pair: Pair }) {
  const t = useTexts(rateTexts);
  const columns: readonly Column<Rate>[] = [
    { header: t.rate, isNumber: true, cell: (row) => <Figure value={row.exchangeRate} /> },
    { header: t.validFrom, cell: (row) => <Time at={row.validFrom} /> },
    { header: t.validUntil, cell: (row) => <Time at={row.validUntil} /> },
    { header: t.source, cell: (row) => row.source ?? <None /> },
    { header: t.createdBy, cell: (row) => <Person id={row.createdBy} /> },
    { header: t.createdAt, cell: (row) => <Time at={row.createdAt} /> },
  ];
  return (
    <DataTable
      label={t.history}
      area="corridors"
      operation="listExchangeRates"
      query={pair as unknown as Record<string, string>}
      list={api.rates.list}
      columns={columns}
      rowKey={(row) => row.id}
      empty={<Empty title={t.none}>{t.noneHint}</Empty>}
    />
  );
}
