import type { DayTill } from "../../../proto/gen/wallet/v1/branch_cash.js";
import type { DaySums } from "../domain/branch-day.js";
import type { Till } from "../domain/till.js";
import { tillToWire } from "./tills.js";

export function daySumsToWire({ openingMinor, lines, closingMinor }: DaySums, currency: string) {
  return { currency, openingMinor, lines: lines.map((one) => ({ ...one, currency })), closingMinor };
}

export function dayTillToWire(till: Till, sums: DaySums, closed: boolean): DayTill {
  return { till: tillToWire(till), ...daySumsToWire(sums, till.currency), closed };
}
