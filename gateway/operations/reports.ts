import { z } from "zod";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { readerOf, moneyText, shape } from "../codec.js";
import { csvFile } from "../csv-file.js";
import type { Clients } from "../clients.js";
import { route, type EdgeCall, v6 } from "../route.js";
import { text, shown, dateIn, decimalText, integer } from "../schema.js";
import * as wire from "../../proto/gen/remittance/v1/remittance.js";
import { CashSum as WireCashSum } from "../../proto/gen/wallet/v1/money_in.js";
import { deliveryMethod } from "../../services/platform/events/shapes/transaction-shape.js";
import {
  groupColumns,
  groupings,
  reportOwners,
  reportTables,
  type FigureKind,
  type GroupColumn,
} from "../../services/platform/reports/report-tables.js";
import { commaSeparatedIn } from "../shapes/transactions.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const inPrincipal = <Minor extends string>(minor: Minor) => ({ minor, currency: "principal.currency" }) as const;

export const CallOverRow = shape(
  wire.CallOverRow,
  z
    .object({
      agentId: z.string().optional(),
      createdBy: leaf.userId,
      createdByRole: shown(z.string(), "CUSTOMER").optional(),
      currency: z.string(),
      status: shown(z.string(), "COMPLETED"),
      count: integer,
      principalAmount: leaf.sendAmount,
      fees: leaf.fee,
      taxes: leaf.tax,
      totalAmount: leaf.totalAmount,
    })
    .meta({ id: "CallOverRow" }),
  {
    currency: "principal.currency",
    principalAmount: "principal",
    fees: inPrincipal("feesMinor"),
    taxes: inPrincipal("taxesMinor"),
    totalAmount: inPrincipal("totalMinor"),
  },
);

export const CashSum = shape(
  WireCashSum,
  z
    .object({
      cashierId: z.string().meta({ description: "User id of the cashier or agent." }),
      role: z.enum(["CASHIER", "AGENT"]).meta({ description: "Theirs." }),
      currency: z.string(),
      kind: z.enum(["CASH_IN", "CASH_OUT", "CASH_PICKUP", "SALE", "COUNTER_PAYABLE"]),
      count: integer,
      totalAmount: decimalText,
      approved: integer.meta({ description: "Of them with a manager's word." }),
    })
    .meta({ id: "CashSum" }),
  {
    count: { from: ({ count }) => BigInt(count), to: (count) => ({ count: Number(count) }) },
    totalAmount: { minor: "totalMinor" },
    approved: { from: ({ approved }) => BigInt(approved), to: (approved) => ({ approved: Number(approved) }) },
  },
);

export const AnalyticsRow = shape(
  wire.AnalyticsRow,
  z
    .object({
      date: shown(z.string(), "2026-11-21"),
      originCountry: leaf.originCountry,
      receivingCountry: z.string(),
      type: deliveryMethod,
      status: shown(z.string(), "COMPLETED"),
      count: integer,
      sendCurrency: z.string(),
      principalAmount: leaf.sendAmount,
      fees: leaf.fee,
      taxes: leaf.tax,
      receivingCurrency: leaf.receivingCurrency,
      amount: leaf.receiveAmount,
      promisesKept: integer.meta({ description: "Available to the recipient by the promised day." }),
      promisesLate: integer.meta({ description: "Available behind it, or on the way since." }),
    })
    .meta({ id: "AnalyticsRow" }),
  {
    sendCurrency: "principal.currency",
    principalAmount: "principal",
    fees: inPrincipal("feesMinor"),
    taxes: inPrincipal("taxesMinor"),
    receivingCurrency: "received.currency",
    amount: "received",
  },
);

const base = `${v6}/admin/reports`;
const format = z.enum(["json", "csv"]).optional();

const callOverOf = readerOf(z.array(CallOverRow));
const cashSumsOf = readerOf(z.array(CashSum));
const analyticsOf = readerOf(z.array(AnalyticsRow));

/** Ours: managers see the organisation's, agents what their customers sent. */
const callOverReport = route({
  method: "get",
  path: `${base}/call-over`,
  tag: "Reports",
  summary:
    "A day's transactions by agent and by who created them, with totals, and for managers its cash at the desks, as JSON or CSV",
  access: ["MANAGER", "AGENT"],
  scopes: ["reports:read"],
  sdk: { name: "callOver" },
  query: z.object({
    date: dateIn.optional().meta({ description: "In the organisation's time zone; today when absent." }),
    format,
  }),
  files: ["text/csv"],
  answer: z
    .object({ date: shown(z.string(), "2026-11-21"), rows: z.array(CallOverRow), cash: z.array(CashSum).optional() })
    .meta({ id: "CallOverReport" }),
  message: "Call-over report",
  example: { as: "manager@demo.example" },
  renames: { date: "query.date" },
  run: async ({ query, call, clients }) => {
    const report = await clients.remittance.getCallOverReport({ date: query.date ?? "" }, outgoing(call));
    const rows = callOverOf(report.rows);
    const cash = call.user?.role === "MANAGER" ? await cashOf(report.date, call, clients) : undefined;
    if (query.format === "csv") {
      const lines = [...rows, ...(cash ?? []).map(cashLine)];
      return csvFile(`call-over-${report.date}.csv`, CallOverRow.keyof().options, [lines]);
    }
    return { date: report.date, rows, cash };
  },
});

async function cashOf(date: string, call: EdgeCall, clients: Clients): Promise<z.output<typeof CashSum>[]> {
  const { sums } = await clients.wallet.sumCash({ date }, outgoing(call));
  return cashSumsOf(sums);
}

/** Cash as a line among the transactions: what was done stands where their status does. */
function cashLine({ cashierId, role, currency, kind, count, totalAmount }: z.output<typeof CashSum>) {
  const by = { createdBy: cashierId, createdByRole: role, currency, status: kind, count };
  const none = moneyText({ amountMinor: 0n, currency }, "");
  return { ...by, principalAmount: totalAmount, fees: none, taxes: none, totalAmount };
}

/** Ours: managers see the organisation's, agents what their customers sent. */
const analyticsReport = route({
  method: "get",
  path: `${base}/analytics`,
  tag: "Reports",
  summary: "Transactions of up to 366 days by day, corridor, delivery method and status, as JSON or CSV",
  access: ["MANAGER", "AGENT"],
  scopes: ["reports:read"],
  sdk: { name: "analytics" },
  query: z.object({ from: dateIn, to: dateIn, format }),
  files: ["text/csv"],
  answer: z.object({ rows: z.array(AnalyticsRow) }).meta({ id: "AnalyticsReport" }),
  message: "Analytics",
  example: { as: "manager@demo.example", query: { from: "2026-11-01", to: "2026-11-30" } },
  renames: { from: "query.from", to: "query.to" },
  run: async ({ query, call, clients }) => {
    const { from, to } = query;
    const report = await clients.remittance.getAnalytics({ from, to }, outgoing(call));
    const rows = analyticsOf(report.rows);
    if (query.format === "csv") return csvFile(`analytics-${from}-${to}.csv`, AnalyticsRow.keyof().options, [rows]);
    return { rows };
  },
});

const amountOf = shown(decimalText, "200.00").optional();
const countOf = integer.optional();
const leafOf = { count: countOf, seconds: countOf, sent: amountOf, received: amountOf, amount: amountOf };
const figures = Object.assign({}, ...Object.values(reportTables)) as Record<string, FigureKind>;
const groupOf = z.string().optional();

/** A row has the columns that its report has, and was asked for. */
export const ReportRow = z
  .object({
    ...(Object.fromEntries(groupColumns.map((column) => [column, groupOf])) as Record<GroupColumn, typeof groupOf>),
    ...Object.fromEntries(Object.entries(figures).map(([column, kind]) => [column, leafOf[kind]])),
  })
  .meta({ id: "ReportRow" });

const cellFromWire = (column: string, text: string) => {
  const kind = figures[column];
  if (text === "") return kind === undefined ? "" : undefined;
  return kind === "count" || kind === "seconds" ? BigInt(text) : text;
};

/** Ours: managers see the organisation's, agents what their customers sent. */
const readReport = route({
  method: "get",
  path: `${base}/:report`,
  tag: "Reports",
  summary:
    "Sums of up to 366 days: volume, margin, success and times, failures by reason, what waits at partners, unclaimed cash and, for managers, the books' result, partners' costs and suspense, as JSON or CSV",
  access: ["MANAGER", "AGENT"],
  scopes: ["reports:read"],
  sdk: { name: "read" },
  params: z.object({ report: text(40) }),
  query: z.object({
    from: dateIn,
    to: dateIn,
    by: commaSeparatedIn.optional().meta({ description: `Of ${groupings.join(", ")}, separated by commas.` }),
    columns: commaSeparatedIn.optional().meta({ description: "Figures, separated by commas; all where absent." }),
    format,
  }),
  files: ["text/csv"],
  answer: z
    .object({ report: shown(z.string(), "volume"), columns: z.array(z.string()), rows: z.array(ReportRow) })
    .meta({ id: "Report" }),
  message: "Report",
  example: {
    as: "manager@demo.example",
    params: { report: "volume" },
    query: { from: "2026-11-01", to: "2026-11-30", by: "corridor,month" },
  },
  renames: { from: "query.from", to: "query.to", by: "query.by", columns: "query.columns", report: "path.report" },
  run: async ({ params: { report }, query, call, clients }) => {
    const { from, to } = query;
    const asked = { report, from, to, by: listOf(query.by), columns: listOf(query.columns) };
    const { columns, rows } = await reportOf(asked, call, clients);
    const shownRows = rows.map(({ cells }) =>
      Object.fromEntries(columns.map((column, index) => [column, cellFromWire(column, cells[index]!)])),
    );
    if (query.format === "csv") return csvFile(`${report}-${from}-${to}.csv`, columns, [shownRows]);
    return { report, columns, rows: shownRows };
  },
});

interface Asked {
  report: string;
  from: string;
  to: string;
  by: string[];
  columns: string[];
}

/** Of whoever knows it; who knows of one that there is not, says so. */
async function reportOf(asked: Asked, call: EdgeCall, { reports }: Clients) {
  const owners = (["ledger", "wallet", "lending"] as const).filter((owner) =>
    Object.hasOwn(reportOwners[owner], asked.report),
  );
  if (owners.length === 0) return reports.remittance.getReport(asked, outgoing(call));
  const tables = await Promise.all(owners.map((owner) => reports[owner].getReport(asked, outgoing(call))));
  return { columns: tables[0]!.columns, rows: tables.flatMap(({ rows }) => rows) };
}

const listOf = (text: string | undefined): string[] =>
  text === undefined ? [] : text.split(",").map((one) => one.trim());

export const reportRoutes = { callOverReport, analyticsReport, readReport };
