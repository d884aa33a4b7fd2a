import { formatMoney } from "../../kernel/money.js";
import { invalidInput } from "../../kernel/refusal.js";
import {
  groupColumns,
  groupings,
  kindOf,
  reportNames,
  reportTables,
  type GroupColumn,
  type Grouping,
  type ReportName,
} from "../../platform/reports/report-tables.js";
import { nobody, type CorridorSums, type DayKey } from "./day-sums.js";
import { percentileOf } from "./duration-buckets.js";
import { groups } from "./reports.js";

/** What is asked of a report, as it is known to be right. */
export interface ReportQuestion {
  report: ReportName;
  by: readonly Grouping[];
  /** In the report's own order. */
  columns: readonly string[];
}

/** A table: every row has a cell a column, as text. */
export interface ReportTable {
  columns: string[];
  rows: string[][];
}

/** Refuses INVALID_INPUT at report, by or columns; all columns where none are named. */
export function parseQuestion(asked: {
  report: string;
  by: readonly string[];
  columns: readonly string[];
}): ReportQuestion {
  const report = reportNames.find((one) => one === asked.report);
  if (report === undefined) throw invalidInput("report", `must be one of ${reportNames.join(", ")}`);
  const names = Object.keys(reportTables[report]);
  const strange = asked.columns.find((column) => kindOf(report, column) === undefined);
  if (strange !== undefined) throw invalidInput("columns", `must be of ${names.join(", ")}`);
  const isGrouping = (one: string): one is Grouping => groupings.some((grouping) => grouping === one);
  if (!asked.by.every(isGrouping)) throw invalidInput("by", `must be of ${groupings.join(", ")}`);
  const columns = asked.columns.length === 0 ? names : names.filter((name) => asked.columns.includes(name));
  return { report, by: asked.by, columns };
}

/** Which part of the sums a report is made from. */
export const partOf = ({ report }: Pick<ReportQuestion, "report">) =>
  report === "ageing" || report === "unclaimed" ? "open" : "events";

type About = Partial<Record<GroupColumn, string>>;
/** One figure of the sums, by the parts of its path. */
interface Part {
  key: DayKey;
  method: string;
  partner: string;
  kind: string;
  figure: readonly string[];
}

/** The rows of a report, in a stable order. Refuses INVALID_INPUT for too many. */
export function reportRows(
  { report, by, columns }: ReportQuestion,
  sums: readonly CorridorSums[],
  today: string,
): ReportTable {
  const shown = groupColumns.filter((column) => isShown(column, report, by));
  const rows = groups<About>();
  for (const { key, figures } of sums) {
    for (const [path, amount] of figures) {
      const [, method = "", partner = "", kind = "", ...figure] = path.split(".");
      const part = { key, method, partner, kind, figure };
      const own = ownAbout(report, part, today);
      const name = own && figureNameOf(report, part);
      if (own === undefined || name === undefined) continue;
      const about: About = { ...commonAbout(part), ...own };
      rows.add(
        shown.map((column) => about[column] ?? ""),
        () => about,
        name,
        amount,
      );
    }
  }
  const made = rows
    .counted()
    .map(({ about, figures }) => [
      ...shown.map((column) => about[column] ?? ""),
      ...columns.map((column) => cellOf(report, column, about, figures)),
    ]);
  return { columns: [...shown, ...columns], rows: made };
}

function isShown(column: GroupColumn, report: ReportName, by: readonly Grouping[]): boolean {
  switch (column) {
    case "day":
    case "month":
      return by.includes(column);
    case "originCountry":
    case "receivingCountry":
      return by.includes("corridor");
    case "deliveryMethod":
      return by.includes("method");
    case "partnerId":
      return by.includes("partner");
    case "agentId":
      return by.includes("agent");
    case "outcome":
    case "reason":
      return report === "failures";
    case "age":
      return partOf({ report }) === "open";
    case "sendCurrency":
    case "receivingCurrency":
      return true;
  }
}

function commonAbout({ key, method, partner }: Part): About {
  const { day, agentId, originCountry, receivingCountry, sendCurrency, receivingCurrency } = key;
  return {
    day,
    month: day.slice(0, 7),
    originCountry,
    receivingCountry,
    deliveryMethod: method,
    partnerId: partner === nobody ? "" : partner,
    agentId,
    sendCurrency,
    receivingCurrency,
  };
}

const failures = ["FAILED", "RETURNED", "CANCELLED", "EXPIRED", "REJECTED"];

/** What a row of this report says beside; undefined where the figure is none of its. */
function ownAbout(report: ReportName, { key, kind, figure }: Part, today: string): About | undefined {
  switch (report) {
    case "failures":
      return failures.includes(kind) && figure[0] === "reasons" ? { outcome: kind, reason: figure[1]! } : undefined;
    case "ageing":
      return kind === "PROCESSING" ? { age: ageOf(key.day, today) } : undefined;
    case "unclaimed":
      return kind === "READY_FOR_PICKUP" ? { age: ageOf(key.day, today) } : undefined;
    default:
      return {};
  }
}

/** Days that it has waited, as ranges. */
function ageOf(day: string, today: string): string {
  const days = Temporal.PlainDate.from(day).until(Temporal.PlainDate.from(today)).days;
  if (days < 1) return "0";
  if (days === 1) return "1";
  if (days <= 3) return "2-3";
  if (days <= 7) return "4-7";
  return days <= 30 ? "8-30" : "31+";
}

const named: Readonly<Record<string, string>> = {
  "CREATED.count": "created",
  "CREATED.principal": "createdAmount",
  "PAID.count": "paid",
  "PAID.principal": "paidAmount",
  "PAID.fees": "fees",
  "PAID.taxes": "taxes",
  "COMPLETED.count": "completed",
  "COMPLETED.principal": "completedAmount",
  "COMPLETED.received": "receivedAmount",
  "COMPLETED.fxMargin": "fxMargin",
  "COMPLETED.slippage": "slippage",
  "COMPLETED.slippageCount": "slippageCount",
  "REFUNDED.count": "refunds",
  "REFUNDED.amount": "refundedAmount",
  "REFUNDED.fees": "refundedFees",
  "REFUNDED.taxes": "refundedTaxes",
  "REFUNDED.fxMargin": "-fxMargin",
  "REFUNDED.slippage": "-slippage",
  "REFUNDED.slippageCount": "-slippageCount",
  "FAILED.count": "failed",
  "RETURNED.count": "returned",
  "CANCELLED.count": "cancelled",
  "AVAILABLE.reasons.KEPT.count": "promisesKept",
  "AVAILABLE.reasons.LATE.count": "promisesLate",
};
const waiting: Readonly<Record<string, string>> = { count: "count", principal: "amount", received: "receivedAmount" };

/** What a figure of the sums is called where rows are added; undefined where no column needs it. */
function figureNameOf(report: ReportName, { kind, figure }: Part): string | undefined {
  if (partOf({ report }) === "open") return waiting[figure[0]!];
  if (report === "failures") return waiting[figure[2]!];
  if (kind === "COMPLETED" && figure[0] === "times") return report === "success" ? `times.${figure[1]}` : undefined;
  const name = named[`${kind}.${figure.join(".")}`];
  return name !== undefined && isNeeded(report, name) ? name : undefined;
}

const isNeeded = (report: ReportName, name: string) => kindOf(report, name.replace("-", "")) !== undefined;

function cellOf(report: ReportName, column: string, about: About, figures: ReadonlyMap<string, bigint>): string {
  const value = valueOf(column, figures);
  switch (kindOf(report, column)) {
    case "sent":
      return formatMoney({ minor: value ?? 0n, currency: about.sendCurrency! });
    case "received":
      return formatMoney({ minor: value ?? 0n, currency: about.receivingCurrency! });
    case "count":
      return String(value ?? 0n);
    default:
      return value === undefined ? "" : String(value);
  }
}

function valueOf(column: string, figures: ReadonlyMap<string, bigint>): bigint | undefined {
  const net = (name: string) => (figures.get(name) ?? 0n) - (figures.get(`-${name}`) ?? 0n);
  switch (column) {
    case "fxMargin":
    case "slippage":
    case "slippageCount":
      return net(column);
    case "margin":
      return net("fees") - (figures.get("refundedFees") ?? 0n) + net("fxMargin") + net("slippage");
    case "p50":
    case "p90":
    case "p99": {
      const seconds = percentileOf(bucketsOf(figures), BigInt(column.slice(1)));
      return seconds === undefined ? undefined : BigInt(seconds);
    }
    default:
      return figures.get(column);
  }
}

function bucketsOf(figures: ReadonlyMap<string, bigint>): Map<number, bigint> {
  const times = figures.entries().filter(([name]) => name.startsWith("times."));
  return new Map(times.map(([name, count]) => [Number(name.slice("times.".length)), count]));
}
