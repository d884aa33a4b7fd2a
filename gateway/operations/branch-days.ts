import { z } from "zod";
import * as wire from "../../proto/gen/wallet/v1/branch_cash.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { readerOf, shape } from "../codec.js";
import { csvFile, csvType, type Row } from "../csv-file.js";
import { FileAnswer } from "../file-answer.js";
import { operation } from "../operation.js";
import { route } from "../route.js";
import { dateIn, decimalText, shown } from "../schema.js";
import { branchCodeIn } from "./branch-assignments.js";
import { CashOrder } from "./cash-orders.js";
import { inTill, Till } from "./tills.js";
import { paymentsBase } from "./wallet-accounts.js";

const DayKind = shape(
  wire.DayKind,
  z
    .object({
      kind: shown(z.string(), "CASH_IN"),
      currency: z.string(),
      count: shown(z.int(), 12),
      total: shown(decimalText, "1250.00").meta({ description: "In above zero, out below." }),
    })
    .meta({ id: "DayKind" }),
  { total: inTill("totalMinor") },
);
const sums = {
  currency: z.string(),
  opening: shown(decimalText, "500.00"),
  lines: z.array(DayKind),
  closing: shown(decimalText, "1750.00").meta({ description: "Opening and lines." }),
};
const ledger = shown(decimalText, "1750.00").meta({ description: "What the ledger has when the day ends." });
const fields = { opening: inTill("openingMinor"), closing: inTill("closingMinor") } as const;

const DayTill = shape(
  wire.DayTill,
  z
    .object({ till: Till, ...sums, closed: z.boolean().meta({ description: "Closed and booked by the day's end." }) })
    .meta({ id: "DayTill" }),
  fields,
);
const DayVault = shape(wire.DayVault, z.object({ ...sums, ledger }).meta({ id: "DayVault" }), {
  ...fields,
  ledger: inTill("ledgerMinor"),
});
const DayTotal = shape(
  wire.DayTotal,
  z
    .object({
      ...sums,
      inTills: shown(decimalText, "250.00"),
      inVault: shown(decimalText, "1500.00"),
      inTransit: shown(decimalText, "0.00").meta({ description: "Sent by the branch, and received by nobody yet." }),
      ledger,
    })
    .meta({ id: "DayTotal" }),
  {
    ...fields,
    inTills: inTill("inTillsMinor"),
    inVault: inTill("inVaultMinor"),
    inTransit: inTill("inTransitMinor"),
    ledger: inTill("ledgerMinor"),
  },
);
const BranchDay = shape(
  wire.BranchDay,
  z
    .object({
      branchCode: shown(z.string(), "LAG-1").optional().meta({ description: "Absent for the house." }),
      date: shown(z.string(), "2026-11-30"),
      allClosed: z.boolean().meta({ description: "No till was open when the day ended, or is now." }),
      tills: z.array(DayTill),
      vaults: z.array(DayVault),
      inTransit: z.array(CashOrder),
      totals: z.array(DayTotal),
    })
    .meta({ id: "BranchDay" }),
);

const ofDay = {
  tag: "Cash",
  access: ["MANAGER"],
  scopes: ["reports:read"],
  query: z.object({
    branchCode: branchCodeIn.optional().meta({ description: "Absent for the house." }),
    date: dateIn.optional().meta({ description: "Business day; today where absent." }),
  }),
  example: { as: "manager@demo.example" },
} as const;

export const readBranchDay = operation({
  ...ofDay,
  method: "get",
  path: `${paymentsBase}/branch-day`,
  summary: "Get what a branch had in cash when a business day began and ended, by till, vault and currency",
  answer: BranchDay,
  message: "Day of a branch",
  rpc: "branchCash.getBranchDay",
});

const columns = [
  "part",
  "currency",
  "tillId",
  "cashierId",
  "orderId",
  "line",
  "count",
  "amount",
  "status",
  "expected",
  "counted",
  "difference",
  "reason",
] as const;
type DayRow = Row<(typeof columns)[number]>;
const dayOf = readerOf(BranchDay);

/** Opening, each kind, closing: one below the other. */
function rowsOf(
  about: DayRow,
  { opening, lines, closing }: z.output<typeof DayTotal> | z.output<typeof DayTill>,
): DayRow[] {
  return [
    { ...about, line: "OPENING", amount: opening },
    ...lines.map(({ kind, count, total }) => ({ ...about, line: kind, count, amount: total })),
    { ...about, line: "CLOSING_BALANCE", amount: closing },
  ];
}

function allRows({ tills, vaults, inTransit, totals }: z.output<typeof BranchDay>): DayRow[] {
  return [
    ...tills.flatMap((one) => {
      const { tillId, cashierId, status, expected, counted, difference, reason } = one.till;
      const about = { part: "TILL", currency: one.currency, tillId, cashierId };
      const rows = rowsOf(about, one);
      return [...rows.slice(0, -1), { ...rows.at(-1), status, expected, counted, difference, reason }];
    }),
    ...vaults.flatMap((one) => {
      const about = { part: "VAULT", currency: one.currency };
      return [
        ...rowsOf(about, { ...one, inTills: "", inVault: "", inTransit: "" }),
        { ...about, line: "LEDGER", amount: one.ledger },
      ];
    }),
    ...inTransit.map(({ orderId, currency, amount, status }) => ({
      part: "IN_TRANSIT",
      currency,
      orderId,
      amount,
      status,
    })),
    ...totals.flatMap((one) => {
      const about = { part: "TOTAL", currency: one.currency };
      return [...rowsOf(about, one), { ...about, line: "LEDGER", amount: one.ledger }];
    }),
  ];
}

export const branchDayAsCsv = route({
  ...ofDay,
  method: "get",
  path: `${paymentsBase}/branch-day.csv`,
  summary: "Get what a branch had in cash when a business day began and ended as CSV",
  answer: z.instanceof(FileAnswer),
  file: csvType,
  message: "Day of a branch as CSV",
  run: async ({ query: { branchCode = "", date = "" }, call, clients }) => {
    const { day } = await clients.branchCash.getBranchDay({ branchCode, date }, outgoing(call));
    const read = dayOf(day);
    return csvFile(`cash-${read.branchCode ?? "house"}-${read.date}.csv`, columns, [allRows(read)]);
  },
});
