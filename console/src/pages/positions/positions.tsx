import { useQuery } from "@tanstack/react-query";
import { api } from "../../lib/api";
import { sum } from "../../lib/exact";
import { useLanguage, useTexts } from "../../lib/language";
import { grouped } from "../../lib/money";
import { read } from "../../lib/queries";
import { useMay } from "../../lib/use-session";
import { Badge } from "../../ui/badge";
import { Day, Figure, Money, None } from "../../ui/figures";
import { Page, Stack } from "../../ui/page";
import { Empty, Loaded, Section } from "../../ui/panels";
import { Table } from "../../ui/table";
import { Tabs } from "../../ui/tabs";
import { Partners } from "./partners";
import { Unrevalued } from "./unrevalued";
import { texts } from "./texts";
import type { Positions } from "./types";

export default function PositionsPage() {
  const t = useTexts(texts);
  const may = useMay();
  return (
    <Page title={t.title} about={t.titleAbout}>
      <Tabs
        label={t.title}
        name="show"
        tabs={[
          { key: "positions", label: t.positions, content: <AllPositions /> },
          ...(may("listPartnerBalances") ? [{ key: "partners", label: t.partners, content: <Partners /> }] : []),
        ]}
      />
    </Page>
  );
}

function AllPositions() {
  const t = useTexts(texts);
  const positions = useQuery(read("books", "readPositions", {}, (options) => api.books.readPositions(options)));
  return (
    <Loaded query={positions} lines={8}>
      {(found) => (
        <Stack>
          {found.positions.length === 0 ? (
            <div className="card">
              <Empty title={t.none}>{t.noneHint}</Empty>
            </div>
          ) : (
            <Held of={found} />
          )}
          {found.unrevaluedDays.length > 0 && <Unrevalued days={found.unrevaluedDays} />}
          {found.waiting.length > 0 && <Waiting of={found} />}
          {found.priced.length > 0 && <Priced of={found} />}
        </Stack>
      )}
    </Loaded>
  );
}

function Held({ of: { baseCurrency, positions } }: { of: Positions }) {
  const t = useTexts(texts);
  const total = (member: "cost" | "realised") => positions.reduce((all, one) => sum(all, one[member]), "0");
  return (
    <Section title={t.positions} flush>
      <Table
        label={t.positions}
        rows={positions}
        rowKey={({ code, currency }) => `${code} ${currency}`}
        rowLink={({ code, currency }) => `/ledger?code=${code}&currency=${currency}`}
        columns={[
          {
            header: t.currency,
            cell: ({ currency, code, quantity }) => (
              <>
                {currency} <SideBadge quantity={quantity} />
                <div className="font-mono text-xs font-normal text-muted">{code}</div>
              </>
            ),
          },
          {
            header: t.quantity,
            isNumber: true,
            cell: ({ quantity }) => <Money amount={quantity} />,
          },
          { header: t.average, isNumber: true, cell: ({ average }) => <Rate of={average} /> },
          { header: t.cost, isNumber: true, cell: ({ cost }) => <Money amount={cost} /> },
          {
            header: t.realised,
            isNumber: true,
            cell: ({ realised }) => <Money amount={realised} />,
          },
          { header: t.middle, isNumber: true, cell: ({ middle }) => <Rate of={middle} /> },
          {
            header: t.worth,
            isNumber: true,
            cell: ({ worth }) => <Money amount={worth} />,
          },
          {
            header: t.unrealised,
            isNumber: true,
            cell: ({ unrealised }) => <Money amount={unrealised} />,
          },
        ]}
        sums={
          <tr className="font-semibold">
            <td data-label={t.totals}>{t.totals}</td>
            <td className="max-sm:hidden!" colSpan={2} />
            <td data-label={t.cost} className="is-number">
              <Money amount={total("cost")} />
            </td>
            <td data-label={t.realised} className="is-number">
              <Money amount={total("realised")} />
            </td>
            <td className="max-sm:hidden!" colSpan={3} />
          </tr>
        }
      />
      <p className="border-t border-line px-4 py-2 text-xs text-muted">{t.costHint(baseCurrency)}</p>
    </Section>
  );
}

interface RateOf {
  fromCurrency: string;
  toCurrency: string;
  rate: string;
  source?: string;
  at?: string;
}

/** "1 USD = 1,525.75 NGN", and whose rate it is since when. */
function Rate({ of }: { of: RateOf | undefined }) {
  const language = useLanguage();
  if (of === undefined) return <None />;
  return (
    <div className="figures whitespace-nowrap">
      {`1 ${of.fromCurrency} = ${grouped(of.rate, language)} ${of.toCurrency}`}
      {of.source !== undefined && (
        <div className="text-xs text-muted">
          {of.source} · <Day at={of.at} />
        </div>
      )}
    </div>
  );
}

function SideBadge({ quantity }: { quantity: string }) {
  const t = useTexts(texts);
  if (/^-?0(\.0*)?$/.test(quantity)) return <Badge>{t.flat}</Badge>;
  return quantity.startsWith("-") ? <Badge tone="warn">{t.short}</Badge> : <Badge tone="accent">{t.long}</Badge>;
}

function Waiting({ of: { waiting } }: { of: Positions }) {
  const t = useTexts(texts);
  return (
    <Section title={t.waiting} flush>
      <p className="border-b border-line px-4 py-2 text-warn">{t.waitingHint}</p>
      <Table
        label={t.waiting}
        rows={waiting}
        rowKey={({ code, sequence }) => `${code} ${String(sequence)}`}
        columns={[
          { header: t.ofCode, cell: ({ code }) => <span className="font-mono text-xs">{code}</span> },
          { header: t.sequence, isNumber: true, cell: ({ sequence }) => <Figure value={String(sequence)} /> },
          { header: t.currencies, cell: ({ currencies }) => currencies.join(", ") },
        ]}
      />
    </Section>
  );
}

/** Exchanges of two foreign currencies, and by what they were counted in base. */
function Priced({ of: { priced } }: { of: Positions }) {
  const t = useTexts(texts);
  return (
    <Section title={t.priced} flush>
      <p className="border-b border-line px-4 py-2 text-muted">{t.pricedHint}</p>
      <Table
        label={t.priced}
        rows={priced.toReversed()}
        rowKey={({ code, sequence }) => `${code} ${String(sequence)}`}
        columns={[
          { header: t.ofCode, cell: ({ code }) => <span className="font-mono text-xs">{code}</span> },
          { header: t.sequence, isNumber: true, cell: ({ sequence }) => <Figure value={String(sequence)} /> },
          { header: t.day, cell: ({ day }) => <Day at={day} /> },
          {
            header: t.middle,
            isNumber: true,
            cell: ({ rates }) =>
              rates.map((rate) => <Rate key={`${rate.fromCurrency} ${rate.toCurrency}`} of={rate} />),
          },
        ]}
      />
    </Section>
  );
}
