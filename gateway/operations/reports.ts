import { z } from "zod";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { csvFile } from "../csv-file.js";
import type { Clients } from "../clients.js";
import { route, type EdgeCall } from "../route.js";
import { decimalText, integer, text } from "../schema.js";
import { absentIfEmpty, enumName, filled, moneyText } from "../wire.js";
import { v6 } from "./base.js";
import { deliveryMethods } from "../../services/platform/events/shapes/transaction-shape.js";

const base = `${v6}/admin/reports`;
const isoDate = text(10).regex(/^\d{4}-\d{2}-\d{2}$/, "must be a date such as 2026-11-21");
const format = z.enum(["json", "csv"]).optional();

const CallOverRow = z
  .object({
    agentId: z.string().optional(),
    createdBy: z.string(),
    createdByRole: z.string().optional(),
    currency: z.string(),
    status: z.string(),
    count: integer,
    principalAmount: decimalText,
    fees: decimalText,
    taxes: decimalText,
    totalAmount: decimalText,
  })
  .meta({ id: "CallOverRow" });

const CashSum = z
  .object({
    cashierId: z.string().meta({ description: "User id of the cashier or agent." }),
    role: z.enum(["CASHIER", "AGENT"]).meta({ description: "Theirs." }),
    currency: z.string(),
    kind: z.enum(["CASH_IN", "CASH_OUT", "CASH_PICKUP"]),
    count: integer,
    totalAmount: decimalText,
    approved: integer.meta({ description: "Of them with a manager's word." }),
  })
  .meta({ id: "CashSum" });

/** Ours: managers see the organisation's, agents what their customers sent. */
const callOverReport = route({
  method: "get",
  path: `${base}/call-over`,
  operationId: "callOverReport",
  tag: "Reports",
  summary:
    "A day's transactions by agent and by who created them, with totals, and for managers its cash at the desks, as JSON or CSV",
  access: ["MANAGER", "AGENT"],
  scopes: ["reports:read"],
  sdk: { name: "callOver" },
  query: z.object({
    date: isoDate.optional().meta({ description: "In the organisation's time zone; today when absent." }),
    format,
  }),
  files: ["text/csv"],
  answer: z
    .object({ date: z.string(), rows: z.array(CallOverRow), cash: z.array(CashSum).optional() })
    .meta({ id: "CallOverReport" }),
  message: "Call-over report",
  example: { as: "manager@demo.example" },
  renames: { date: "query.date" },
  run: async ({ query, call, clients }) => {
    const report = await clients.remittance.getCallOverReport({ date: query.date ?? "" }, outgoing(call));
    const rows = report.rows.map((row): z.output<typeof CallOverRow> => {
      const { currency } = filled(row.principal, "principal");
      const amount = (amountMinor: bigint) => moneyText({ amountMinor, currency }, "amount");
      return {
        agentId: absentIfEmpty(row.agentId),
        createdBy: row.createdBy,
        createdByRole: absentIfEmpty(row.createdByRole),
        currency,
        status: row.status,
        count: row.count,
        principalAmount: moneyText(row.principal, "principal"),
        fees: amount(row.feesMinor),
        taxes: amount(row.taxesMinor),
        totalAmount: amount(row.totalMinor),
      };
    });
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
  return sums.map(({ cashierId, role, currency, kind, count, totalMinor, approved }) => ({
    cashierId,
    role: role === "AGENT" ? role : "CASHIER",
    currency,
    kind: kind === "CASH_OUT" || kind === "CASH_PICKUP" ? kind : "CASH_IN",
    count: BigInt(count),
    totalAmount: moneyText({ amountMinor: totalMinor, currency }, "total"),
    approved: BigInt(approved),
  }));
}

/** Cash as a line among the transactions: what was done stands where their status does. */
function cashLine({ cashierId, role, currency, kind, count, totalAmount }: z.output<typeof CashSum>) {
  const by = { createdBy: cashierId, createdByRole: role, currency, status: kind, count };
  const none = moneyText({ amountMinor: 0n, currency }, "");
  return { ...by, principalAmount: totalAmount, fees: none, taxes: none, totalAmount };
}

const AnalyticsRow = z
  .object({
    date: z.string(),
    originCountry: z.string(),
    receivingCountry: z.string(),
    type: z.enum(deliveryMethods),
    status: z.string(),
    count: integer,
    sendCurrency: z.string(),
    principalAmount: decimalText,
    fees: decimalText,
    taxes: decimalText,
    receivingCurrency: z.string(),
    amount: decimalText,
  })
  .meta({ id: "AnalyticsRow" });

/** Ours: managers see the organisation's, agents what their customers sent. */
const analyticsReport = route({
  method: "get",
  path: `${base}/analytics`,
  operationId: "analyticsReport",
  tag: "Reports",
  summary: "Transactions of up to 92 days by day, corridor, delivery method and status, as JSON or CSV",
  access: ["MANAGER", "AGENT"],
  scopes: ["reports:read"],
  sdk: { name: "analytics" },
  query: z.object({ from: isoDate, to: isoDate, format }),
  files: ["text/csv"],
  answer: z.object({ rows: z.array(AnalyticsRow) }).meta({ id: "AnalyticsReport" }),
  message: "Analytics",
  example: { as: "manager@demo.example", query: { from: "2026-11-01", to: "2026-11-30" } },
  renames: { from: "query.from", to: "query.to" },
  run: async ({ query, call, clients }) => {
    const { from, to } = query;
    const report = await clients.remittance.getAnalytics({ from, to }, outgoing(call));
    const rows = report.rows.map((row): z.output<typeof AnalyticsRow> => {
      const { currency } = filled(row.principal, "principal");
      const fee = (amountMinor: bigint) => moneyText({ amountMinor, currency }, "amount");
      return {
        date: row.date,
        originCountry: row.originCountry,
        receivingCountry: row.receivingCountry,
        type: enumName(row.type, "DELIVERY_METHOD_") as (typeof deliveryMethods)[number],
        status: row.status,
        count: row.count,
        sendCurrency: currency,
        principalAmount: moneyText(row.principal, "principal"),
        fees: fee(row.feesMinor),
        taxes: fee(row.taxesMinor),
        receivingCurrency: filled(row.received, "received").currency,
        amount: moneyText(row.received, "received"),
      };
    });
    if (query.format === "csv") return csvFile(`analytics-${from}-${to}.csv`, AnalyticsRow.keyof().options, [rows]);
    return { rows };
  },
});

export const reportRoutes = [callOverReport, analyticsReport];
