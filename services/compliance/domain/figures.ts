import { assertInt64, type Money } from "../../shared/money.js";
import { plainName, type Aggregate, type Figures, type RuleCondition } from "./conditions.js";

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

/** What days before today come to for one aggregate; only what its measure needs is worked out. */
export interface PastPart {
  sumMinor: bigint;
  count: number;
  maxMinor: bigint;
  names: ReadonlySet<string>;
}

/** By figure key. Small however long the past was, so it can be kept while no past day changes. */
export type PastParts = ReadonlyMap<string, PastPart>;

/** What the days before today come to for the conditions of some rules. */
export function pastParts(
  conditions: readonly RuleCondition[],
  past: readonly DayActivity[],
  today: string,
): PastParts {
  const parts = new Map<string, PastPart>();
  const before = past.filter(({ day }) => day < today);
  for (const { key, aggregate } of partsOfAll(conditions).list) {
    const first = firstDay(today, aggregate.days);
    parts.set(
      key,
      partOf(
        aggregate,
        before.filter(({ day }) => day >= first),
      ),
    );
  }
  return parts;
}

/**
 * Figures that the conditions of some rules compare: days before today, today, and the transaction itself, if any. In the order of
 * `figuresByKey`, which names them: kept decisions rest on that order.
 */
export function figuresFrom(
  conditions: readonly RuleCondition[],
  parts: PastParts,
  today: DayActivity,
  facts: CountedFacts | undefined,
): bigint[] {
  const ofToday = new Map<string, PastPart>();
  return partsOfAll(conditions).list.map(({ key, dayKey, aggregate }) => {
    const past = parts.get(key);
    if (past === undefined) throw new Error(`the past of ${key} is missing`);
    let own = ofToday.get(dayKey);
    if (own === undefined) ofToday.set(dayKey, (own = partOf(aggregate, [today])));
    return figureOf(aggregate, past, own, facts);
  });
}

/** What each figure of some conditions is of. */
export function figuresByKey(conditions: readonly RuleCondition[], figures: readonly bigint[]): Figures {
  const { list, places } = partsOfAll(conditions);
  if (list.length !== figures.length) throw new Error(`${figures.length} figures for ${list.length} aggregates`);
  return {
    get(key) {
      const place = places.get(key);
      return place === undefined ? undefined : figures[place];
    },
  };
}

/** The same over days as they are kept, today's among them. */
export function figuresOf(
  conditions: readonly RuleCondition[],
  days: readonly DayActivity[],
  today: string,
  facts: CountedFacts | undefined,
): bigint[] {
  const known = days.find(({ day }) => day === today) ?? emptyDay(today);
  return figuresFrom(conditions, pastParts(conditions, days, today), known, facts);
}

/** The longest window that some conditions look at, in days; 0 where none does. */
export function maxWindow(conditions: readonly RuleCondition[]): number {
  return Math.max(0, ...conditions.flatMap(({ aggregates }) => aggregates.map(({ days }) => days)));
}

/** The first of so many calendar days that end with `today`. */
export function firstDay(today: string, days: number): string {
  return Temporal.PlainDate.from(today)
    .subtract({ days: days - 1 })
    .toString();
}

const keysKept = new WeakMap<Aggregate, string>();

/** What a figure is kept under: equal for aggregates that differ in their threshold only. */
export function figureKey(aggregate: Aggregate): string {
  let key = keysKept.get(aggregate);
  if (key === undefined) keysKept.set(aggregate, (key = makeKey(aggregate)));
  return key;
}

function makeKey({ measure, of, days, amount, receivingCountries, sourcesOfFunds, band }: Aggregate): string {
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

const partsKept = new WeakMap<Aggregate, Aggregate[]>();

interface Part {
  readonly key: string;
  /** Equal for aggregates that look at the same of one day, however many days they look at. */
  readonly dayKey: string;
  readonly aggregate: Aggregate;
}

interface AllParts {
  readonly list: readonly Part[];
  /** Where in the list, by key. */
  readonly places: ReadonlyMap<string, number>;
}

const allPartsKept = new WeakMap<readonly RuleCondition[], AllParts>();

/** What all conditions of a list compare, each figure once. */
function partsOfAll(conditions: readonly RuleCondition[]): AllParts {
  let all = allPartsKept.get(conditions);
  if (all === undefined) {
    const parts = conditions.flatMap(({ aggregates }) => aggregates.flatMap(partsOf));
    const byKey = new Map(parts.map((part) => [figureKey(part), part]));
    const list = [...byKey].map(([key, aggregate]) => ({ key, dayKey: makeKey({ ...aggregate, days: 1 }), aggregate }));
    all = { list, places: new Map(list.map(({ key }, place) => [key, place])) };
    allPartsKept.set(conditions, all);
  }
  return all;
}

/** The figures that an aggregate compares: an average is compared as a sum and a count of the same transactions. */
export function partsOf(aggregate: Aggregate): Aggregate[] {
  const known = partsKept.get(aggregate);
  if (known !== undefined) return known;
  const { measure } = aggregate;
  const measured = measure === "AVERAGE" ? (["SUM", "COUNT"] as const) : [measure];
  const parts = measured.map((one) => (one === measure ? aggregate : { ...aggregate, measure: one }));
  partsKept.set(aggregate, parts);
  return parts;
}

const nobody: ReadonlySet<string> = new Set();

function partOf(aggregate: Aggregate, window: readonly DayActivity[]): PastPart {
  const part = { sumMinor: 0n, count: 0, maxMinor: 0n, names: nobody };
  if (aggregate.band !== undefined) return { ...part, count: countInBand(aggregate.band, window) };
  if (aggregate.measure === "DISTINCT") return { ...part, names: namesOf(aggregate, window) };
  for (const { count, sumMinor, maxMinor } of cellsOf(aggregate, window)) {
    part.count += count;
    part.sumMinor += sumMinor;
    if (maxMinor > part.maxMinor) part.maxMinor = maxMinor;
  }
  return part;
}

function figureOf(aggregate: Aggregate, past: PastPart, today: PastPart, facts: CountedFacts | undefined): bigint {
  const counts = facts !== undefined && counted(aggregate, facts);
  const minor = facts?.amount.minor ?? 0n;
  if (aggregate.band !== undefined) {
    const inBand = facts !== undefined && isInBand(aggregate.band, facts.amount.currency, minor) ? 1 : 0;
    return BigInt(inBand + past.count + today.count);
  }
  switch (aggregate.measure) {
    case "DISTINCT": {
      const own = facts === undefined ? "" : ownName(aggregate, facts);
      const isNew = own !== "" && !past.names.has(own) && !today.names.has(own);
      let found = past.names.size + (isNew ? 1 : 0);
      for (const name of today.names) if (!past.names.has(name)) found += 1;
      return BigInt(found);
    }
    case "COUNT":
      return BigInt(past.count + today.count + (counts ? 1 : 0));
    case "MAX": {
      const max = past.maxMinor > today.maxMinor ? past.maxMinor : today.maxMinor;
      return counts && minor > max ? minor : max;
    }
    default:
      return past.sumMinor + today.sumMinor + (counts ? minor : 0n);
  }
}

function counted(aggregate: Aggregate, { amount, receivingCountry, sourceOfFunds }: CountedFacts): boolean {
  return isCounted(aggregate, amount.currency, receivingCountry, () => plainName(sourceOfFunds));
}

function isCounted(
  { amount, receivingCountries, sourcesOfFunds }: Aggregate,
  currency: string,
  receivingCountry: string,
  source: () => string,
): boolean {
  if (amount !== undefined && amount.currency !== currency) return false;
  if (receivingCountries.length > 0 && !receivingCountries.includes(receivingCountry)) return false;
  return sourcesOfFunds.length === 0 || sourcesOfFunds.includes(source());
}

function cellsOf(aggregate: Aggregate, window: readonly DayActivity[]): Cell[] {
  const found: Cell[] = [];
  for (const { cells } of window) {
    for (const cell of cells) {
      if (isCounted(aggregate, cell.currency, cell.receivingCountry, () => cell.sourceOfFunds)) found.push(cell);
    }
  }
  return found;
}

function namesOf(aggregate: Aggregate, window: readonly DayActivity[]): ReadonlySet<string> {
  if (aggregate.of === "RECIPIENTS") return new Set(window.flatMap(({ recipients }) => recipients));
  return new Set(cellsOf(aggregate, window).map(({ receivingCountry }) => receivingCountry));
}

/** What the transaction itself adds to what is told apart; empty where it adds nothing. */
function ownName(aggregate: Aggregate, facts: CountedFacts): string {
  if (aggregate.of === "RECIPIENTS") return facts.recipient;
  return counted(aggregate, facts) ? facts.receivingCountry : "";
}

function isInBand({ from, below }: NonNullable<Aggregate["band"]>, currency: string, minor: bigint): boolean {
  return from.currency === currency && minor >= from.minor && minor < below.minor;
}

const bandsKept = new WeakMap<NonNullable<Aggregate["band"]>, Map<string, boolean>>();

function countInBand(band: NonNullable<Aggregate["band"]>, window: readonly DayActivity[]): number {
  let known = bandsKept.get(band);
  if (known === undefined) bandsKept.set(band, (known = new Map()));
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
