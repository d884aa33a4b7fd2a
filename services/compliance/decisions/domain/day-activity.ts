import { assertInt64, type Money } from "../../../kernel/money.js";
import { plainName } from "./plain-name.js";

/** What a customer sent on one day in one currency to one country from one source of funds. */
export interface Cell {
  currency: string;
  receivingCountry: string;
  sourceOfFunds: string;
  count: number;
  sumMinor: bigint;
  maxMinor: bigint;
}

/**
 * How many amounts of a currency began with these digits: "97e4" holds 970000 to 979999 minor
 * units.
 */
export interface SizeCount {
  currency: string;
  size: string;
  count: number;
}

/** What a customer brought in cash and was given on one day, in a base currency. */
export interface CashCell {
  /** Empty where there was no rate. */
  currency: string;
  count: number;
  sumMinor: bigint;
  maxMinor: bigint;
}

/** Sums of a customer's transactions on a calendar day of the tenant's time zone. */
export interface DayActivity {
  day: string;
  cells: Cell[];
  sizes: SizeCount[];
  /** Each once. */
  recipients: string[];
  /** Absent without any. */
  cash?: CashCell[];
}

/** The part of a transaction that goes into the sums. */
export interface CountedFacts {
  amount: Money;
  receivingCountry: string;
  sourceOfFunds: string;
  recipient: string;
  /** Of cash at a desk, which is counted by itself: in the base currency, absent without a rate. */
  cash?: { base?: Money };
}

export function emptyDay(day: string): DayActivity {
  return { day, cells: [], sizes: [], recipients: [] };
}

/** The day with one more transaction. Refuses AMOUNT_TOO_LARGE beyond int64. */
export function withTransaction(activity: DayActivity, facts: CountedFacts): DayActivity {
  if (facts.cash !== undefined) return { ...activity, cash: withCash(activity.cash ?? [], facts.cash.base) };
  const { currency, minor } = facts.amount;
  const { receivingCountry } = facts;
  const sourceOfFunds = plainName(facts.sourceOfFunds);
  const isIt = (cell: Cell) =>
    cell.currency === currency && cell.receivingCountry === receivingCountry && cell.sourceOfFunds === sourceOfFunds;
  const empty = { currency, receivingCountry, sourceOfFunds, count: 0, sumMinor: 0n, maxMinor: 0n };
  const before = activity.cells.find(isIt) ?? empty;
  const cell = {
    ...before,
    count: before.count + 1,
    sumMinor: assertInt64(before.sumMinor + minor, "the day's total"),
    maxMinor: minor > before.maxMinor ? minor : before.maxMinor,
  };
  const size = sizeOf(minor);
  const isSize = (one: SizeCount) => one.currency === currency && one.size === size;
  const sized = activity.sizes.find(isSize)?.count ?? 0;
  return {
    ...activity,
    cells: [...activity.cells.filter((one) => !isIt(one)), cell],
    sizes: [...activity.sizes.filter((one) => !isSize(one)), { currency, size, count: sized + 1 }],
    recipients: activity.recipients.includes(facts.recipient)
      ? activity.recipients
      : [...activity.recipients, facts.recipient],
  };
}

function withCash(cells: readonly CashCell[], base: Money | undefined): CashCell[] {
  const { currency = "", minor = 0n } = base ?? {};
  const before = cells.find((cell) => cell.currency === currency) ?? { currency, count: 0, sumMinor: 0n, maxMinor: 0n };
  const cell = {
    currency,
    count: before.count + 1,
    sumMinor: assertInt64(before.sumMinor + minor, "the day's cash"),
    maxMinor: minor > before.maxMinor ? minor : before.maxMinor,
  };
  return [...cells.filter((one) => one.currency !== currency), cell];
}

/** The two leading digits and how many follow: every amount of 970000 to 979999 is "97e4". */
export function sizeOf(minor: bigint): string {
  const digits = String(minor);
  return digits.length <= 2 ? `${digits}e0` : `${digits.slice(0, 2)}e${digits.length - 2}`;
}

/** The lowest amount of a size, minor units. */
export function lowestOfSize(size: string): bigint {
  const [digits = "", zeros = ""] = size.split("e");
  return BigInt(digits) * 10n ** BigInt(zeros);
}

/**
 * True where an amount has at most two digits that are not trailing zeros, so that it parts sizes
 * cleanly.
 */
export function isSizeBoundary(minor: bigint): boolean {
  return /^\d{1,2}0*$/.test(String(minor));
}
