import { assertInt64 } from "../../kernel/money.js";
import type { CashOrder } from "./cash-order.js";
import type { Till } from "./till.js";
import type { Vault } from "./vault.js";

export interface DayKind {
  readonly kind: string;
  readonly count: number;
  readonly totalMinor: bigint;
}

/** Opening and lines are closing. Minor units. */
export interface DaySums {
  readonly openingMinor: bigint;
  readonly lines: readonly DayKind[];
  readonly closingMinor: bigint;
}

/** What lines of a kind come to: those of a day, or those behind it. */
export interface KindSum extends DayKind {
  readonly isOfDay: boolean;
}

interface Line {
  readonly kind: string;
  readonly amountMinor: bigint;
  readonly day: string;
}

/** Of something that had nothing before its first line. */
export function sumsOfDay(lines: Iterable<Line>, day: string): DaySums {
  let openingMinor = 0n;
  const ofDay: DayKind[] = [];
  for (const { kind, amountMinor: totalMinor, day: booked } of lines) {
    if (booked < day) openingMinor += totalMinor;
    else if (booked === day) ofDay.push({ kind, count: 1, totalMinor });
  }
  return { openingMinor, ...closedWith(openingMinor, ofDay) };
}

/**
 * Of a till or a vault, by what it has now and its lines since the day began: those before need no
 * reading.
 */
export function sumsSince({ bookedMinor }: Pick<Till | Vault, "bookedMinor">, since: readonly KindSum[]): DaySums {
  const openingMinor = since.reduce((minor, { totalMinor }) => minor - totalMinor, bookedMinor);
  const ofDay = since.filter(({ isOfDay }) => isOfDay);
  return { openingMinor, ...closedWith(openingMinor, ofDay) };
}

function closedWith(openingMinor: bigint, ofDay: readonly DayKind[]): Pick<DaySums, "lines" | "closingMinor"> {
  const lines = byKind(ofDay);
  const closingMinor = lines.reduce((minor, { totalMinor }) => minor + totalMinor, openingMinor);
  return { lines, closingMinor: assertInt64(closingMinor, "the day's cash") };
}

/** Each kind once, by its name. */
function byKind(all: readonly DayKind[]): DayKind[] {
  const kinds = new Map<string, DayKind>();
  for (const { kind, count, totalMinor } of all) {
    const before = kinds.get(kind) ?? { kind, count: 0, totalMinor: 0n };
    kinds.set(kind, { kind, count: before.count + count, totalMinor: before.totalMinor + totalMinor });
  }
  return [...kinds.values()].toSorted((one, other) => (one.kind < other.kind ? -1 : 1));
}

/** What an order means to who sent it: it stays theirs until it has ended. */
export function transitLines(orders: readonly CashOrder[], branch: string, currency: string): Line[] {
  return orders
    .filter((order) => order.from === branch && order.currency === currency)
    .flatMap(({ amountMinor, sentOn, status, endedOn }) => {
      const delivered = status === "RETURNED" ? "ORDER_RETURNED" : "ORDER_DELIVERED";
      return [
        ...(sentOn === undefined ? [] : [{ kind: "ORDER_SENT", amountMinor, day: sentOn }]),
        ...(sentOn === undefined || endedOn === undefined
          ? []
          : [{ kind: delivered, amountMinor: -amountMinor, day: endedOn }]),
      ];
    });
}

export const isInTransit = ({ sentOn, endedOn }: CashOrder, day: string): boolean =>
  sentOn !== undefined && sentOn <= day && (endedOn === undefined || endedOn > day);

/** Everything of a currency together: what goes from one part to another changes nothing of it. */
export function totalOf(parts: readonly DaySums[]): DaySums {
  const openingMinor = parts.reduce((minor, part) => minor + part.openingMinor, 0n);
  const kinds = byKind(parts.flatMap(({ lines }) => lines)).filter(({ totalMinor }) => totalMinor !== 0n);
  const closingMinor = parts.reduce((minor, part) => minor + part.closingMinor, 0n);
  return { openingMinor, lines: kinds, closingMinor: assertInt64(closingMinor, "the day's cash") };
}

/** Whether it was closed, and the last of it booked, before the day ended. */
export function wasClosed({ status, lastDay = "" }: Till, day: string): boolean {
  return status === "CLOSED" && lastDay <= day;
}
