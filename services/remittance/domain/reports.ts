import { money, addMoney, type Money } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import { createDayEnds, promiseOf } from "./promised-day.js";
import type { ShownStatus } from "./block.js";
import type { Transaction } from "./transaction.js";

/** What a report needs of a transaction. */
export type ReportedTransaction = Pick<
  Transaction,
  "createdAt" | "createdBy" | "createdByRole" | "agentId" | "status" | "deliveryMethod"
> & {
  block?: { shownAs?: ShownStatus };
  availableOn: string;
  paidAt?: Date;
  timeline: Transaction["timeline"];
  price: Pick<Transaction["price"], "principal" | "totalFees" | "totalTaxes" | "total" | "receive">;
  transferInformation: Pick<Transaction["transferInformation"], "originCountry" | "receivingCountry">;
};

/** Sums of some transactions, all in one currency. */
export interface Sums {
  count: bigint;
  principal: Money;
  fees: Money;
  taxes: Money;
  total: Money;
}

export interface CallOverRow extends Sums {
  agentId: string;
  createdBy: string;
  createdByRole: string;
  status: string;
}

export interface AnalyticsRow extends Sums {
  date: string;
  originCountry: string;
  receivingCountry: string;
  deliveryMethod: ReportedTransaction["deliveryMethod"];
  status: string;
  received: Money;
  /** Of what was paid for: available by the promised day, or behind it. */
  promisesKept: bigint;
  promisesLate: bigint;
}

/**
 * Start (inclusive) and end (exclusive) of days in a time zone; 23 or 25 hours where clocks change.
 */
export function rangeOf(from: Temporal.PlainDate, to: Temporal.PlainDate, timeZone: string): { from: Date; to: Date } {
  const start = (day: Temporal.PlainDate) => new Date(day.toZonedDateTime({ timeZone }).epochMilliseconds);
  return { from: start(from), to: start(to.add({ days: 1 })) };
}

/** Of one report: what fits into one answer between services. */
export const maxRows = 20_000;

/** A day's transactions by agent, creator, status and currency; in a stable order. */
export async function callOver(transactions: AsyncIterable<ReportedTransaction>): Promise<CallOverRow[]> {
  const rows = new Map<string, CallOverRow>();
  for await (const one of transactions) {
    const { agentId = "", createdBy, createdByRole, status, price } = one;
    const key = [agentId, createdBy, createdByRole, price.principal.currency, status].join("\n");
    const about = { agentId, createdBy, createdByRole, status };
    rows.set(key, { ...about, ...added(rows.get(key), one) });
    assertFits(rows);
  }
  return inOrder(rows);
}

/**
 * Transactions by day in the time zone, corridor, method, status and currencies; in a stable order.
 */
export async function analytics(
  transactions: AsyncIterable<ReportedTransaction>,
  { timeZone, now }: { timeZone: string; now: Date },
): Promise<AnalyticsRow[]> {
  const rows = new Map<string, AnalyticsRow>();
  const dayOf = createDays(timeZone);
  const endOf = createDayEnds(timeZone);
  for await (const one of transactions) {
    const { transferInformation, deliveryMethod, status, price, createdAt } = one;
    const { originCountry, receivingCountry } = transferInformation;
    const date = dayOf(createdAt);
    const pair = [price.principal.currency, price.receive.currency];
    const key = [date, originCountry, receivingCountry, deliveryMethod, ...pair, status].join("\n");
    const before = rows.get(key);
    const received = before === undefined ? price.receive : addMoney(before.received, price.receive);
    const promise = promiseOf(one, endOf, now);
    const promisesKept = (before?.promisesKept ?? 0n) + (promise === "KEPT" ? 1n : 0n);
    const promisesLate = (before?.promisesLate ?? 0n) + (promise === "LATE" ? 1n : 0n);
    const about = { date, originCountry, receivingCountry, deliveryMethod, status, received };
    rows.set(key, { ...about, ...added(before, one), promisesKept, promisesLate });
    assertFits(rows);
  }
  return inOrder(rows);
}

function assertFits(rows: ReadonlyMap<string, unknown>): void {
  if (rows.size <= maxRows) return;
  const message = `the report has more than ${maxRows} rows: ask for fewer days`;
  throw new Refusal("INVALID_INPUT", message, { figures: { mostRows: String(maxRows) } });
}

function added(before: Sums | undefined, { price }: ReportedTransaction): Sums {
  const { principal, totalFees, totalTaxes, total } = price;
  const zero = money(0n, principal.currency);
  const { count, ...sums } = before ?? { count: 0n, principal: zero, fees: zero, taxes: zero, total: zero };
  return {
    count: count + 1n,
    principal: addMoney(sums.principal, principal),
    fees: addMoney(sums.fees, totalFees),
    taxes: addMoney(sums.taxes, totalTaxes),
    total: addMoney(sums.total, total),
  };
}

/**
 * Days of moments in a time zone. Those of a report come in order: the day of one before is nearly
 * always that of the next.
 */
function createDays(timeZone: string): (at: Date) => string {
  let known = { from: Infinity, until: -Infinity, date: "" };
  return (at) => {
    const ms = at.getTime();
    if (ms < known.from || ms >= known.until) {
      const start = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone).startOfDay();
      const until = start.add({ days: 1 }).startOfDay();
      const date = start.toPlainDate().toString();
      known = { from: start.epochMilliseconds, until: until.epochMilliseconds, date };
    }
    return known.date;
  };
}

function inOrder<Row>(rows: ReadonlyMap<string, Row>): Row[] {
  return [...rows].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}
