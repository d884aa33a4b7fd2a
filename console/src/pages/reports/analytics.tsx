import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useOrganisation } from "../../lib/organisation";
import { read } from "../../lib/queries";
import { useFilters } from "../../lib/url-state";
import { plusDays, today } from "../../lib/zoned-day";
import { Figure, Money } from "../../ui/figures";
import { FilterBar } from "../../ui/filters";
import { Empty, Loaded, Section, Skeleton } from "../../ui/panels";
import { Table } from "../../ui/table";
import { CsvButton } from "./csv-button";
import { countsByDay, sumsByCorridor, type CorridorSum } from "./sums";
import { texts } from "./texts";
import type { Report } from "./types";

// The chart's library comes with the first chart alone.
const DayChart = lazy(() => import("./day-chart"));
const shownDays = 30;
const mostDays = 366;

/** What was sent in a time, by day and by corridor. */
export function Analytics() {
  const t = useTexts(texts);
  const { timeZone } = useOrganisation();
  const filters = useFilters(["from", "to"]);
  const to = filters.values.to ?? today(timeZone);
  const from = filters.values.from ?? plusDays(to, 1 - shownDays);
  const report = useQuery(
    read(
      "reports",
      "analyticsReport",
      { from, to },
      (options) => api.reports.analytics({ from, to }, options) as PromiseLike<Report>,
    ),
  );
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <FilterBar
          filters={{ ...filters, values: { from, to } }}
          fields={[
            { name: "from", label: t.from, kind: "date" },
            { name: "to", label: t.to, kind: "date" },
          ]}
        />
        <CsvButton
          operation="analyticsReport"
          name={`transactions-${from}-${to}.csv`}
          load={() => api.reports.analytics({ from, to, format: "csv" })}
        />
      </div>
      <Loaded query={report} lines={10}>
        {({ rows }) =>
          rows.length === 0 ? (
            <div className="card">
              <Empty title={t.noTransactions}>{t.noneInTime(from, to)}</Empty>
            </div>
          ) : (
            <>
              <Section title={t.byDay}>
                <Suspense fallback={<Skeleton lines={6} />}>
                  <DayChart days={countsByDay(rows, daysBetween(from, to))} />
                </Suspense>
              </Section>
              <Section title={t.byCorridor} flush>
                <Corridors sums={sumsByCorridor(rows)} />
              </Section>
            </>
          )
        }
      </Loaded>
    </div>
  );
}

function daysBetween(from: string, to: string): string[] {
  const days = [from];
  while (days.at(-1)! < to && days.length < mostDays) days.push(plusDays(days.at(-1)!, 1));
  return days;
}

function Corridors({ sums }: { sums: readonly CorridorSum[] }) {
  const t = useTexts(texts);
  return (
    <Table
      label={t.byCorridor}
      rows={sums}
      rowKey={({ key }) => key}
      columns={[
        { header: t.corridor, cell: (row) => `${row.from} → ${row.to}` },
        { header: t.count, isNumber: true, cell: (row) => <Figure value={row.count} /> },
        { header: t.completed, isNumber: true, cell: (row) => <Figure value={row.doneCount} /> },
        {
          header: t.principal,
          isNumber: true,
          cell: (row) => <Money amount={row.principal} currency={row.sendCurrency} />,
        },
        { header: t.fees, isNumber: true, cell: (row) => <Money amount={row.fees} currency={row.sendCurrency} /> },
        {
          header: t.received,
          isNumber: true,
          cell: (row) => <Money amount={row.received} currency={row.receivingCurrency} />,
        },
      ]}
    />
  );
}
