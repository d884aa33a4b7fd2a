import { formatMoney } from "../../kernel/money.js";
import { groupedColumns, type ReportQuestion, type ReportTable } from "../../platform/reports/report-question.js";
import { kindOf, type GroupColumn, type ReportName } from "../../platform/reports/report-tables.js";
import { nobody, type CorridorSums, type DayKey } from "./day-sums.js";
import { percentileOf } from "./duration-buckets.js";
import { groups } from "./reports.js";

/** Where the figures of a report stand in the sums, as the paths of `DaySums` begin. */
export function pathsOf({ report, columns }: ReportQuestion): string[] {
  if (isOpen(report)) return ["open"];
  if (report === "failures") return failures.flatMap((kind) => reasoned.map((figure) => `events.${kind}.${figure}`));
  return [...new Set(columns.flatMap((column) => sources[column]!.map((source) => pathOf(source))))];
}

const isOpen = (report: ReportName) => report === "ageing" || report === "unclaimed";

type About = Partial<Record<GroupColumn, string>>;

/** What the path of a figure says. */
interface Parsed {
  /** What its row says beside what its sums are of. */
  about: About;
  /** Under what its row adds it. */
  name: string;
}

/** The rows of a report, in a stable order. Refuses INVALID_INPUT for too many. */
export function reportRows(
  { report, by, columns }: ReportQuestion,
  sums: readonly CorridorSums[],
  today: string,
): ReportTable {
  const shown = groupedColumns(by, alwaysShown(report));
  const rows = groups<About>();
  // Paths are few and come with each sum.
  const known = new Map<string, Parsed | undefined>();
  const parsed = createPaths(report, shown);
  const parse = (path: string): Parsed | undefined => {
    if (!known.has(path)) known.set(path, parsed(path));
    return known.get(path);
  };
  for (const { key, figures } of sums) {
    const ofKey = { ...commonAbout(key), ...(isOpen(report) && { age: ageOf(key.day, today) }) };
    const own = new Map<About, Map<string, bigint>>();
    for (const [path, amount] of figures) {
      const of = parse(path);
      if (of === undefined) continue;
      let row = own.get(of.about);
      if (row === undefined) {
        const about: About = { ...ofKey, ...of.about };
        own.set(
          of.about,
          (row = rows.row(
            shown.map((column) => about[column] ?? ""),
            () => about,
          )),
        );
      }
      row.set(of.name, (row.get(of.name) ?? 0n) + amount);
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

function alwaysShown(report: ReportName): GroupColumn[] {
  const own: GroupColumn[] = isOpen(report) ? ["age"] : report === "failures" ? ["outcome", "reason"] : [];
  return [...own, "sendCurrency", "receivingCurrency"];
}

function commonAbout(key: DayKey): About {
  const { day, agentId, originCountry, receivingCountry, sendCurrency, receivingCurrency } = key;
  return { day, month: day.slice(0, 7), originCountry, receivingCountry, agentId, sendCurrency, receivingCurrency };
}

const failures = ["FAILED", "RETURNED", "CANCELLED", "EXPIRED", "REJECTED"];
const reasoned = ["reasonCount", "reasonAmount"];
const waiting: Readonly<Record<string, string>> = {
  count: "count",
  principal: "amount",
  received: "receivedAmount",
  reasonCount: "count",
  reasonAmount: "amount",
};

/**
 * Undefined where the figure is none of the report's. What says the same of its row is one object.
 */
function createPaths(report: ReportName, shown: readonly GroupColumn[]) {
  const abouts = new Map<string, About>();
  const aboutOf = (about: About): About => {
    const told = Object.fromEntries(Object.entries(about).filter(([column]) => shown.includes(column as GroupColumn)));
    const name = JSON.stringify(told);
    if (!abouts.has(name)) abouts.set(name, told);
    return abouts.get(name)!;
  };
  return (path: string): Parsed | undefined => {
    const parts = path.split(".");
    if (isOpen(report)) {
      const [, deliveryMethod = "", partner = "", status, figure = ""] = parts;
      if (status !== (report === "ageing" ? "PROCESSING" : "READY_FOR_PICKUP")) return undefined;
      return { about: aboutOf({ deliveryMethod, partnerId: idOf(partner) }), name: waiting[figure]! };
    }
    const [, kind = "", figure = "", deliveryMethod = "", partner = "", rest = ""] = parts;
    const about = { deliveryMethod, partnerId: idOf(partner) };
    if (report !== "failures") return { about: aboutOf(about), name: `${kind}.${figure}${rest && `.${rest}`}` };
    return { about: aboutOf({ ...about, outcome: kind, reason: rest }), name: waiting[figure]! };
  };
}

const idOf = (partner: string) => (partner === nobody ? "" : partner);

/** Days that it has waited, as ranges. */
function ageOf(day: string, today: string): string {
  const days = Temporal.PlainDate.from(day).until(Temporal.PlainDate.from(today)).days;
  if (days < 1) return "0";
  if (days === 1) return "1";
  if (days <= 3) return "2-3";
  if (days <= 7) return "4-7";
  return days <= 30 ? "8-30" : "31+";
}

const exchanged = (figure: string) => [`COMPLETED.${figure}`, `-REFUNDED.${figure}`];

/** What a column adds up, and behind a dash takes away; a reason stands behind its figure. */
const sources: Readonly<Record<string, readonly string[]>> = {
  created: ["CREATED.count"],
  createdAmount: ["CREATED.principal"],
  paid: ["PAID.count"],
  paidAmount: ["PAID.principal"],
  fees: ["PAID.fees"],
  taxes: ["PAID.taxes"],
  completed: ["COMPLETED.count"],
  completedAmount: ["COMPLETED.principal"],
  receivedAmount: ["COMPLETED.received"],
  fxMargin: exchanged("fxMargin"),
  slippage: exchanged("slippage"),
  slippageCount: exchanged("slippageCount"),
  refunds: ["REFUNDED.count"],
  refundedAmount: ["REFUNDED.amount"],
  refundedFees: ["REFUNDED.fees"],
  refundedTaxes: ["REFUNDED.taxes"],
  margin: ["PAID.fees", "-REFUNDED.fees", ...exchanged("fxMargin"), ...exchanged("slippage")],
  failed: ["FAILED.count"],
  returned: ["RETURNED.count"],
  cancelled: ["CANCELLED.count"],
  promisesKept: ["AVAILABLE.reasonCount.KEPT"],
  promisesLate: ["AVAILABLE.reasonCount.LATE"],
  p50: ["COMPLETED.times"],
  p90: ["COMPLETED.times"],
  p99: ["COMPLETED.times"],
};

/** Where a source stands, as far as the sums know it: by method and partner come reasons. */
function pathOf(source: string): string {
  const [kind, figure] = source.replace("-", "").split(".");
  return `events.${kind}.${figure}`;
}

function cellOf(report: ReportName, column: string, about: About, figures: ReadonlyMap<string, bigint>): string {
  const value = valueOf(report, column, figures);
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

function valueOf(report: ReportName, column: string, figures: ReadonlyMap<string, bigint>): bigint | undefined {
  if (/^p\d\d$/.test(column)) {
    const seconds = percentileOf(bucketsOf(figures), BigInt(column.slice(1)));
    return seconds === undefined ? undefined : BigInt(seconds);
  }
  if (isOpen(report) || report === "failures") return figures.get(column);
  const signed = sources[column]!.map((source) =>
    source.startsWith("-") ? -(figures.get(source.slice(1)) ?? 0n) : (figures.get(source) ?? 0n),
  );
  return signed.reduce((sum, one) => sum + one, 0n);
}

const times = "COMPLETED.times.";

function bucketsOf(figures: ReadonlyMap<string, bigint>): Map<number, bigint> {
  const found = figures.entries().filter(([name]) => name.startsWith(times));
  return new Map(found.map(([name, count]) => [Number(name.slice(times.length)), count]));
}
