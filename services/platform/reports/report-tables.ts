/** A number of things, whole seconds, or an amount in one of the two currencies of a row. */
export type FigureKind = "count" | "seconds" | "sent" | "received";

/** What rows of any report may be told apart by, beside their two currencies. */
export const groupings = ["day", "month", "corridor", "method", "partner", "agent", "currency"] as const;
export type Grouping = (typeof groupings)[number];

/** Columns that say what a row is of, in their order. */
export const groupColumns = [
  "day",
  "month",
  "originCountry",
  "receivingCountry",
  "deliveryMethod",
  "partnerId",
  "agentId",
  "outcome",
  "reason",
  "age",
  "sendCurrency",
  "receivingCurrency",
] as const;
export type GroupColumn = (typeof groupColumns)[number];

/** Each report's figures by their columns, in their order. */
export const reportTables = {
  volume: {
    created: "count",
    createdAmount: "sent",
    paid: "count",
    paidAmount: "sent",
    completed: "count",
    completedAmount: "sent",
    receivedAmount: "received",
  },
  margin: {
    paid: "count",
    paidAmount: "sent",
    fees: "sent",
    taxes: "sent",
    refunds: "count",
    refundedAmount: "sent",
    refundedFees: "sent",
    refundedTaxes: "sent",
    completed: "count",
    fxMargin: "sent",
    slippage: "sent",
    slippageCount: "count",
    margin: "sent",
  },
  success: {
    paid: "count",
    completed: "count",
    failed: "count",
    returned: "count",
    cancelled: "count",
    promisesKept: "count",
    promisesLate: "count",
    p50: "seconds",
    p90: "seconds",
    p99: "seconds",
  },
  failures: { count: "count", amount: "sent" },
  ageing: { count: "count", amount: "sent", receivedAmount: "received" },
  unclaimed: { count: "count", amount: "sent", receivedAmount: "received" },
} as const satisfies Record<string, Record<string, FigureKind>>;
export type ReportName = keyof typeof reportTables;
export const reportNames = Object.keys(reportTables) as ReportName[];

/** What a column of a report is; undefined for one that it does not have. */
export function kindOf(report: ReportName, column: string): FigureKind | undefined {
  const table: Readonly<Record<string, FigureKind>> = reportTables[report];
  return Object.hasOwn(table, column) ? table[column] : undefined;
}
