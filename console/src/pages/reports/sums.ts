import { sum } from "../../lib/exact";
import type { Report } from "./types";

type Row = Report["rows"][number];

export interface DayCounts {
  date: string;
  done: number;
  underWay: number;
  failed: number;
}

const done = /^(COMPLETED|PARTIALLY_REFUNDED|REFUNDED)$/;
const failed = /^(FAILED|RETURNED|REJECTED|BLOCKED|CANCELLED|CANCELLING|EXPIRED)$/;

/** How many transactions each day had, by how they ended; days without any stand between. */
export function countsByDay(rows: readonly Row[], days: readonly string[]): DayCounts[] {
  const counts = new Map(days.map((date) => [date, { date, done: 0, underWay: 0, failed: 0 }]));
  for (const { date, status, count } of rows) {
    const day = counts.get(date);
    if (day) day[done.test(status) ? "done" : failed.test(status) ? "failed" : "underWay"] += Number(count);
  }
  return [...counts.values()];
}

export interface CorridorSum {
  key: string;
  from: string;
  to: string;
  count: number;
  doneCount: number;
  sendCurrency: string;
  principal: string;
  fees: string;
  receivingCurrency: string;
  received: string;
}

/** By corridor and currencies, exactly; the one with the most transactions first. */
export function sumsByCorridor(rows: readonly Row[]): CorridorSum[] {
  const sums = new Map<string, CorridorSum>();
  for (const row of rows) {
    const key = [row.originCountry, row.receivingCountry, row.sendCurrency, row.receivingCurrency].join(" ");
    const before = sums.get(key);
    sums.set(key, {
      key,
      from: row.originCountry,
      to: row.receivingCountry,
      sendCurrency: row.sendCurrency,
      receivingCurrency: row.receivingCurrency,
      count: (before?.count ?? 0) + Number(row.count),
      doneCount: (before?.doneCount ?? 0) + (done.test(row.status) ? Number(row.count) : 0),
      principal: sum(before?.principal ?? "0", row.principalAmount),
      fees: sum(before?.fees ?? "0", row.fees),
      received: sum(before?.received ?? "0", row.amount),
    });
  }
  return [...sums.values()].toSorted((one, other) => other.count - one.count);
}
