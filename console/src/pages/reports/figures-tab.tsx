import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { api } from "../../lib/api";
import { useLanguage, useTexts } from "../../lib/language";
import { useOrganisation } from "../../lib/organisation";
import { read } from "../../lib/queries";
import { dayText } from "../../lib/time";
import { useFilters } from "../../lib/url-state";
import { plusDays, today } from "../../lib/zoned-day";
import { useMay } from "../../lib/use-session";
import { Money, None } from "../../ui/figures";
import { FilterBar } from "../../ui/filters";
import { Empty, Loaded, Section, Skeleton } from "../../ui/panels";
import { Table } from "../../ui/table";
import { inWords } from "../../ui/words";
import { CsvButton } from "./csv-button";
import { figureTexts } from "./figure-texts";
import {
  alsoBy,
  charts,
  figureReports,
  pairOf,
  pairsOf,
  pointsOf,
  textOf,
  timesBetween,
  type FigureReport,
} from "./figures";
import type { FigureRow, Figures } from "./types";

// The chart's library comes with the first chart alone.
const TimeChart = lazy(() => import("./time-chart"));
const shownDays = 30;

/** A report's figures over days or months, as charts and as the rows that they are drawn of. */
export function FiguresTab() {
  const t = useTexts(figureTexts);
  const businessDay = useBusinessDay();
  const filters = useFilters(["report", "from", "to", "step", "pair"]);
  const { values } = filters;
  const reports = figureReports(useMay()("listReportExports"));
  const to = values.to ?? businessDay;
  const from = values.from ?? plusDays(to, 1 - shownDays);
  const report = reports.find((one) => one === values.report) ?? "volume";
  const step = values.step === "month" ? "month" : "day";
  const query = { from, to, by: [step, alsoBy[report]].filter((one) => one !== undefined).join(",") };
  const figures = useQuery(
    read(
      "reports",
      "readReport",
      { report, ...query },
      (options) => api.reports.read(report, query, options) as PromiseLike<Figures>,
    ),
  );
  const pairs = pairsOf(figures.data?.rows ?? []);
  const pair = pairs.find((one) => one === values.pair) ?? pairs[0];
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <FilterBar
          filters={{ ...filters, values: { ...values, from, to } }}
          fields={[
            {
              name: "report",
              label: t.report,
              kind: "select",
              nothing: t.volume,
              options: reports
                .slice(1)
                .map((value) => ({ value, label: value === "margin" ? t.feesAndMargin : t[value] })),
            },
            { name: "from", label: t.from, kind: "date" },
            { name: "to", label: t.to, kind: "date" },
            {
              name: "step",
              label: t.step,
              kind: "select",
              nothing: t.day,
              options: [{ value: "month", label: t.month }],
            },
            {
              name: "pair",
              label: t.pair,
              kind: "select",
              nothing: pairs[0] ?? "–",
              options: pairs.slice(1).map((value) => ({ value, label: value })),
            },
          ]}
        />
        <CsvButton
          operation="readReport"
          name={`${report}-${from}-${to}.csv`}
          load={() => api.reports.read(report, { ...query, format: "csv" })}
        />
      </div>
      <Loaded query={figures} lines={10}>
        {(found) =>
          pair === undefined ? (
            <div className="card">
              <Empty title={t.nothing}>{t.nothingHint(from, to)}</Empty>
            </div>
          ) : (
            <OfPair
              report={report}
              step={step}
              times={timesBetween(from, to, step)}
              columns={found.columns}
              rows={found.rows.filter((row) => pairOf(row) === pair)}
            />
          )
        }
      </Loaded>
    </div>
  );
}

/** Today of the organisation's clock, which the sandbox moves on. */
function useBusinessDay(): string {
  const { timeZone } = useOrganisation();
  const may = useMay();
  const clock = useQuery({
    ...read("organisation", "readBusinessClock", {}, (options) => api.organisation.readBusinessClock(options)),
    enabled: may("readBusinessClock"),
  });
  return clock.data?.businessDate ?? today(timeZone);
}

interface OfPairProps {
  report: FigureReport;
  step: "day" | "month";
  times: readonly string[];
  columns: readonly string[];
  rows: readonly FigureRow[];
}

function OfPair({ report, step, times, columns, rows }: OfPairProps) {
  const t = useTexts(figureTexts);
  const language = useLanguage();
  const words: Readonly<Record<string, unknown>> = t;
  const nameOf = (name: string) => (typeof words[name] === "string" ? words[name] : inWords(name));
  const timeText = (at: string) => (at.length === 10 ? dayText(at, language, "UTC") : at);
  const { sendCurrency = "", receivingCurrency = "", currency = "" } = rows[0] ?? {};
  const units = { count: "", seconds: "s", sendCurrency, receivingCurrency, currency };
  const shownColumns = columns.filter((column) => !/^(sendCurrency|receivingCurrency|currency)$/.test(column));
  return (
    <>
      {charts[report].map((plan) => {
        const label = `${nameOf(plan.key)}${units[plan.unit] && ` (${units[plan.unit]})`}`;
        const { series, points } = pointsOf(plan, rows, step, times);
        return (
          <Section key={plan.key} title={label}>
            <Suspense fallback={<Skeleton lines={6} />}>
              <TimeChart
                label={label}
                kind={plan.kind}
                series={series}
                points={points}
                nameOf={nameOf}
                timeText={timeText}
                unit={units[plan.unit]}
              />
            </Suspense>
          </Section>
        );
      })}
      <Section title={t.rows} flush>
        <Table
          label={t.rows}
          rows={rows}
          rowKey={(_row, index) => index}
          columns={shownColumns.map((column) => ({
            header: nameOf(column),
            isNumber: !grouping.test(column),
            cell: (row: FigureRow) => <Cell row={row} column={column} timeText={timeText} nameOf={nameOf} />,
          }))}
        />
      </Section>
    </>
  );
}

const grouping = /^(day|month|outcome|reason|age|service|partnerId)$/;

interface CellProps {
  row: FigureRow;
  column: string;
  timeText: (at: string) => string;
  nameOf: (name: string) => string;
}

function Cell({ row, column, timeText, nameOf }: CellProps) {
  const text = textOf(row, column);
  if (text === undefined || text === "") return <None />;
  if (column === "day" || column === "month")
    return <span className="figures whitespace-nowrap">{timeText(text)}</span>;
  if (column === "partnerId") return <span className="font-mono text-xs">{text}</span>;
  return grouping.test(column) ? <>{nameOf(text)}</> : <Money amount={text} />;
}
