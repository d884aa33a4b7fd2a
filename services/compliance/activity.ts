import { assertInt64, type Money } from "../shared/money.js";
import { plainName, type Aggregate, type RuleCondition } from "./conditions.js";

/** What a customer sent on one day in one currency to one country from one source of funds. */
export interface Cell {
  currency: string;
  receivingCountry: string;
  sourceOfFunds: string;
  count: number;
  sumMinor: bigint;
  maxMinor: bigint;
}

/** How many amounts of a currency began with these digits: "97e4" holds 970000 to 979999 minor units. */
export interface SizeCount {
  currency: string;
  size: string;
  count: number;
}

/** Sums of a customer's transactions on a calendar day of the tenant's time zone. */
export interface DayActivity {
  day: string;
  cells: Cell[];
  sizes: SizeCount[];
  /** Each once. */
  recipients: string[];
}

/** What of a transaction goes into the sums. */
export interface CountedFacts {
  amount: Money;
  receivingCountry: string;
  sourceOfFunds: string;
  recipient: string;
}

/** A value that a condition compares, the transaction itself included; kept with the decision. */
export interface Figure {
  key: string;
  value: bigint;
}

export function emptyDay(day: string): DayActivity {
  return { day, cells: [], sizes: [], recipients: [] };
}

/** The day with one more transaction. Refuses AMOUNT_TOO_LARGE beyond int64. */
export function withTransaction(activity: DayActivity, facts: CountedFacts): DayActivity {
  const { currency, minor } = facts.amount;
  const { receivingCountry } = facts;
  const sourceOfFunds = plainName(facts.sourceOfFunds);
  const isIt = (cell: Cell) =>
    cell.currency === currency && cell.receivingCountry === receivingCountry && cell.sourceOfFunds === sourceOfFunds;
  const before = activity.cells.find(isIt) ?? {
    currency,
    receivingCountry,
    sourceOfFunds,
    count: 0,
    sumMinor: 0n,
    maxMinor: 0n,
  };
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
    day: activity.day,
    cells: [...activity.cells.filter((one) => !isIt(one)), cell],
    sizes: [...activity.sizes.filter((one) => !isSize(one)), { currency, size, count: sized + 1 }],
    recipients: activity.recipients.includes(facts.recipient)
      ? activity.recipients
      : [...activity.recipients, facts.recipient],
  };
}

/** Figures that the conditions of some rules compare, over the days given and the transaction itself, if any, on `today`. */
export function figuresOf(
  conditions: readonly RuleCondition[],
  past: readonly DayActivity[],
  today: string,
  facts: CountedFacts | undefined,
): Figure[] {
  const byKey = new Map<string, bigint>();
  for (const aggregate of conditions.flatMap((condition) => condition.aggregates.flatMap(partsOf))) {
    const key = figureKey(aggregate);
    if (byKey.has(key)) continue;
    const first = firstDay(today, aggregate.days);
    const window = past.filter(({ day }) => day >= first && day <= today);
    byKey.set(key, figureOf(aggregate, window, facts));
  }
  return [...byKey].map(([key, value]) => ({ key, value }));
}

/** The longest window that some conditions look at, in days; 0 where none does. */
export function longestWindow(conditions: readonly RuleCondition[]): number {
  return Math.max(0, ...conditions.flatMap(({ aggregates }) => aggregates.map(({ days }) => days)));
}

/** The first of so many calendar days that end with `today`. */
export function firstDay(today: string, days: number): string {
  return Temporal.PlainDate.from(today)
    .subtract({ days: days - 1 })
    .toString();
}

/** What a figure is kept under: equal for aggregates that differ in their threshold only. */
export function figureKey({ measure, of, days, amount, receivingCountries, sourcesOfFunds, band }: Aggregate): string {
  const range = band && `${band.from.currency} ${band.from.minor}-${band.below.minor}`;
  return [measure, of, days, amount?.currency, receivingCountries.join(), sourcesOfFunds.join(), range].join("|");
}

/** The two leading digits and how many follow: every amount of 970000 to 979999 is "97e4". */
export function sizeOf(minor: bigint): string {
  const digits = String(minor);
  return digits.length <= 2 ? `${digits}e0` : `${digits.slice(0, 2)}e${digits.length - 2}`;
}

/** True where an amount has at most two digits that are not trailing zeros, so that it parts sizes cleanly. */
export function isSizeBoundary(minor: bigint): boolean {
  return /^\d{1,2}0*$/.test(String(minor));
}

// An average is compared as a sum and a count of the same transactions.
function partsOf(aggregate: Aggregate): Aggregate[] {
  if (aggregate.measure !== "AVERAGE") return [aggregate];
  return [
    { ...aggregate, measure: "SUM" },
    { ...aggregate, measure: "COUNT" },
  ];
}

function figureOf(aggregate: Aggregate, window: readonly DayActivity[], facts: CountedFacts | undefined): bigint {
  const counts = facts !== undefined && counted(aggregate, facts);
  const minor = facts?.amount.minor ?? 0n;
  if (aggregate.band !== undefined) {
    const inBand = facts !== undefined && isInBand(aggregate.band, facts.amount.currency, minor) ? 1 : 0;
    return BigInt(inBand + countInBand(aggregate.band, window));
  }
  if (aggregate.measure === "DISTINCT") return BigInt(distinct(aggregate, window, facts).size);
  const cells = cellsOf(aggregate, window);
  switch (aggregate.measure) {
    case "COUNT":
      return BigInt(cells.reduce((sum, { count }) => sum + count, counts ? 1 : 0));
    case "MAX":
      return cells.reduce((max, { maxMinor }) => (maxMinor > max ? maxMinor : max), counts ? minor : 0n);
    default:
      return cells.reduce((sum, { sumMinor }) => sum + sumMinor, counts ? minor : 0n);
  }
}

function counted(aggregate: Aggregate, facts: CountedFacts): boolean {
  const { amount, receivingCountry, sourceOfFunds } = facts;
  return isCounted(aggregate, amount.currency, receivingCountry, plainName(sourceOfFunds));
}

function isCounted(
  { amount, receivingCountries, sourcesOfFunds }: Aggregate,
  currency: string,
  receivingCountry: string,
  source: string,
): boolean {
  if (amount !== undefined && amount.currency !== currency) return false;
  if (receivingCountries.length > 0 && !receivingCountries.includes(receivingCountry)) return false;
  return sourcesOfFunds.length === 0 || sourcesOfFunds.includes(source);
}

function cellsOf(aggregate: Aggregate, window: readonly DayActivity[]): Cell[] {
  const found: Cell[] = [];
  for (const { cells } of window) {
    for (const cell of cells) {
      if (isCounted(aggregate, cell.currency, cell.receivingCountry, cell.sourceOfFunds)) found.push(cell);
    }
  }
  return found;
}

function distinct(aggregate: Aggregate, window: readonly DayActivity[], facts: CountedFacts | undefined): Set<string> {
  if (aggregate.of === "RECIPIENTS") {
    const found = new Set(window.flatMap(({ recipients }) => recipients));
    if (facts !== undefined && facts.recipient !== "") found.add(facts.recipient);
    return found;
  }
  const cells = cellsOf(aggregate, window);
  const found = new Set(cells.map(({ receivingCountry }) => receivingCountry));
  if (facts !== undefined && counted(aggregate, facts)) found.add(facts.receivingCountry);
  return found;
}

function isInBand({ from, below }: NonNullable<Aggregate["band"]>, currency: string, minor: bigint): boolean {
  return from.currency === currency && minor >= from.minor && minor < below.minor;
}

function countInBand(band: NonNullable<Aggregate["band"]>, window: readonly DayActivity[]): number {
  const known = new Map<string, boolean>();
  let sum = 0;
  for (const { sizes } of window) {
    for (const { currency, size, count } of sizes) {
      if (currency !== band.from.currency) continue;
      let inside = known.get(size);
      if (inside === undefined) known.set(size, (inside = isInBand(band, currency, lowestOf(size))));
      if (inside) sum += count;
    }
  }
  return sum;
}

/** The lowest amount of a size. */
function lowestOf(size: string): bigint {
  const [digits = "", zeros = ""] = size.split("e");
  return BigInt(digits) * 10n ** BigInt(zeros);
}
