import { sum } from "../../lib/exact";
import { plusDays } from "../../lib/zoned-day";
import type { FigureRow } from "./types";

const ofPayouts = ["volume", "margin", "success", "failures", "ageing", "unclaimed"] as const;
/** The organisation's own: managers alone see them. */
const ofBooks = ["result", "partner-costs", "suspense"] as const;
export type FigureReport = (typeof ofPayouts)[number] | (typeof ofBooks)[number];
export const figureReports = (isManager: boolean): readonly FigureReport[] =>
  isManager ? [...ofPayouts, ...ofBooks] : ofPayouts;

/** What its rows are told apart by beside days or months. */
export const alsoBy: Partial<Record<FigureReport, string>> = { "partner-costs": "partner" };

export interface ChartPlan {
  key: string;
  /** Things, seconds, or money of one of the row's currencies, or of its only one. */
  unit: "count" | "seconds" | "sendCurrency" | "receivingCurrency" | "currency";
  kind: "line" | "bars" | "stack";
  series: readonly string[];
  /** Series are the values of this column, each with this figure. */
  split?: { by: "reason" | "age" | "partnerId"; figure: "count" | "cost" | "amount" };
}

const waits: readonly ChartPlan[] = [
  { key: "waits", unit: "count", kind: "stack", series: [], split: { by: "age", figure: "count" } },
];

export const charts: Readonly<Record<FigureReport, readonly ChartPlan[]>> = {
  volume: [
    { key: "amounts", unit: "sendCurrency", kind: "bars", series: ["createdAmount", "paidAmount", "completedAmount"] },
    { key: "counts", unit: "count", kind: "bars", series: ["created", "paid", "completed"] },
  ],
  margin: [{ key: "margins", unit: "sendCurrency", kind: "bars", series: ["fees", "fxMargin", "slippage", "margin"] }],
  success: [
    { key: "times", unit: "seconds", kind: "line", series: ["p50", "p90", "p99"] },
    { key: "ends", unit: "count", kind: "stack", series: ["completed", "failed", "returned", "cancelled"] },
  ],
  failures: [{ key: "reasons", unit: "count", kind: "stack", series: [], split: { by: "reason", figure: "count" } }],
  ageing: waits,
  unclaimed: waits,
  result: [{ key: "results", unit: "currency", kind: "bars", series: ["income", "expense", "result"] }],
  "partner-costs": [
    { key: "partnerCosts", unit: "currency", kind: "stack", series: [], split: { by: "partnerId", figure: "cost" } },
  ],
  suspense: [{ key: "nobodys", unit: "currency", kind: "stack", series: [], split: { by: "age", figure: "amount" } }],
};

/** A pair, or the only one. */
export const pairOf = ({ sendCurrency, receivingCurrency = "", currency = "" }: FigureRow): string =>
  sendCurrency === undefined ? currency : `${sendCurrency} → ${receivingCurrency}`;

/** The pairs of currencies of rows, the one with the most rows first. */
export function pairsOf(rows: readonly FigureRow[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(pairOf(row), (counts.get(pairOf(row)) ?? 0) + 1);
  return [...counts].toSorted(([, one], [, other]) => other - one).map(([pair]) => pair);
}

export interface ChartPoint {
  at: string;
  /** As the API says it, for whoever reads; drawn as a number. */
  texts: Readonly<Record<string, string>>;
}

/** A cell's value; columns that a row has not are undefined. */
export const textOf = (row: FigureRow, column: string): string | undefined => {
  const value = (row as Readonly<Record<string, string | number | undefined>>)[column];
  return value === undefined ? undefined : String(value);
};

/** What a chart draws: a point each day or month, also where nothing was. */
export function pointsOf(
  { series, split, unit }: ChartPlan,
  rows: readonly FigureRow[],
  step: "day" | "month",
  times: readonly string[],
): { series: readonly string[]; points: readonly ChartPoint[] } {
  const names = split === undefined ? series : [...new Set(rows.map((row) => textOf(row, split.by) ?? ""))].toSorted();
  // Where nothing ended nothing took any time.
  const empty = unit === "seconds" ? {} : Object.fromEntries(names.map((name) => [name, "0"]));
  const points = new Map<string, Record<string, string>>(times.map((at) => [at, { ...empty }]));
  for (const row of rows) {
    const at = row[step] ?? "";
    const texts = points.get(at) ?? { ...empty };
    points.set(at, texts);
    if (split === undefined) {
      for (const name of names) texts[name] = textOf(row, name) ?? texts[name] ?? "0";
    } else {
      const name = textOf(row, split.by) ?? "";
      texts[name] = sum(texts[name] ?? "0", textOf(row, split.figure) ?? "0");
    }
  }
  const sorted = [...points].toSorted(([one], [other]) => one.localeCompare(other));
  return { series: names, points: sorted.map(([at, texts]) => ({ at, texts })) };
}

const mostTimes = 366;

/** Every day or month from one day to another. */
export function timesBetween(from: string, to: string, step: "day" | "month"): readonly string[] {
  const days = [from];
  while (days.at(-1)! < to && days.length < mostTimes) days.push(plusDays(days.at(-1)!, 1));
  return step === "day" ? days : [...new Set(days.map((day) => day.slice(0, 7)))];
}
