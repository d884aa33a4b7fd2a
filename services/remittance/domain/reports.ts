import { money, type Money } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import type { DeliveryMethod } from "./corridor.js";
import type { CorridorSums, CreatorSums } from "./day-sums.js";

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
  deliveryMethod: DeliveryMethod;
  status: string;
  received: Money;
  /** Of what was paid for: available by the promised day, or behind it. */
  promisesKept: bigint;
  promisesLate: bigint;
}

/** By which status they are counted, and what is late by now. */
export interface AsSeen {
  seesBlocks: boolean;
  /** Whether a promised day is over. */
  isOver: (day: string) => boolean;
}

/** Of one report: what fits into one answer between services. */
export const maxRows = 20_000;

/** A day's transactions by agent, creator, status and currency; in a stable order. */
export function callOver(sums: readonly CreatorSums[], seen: Pick<AsSeen, "seesBlocks">): CallOverRow[] {
  const rows = groups<Omit<CallOverRow, keyof Sums> & { currency: string }>();
  for (const { key, figures } of sums) {
    const { agentId, createdBy, createdByRole, sendCurrency: currency } = key;
    for (const [path, by] of figures) {
      const [, counted = "", figure = ""] = path.split(".");
      const status = shownAs(counted, seen);
      const order = [agentId, createdBy, createdByRole, currency, status];
      add(
        rows.row(order, () => ({ agentId, createdBy, createdByRole, currency, status })),
        figure,
        by,
      );
    }
  }
  return rows
    .counted()
    .map(({ about: { currency, ...about }, figures }) => ({ ...about, ...sumsOf(figures, currency) }));
}

/**
 * Transactions by the day they were created, corridor, method, status and currencies; in a stable
 * order.
 */
export function analytics(sums: readonly CorridorSums[], seen: AsSeen): AnalyticsRow[] {
  const rows = groups<Omit<AnalyticsRow, keyof Sums | "received" | `promises${string}`> & { pair: string[] }>();
  for (const { key, figures } of sums) {
    const { day: date, originCountry, receivingCountry } = key;
    const pair = [key.sendCurrency, key.receivingCurrency];
    for (const [path, by] of figures) {
      const [, method = "", counted = "", figure = "", day = ""] = path.split(".");
      const status = shownAs(counted, seen);
      const deliveryMethod = method as DeliveryMethod;
      const about = { date, originCountry, receivingCountry, deliveryMethod, status, pair };
      const order = [date, originCountry, receivingCountry, method, ...pair, status];
      const isLate = figure === "waits" && seen.isOver(day);
      add(
        rows.row(order, () => about),
        isLate ? "late" : figure,
        by,
      );
    }
  }
  return rows.counted().map(({ about: { pair, ...about }, figures }) => ({
    ...about,
    ...sumsOf(figures, pair[0]!),
    received: money(figures.get("received") ?? 0n, pair[1]!),
    promisesKept: figures.get("kept") ?? 0n,
    promisesLate: figures.get("late") ?? 0n,
  }));
}

function add(figures: Map<string, bigint>, figure: string, by: bigint): void {
  figures.set(figure, (figures.get(figure) ?? 0n) + by);
}

/** What a status of the sums is to whoever may not know of blocks. */
function shownAs(counted: string, { seesBlocks }: Pick<AsSeen, "seesBlocks">): string {
  const [status = "", shown] = counted.split("-");
  return shown === undefined || seesBlocks ? status : shown;
}

/** Rows that figures are added to by what they are about. Refuses INVALID_INPUT for too many. */
export function groups<About>() {
  const rows = new Map<string, { about: About; figures: Map<string, bigint> }>();
  return {
    /** The figures of a row, empty at first. */
    row(order: readonly string[], about: () => About): Map<string, bigint> {
      const key = order.join("\n");
      let row = rows.get(key);
      if (row === undefined) {
        rows.set(key, (row = { about: about(), figures: new Map() }));
        assertFits(rows.size);
      }
      return row.figures;
    },
    /** Those that have something, in the order of what they are about. */
    counted: () =>
      [...rows]
        .filter(([, { figures }]) => figures.values().some((figure) => figure !== 0n))
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([, row]) => row),
  };
}

function sumsOf(figures: ReadonlyMap<string, bigint>, currency: string): Sums {
  const of = (name: string) => figures.get(name) ?? 0n;
  const [principal, fees, taxes] = [of("principal"), of("fees"), of("taxes")];
  return {
    count: of("count"),
    principal: money(principal, currency),
    fees: money(fees, currency),
    taxes: money(taxes, currency),
    total: money(principal + fees + taxes, currency),
  };
}

function assertFits(size: number): void {
  if (size <= maxRows) return;
  const message = `the report has more than ${maxRows} rows: ask for fewer days`;
  throw new Refusal("INVALID_INPUT", message, { figures: { mostRows: String(maxRows) } });
}
