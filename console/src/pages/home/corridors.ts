import { sum } from "../../lib/exact";
import type { Row } from "./types";

export interface Corridor {
  key: string;
  originCountry: string;
  receivingCountry: string;
  currency: string;
  count: number;
  volume: string;
  fees: string;
  succeeded: number;
  failed: number;
}

const succeeded = new Set(["COMPLETED"]);
// The partner refused them, or the recipient's bank sent them back.
const failed = new Set(["FAILED", "RETURNED"]);

/** A day's rows by where the money goes from and to, the busiest first. */
export function byCorridor(rows: readonly Row[]): readonly Corridor[] {
  const found = new Map<string, Corridor>();
  for (const row of rows) {
    const key = `${row.originCountry} ${row.receivingCountry} ${row.sendCurrency}`;
    const { originCountry, receivingCountry, sendCurrency: currency } = row;
    const empty = { key, originCountry, receivingCountry, currency, count: 0, volume: "0", fees: "0" };
    const corridor = found.get(key) ?? { ...empty, succeeded: 0, failed: 0 };
    const count = Number(row.count);
    corridor.count += count;
    corridor.volume = sum(corridor.volume, row.principalAmount);
    corridor.fees = sum(corridor.fees, row.fees);
    if (succeeded.has(row.status)) corridor.succeeded += count;
    if (failed.has(row.status)) corridor.failed += count;
    found.set(key, corridor);
  }
  return [...found.values()].toSorted((one, other) => other.count - one.count);
}
