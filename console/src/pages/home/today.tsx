import { useQuery } from "@tanstack/react-query";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { Day, Money } from "../../ui/figures";
import { Link } from "../../ui/link";
import { Empty, Loaded, Section } from "../../ui/panels";
import { Table } from "../../ui/table";
import { byCorridor, type Corridor } from "./corridors";
import { texts } from "./texts";
import type { Row } from "./types";

/** Volume and success by corridor, of the organisation's business day. */
export function Today() {
  const t = useTexts(texts);
  const clock = useQuery(
    read("organisation", "readBusinessClock", {}, (options) => api.organisation.readBusinessClock(options)),
  );
  return (
    <Loaded query={clock}>
      {({ businessDate }) => (
        <Section title={t.today} flush actions={<Day at={businessDate} />}>
          <OfDay day={businessDate} />
        </Section>
      )}
    </Loaded>
  );
}

function OfDay({ day }: { day: string }) {
  const t = useTexts(texts);
  const report = useQuery(
    read("home", "analyticsReport", { day }, async (options) => {
      const answer = await api.reports.analytics({ from: day, to: day }, options);
      return typeof answer === "string" ? [] : answer.rows;
    }),
  );
  return (
    <Loaded query={report}>
      {(rows: readonly Row[]) => {
        const corridors = byCorridor(rows);
        return corridors.length === 0 ? (
          <Empty title={t.nothingToday}>{t.nothingTodayHint}</Empty>
        ) : (
          <Corridors corridors={corridors} />
        );
      }}
    </Loaded>
  );
}

function Corridors({ corridors }: { corridors: readonly Corridor[] }) {
  const t = useTexts(texts);
  return (
    <Table
      label={t.today}
      rows={corridors}
      rowKey={({ key }) => key}
      columns={[
        {
          header: t.corridor,
          cell: (row) => (
            <Link
              to={`/transactions?sendCurrency=${row.currency}&receivingCountry=${row.receivingCountry}`}
              className="link font-medium"
            >
              {row.originCountry} → {row.receivingCountry}
            </Link>
          ),
        },
        { header: t.transactions, isNumber: true, cell: (row) => row.count },
        { header: t.volume, isNumber: true, cell: (row) => <Money amount={row.volume} currency={row.currency} /> },
        { header: t.fees, isNumber: true, cell: (row) => <Money amount={row.fees} currency={row.currency} /> },
        { header: t.succeeded, isNumber: true, cell: (row) => t.of(String(row.succeeded), String(row.count)) },
        {
          header: t.failed,
          isNumber: true,
          cell: ({ failed }) => <span className={failed > 0 ? "font-semibold text-bad" : "text-muted"}>{failed}</span>,
        },
      ]}
    />
  );
}
