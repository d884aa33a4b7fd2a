/**
 * A number of things, whole seconds, or an amount: in one of the two currencies of a row, or in its
 * only one.
 */
export type FigureKind = "count" | "seconds" | "sent" | "received" | "amount";

/** What rows may be told apart by, beside their currencies. */
export const groupings = ["day", "month", "corridor", "method", "partner", "agent", "code", "currency"] as const;
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
  "service",
  "code",
  "sendCurrency",
  "receivingCurrency",
  "currency",
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
  result: { income: "amount", expense: "amount", result: "amount" },
  "partner-costs": { cost: "amount" },
  suspense: { count: "count", amount: "amount" },
} as const satisfies Record<string, Record<string, FigureKind>>;
export type ReportName = keyof typeof reportTables;
export const reportNames = Object.keys(reportTables) as ReportName[];

/** Who knows what a report says, and what rows of it may be told apart by. */
const ofRemittance = ["day", "month", "corridor", "method", "partner", "agent", "currency"] as const;
const ofDays = ["day", "month", "currency"] as const;
export const reportOwners = {
  remittance: {
    volume: ofRemittance,
    margin: ofRemittance,
    success: ofRemittance,
    failures: ofRemittance,
    ageing: ofRemittance,
    unclaimed: ofRemittance,
  },
  ledger: { result: [...ofDays, "code", "partner"], "partner-costs": [...ofDays, "partner"] },
  wallet: { suspense: ofDays },
  lending: { suspense: ofDays },
} as const satisfies Record<string, Partial<Record<ReportName, readonly Grouping[]>>>;
export type ReportOwner = keyof typeof reportOwners;

/** What a column of a report is; undefined for one that it does not have. */
export function kindOf(report: ReportName, column: string): FigureKind | undefined {
  const table: Readonly<Record<string, FigureKind>> = reportTables[report];
  return Object.hasOwn(table, column) ? table[column] : undefined;
}
