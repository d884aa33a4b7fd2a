import { unrealisedMinor, type Position } from "./average-cost.js";
import { dayText, type Day } from "./days.js";
import { rateInBase, rateText, worthMinor, type MiddleRate } from "./middle-rates.js";
import { ownKeyPrefix, type PositionBook, type PositionMove } from "./position-fold.js";

/** What is left of a currency at the end of a day. */
export interface DayEndPosition extends Position {
  readonly code: string;
  readonly currency: string;
  readonly base: string;
}

export interface RevaluedPosition extends DayEndPosition {
  readonly worthMinor: bigint;
  /** Worth less cost. */
  readonly unrealisedMinor: bigint;
  /** Absent where a cost alone is left: what moved was posted after what moved on a later day. */
  readonly middle?: MiddleRate;
}

/** What all rounds have posted of a position, minor units of base. */
interface PostedResult {
  readonly code: string;
  readonly currency: string;
  readonly base: string;
  readonly minor: bigint;
}

/** What a round posts on the day, and takes back on the next, once by its keys. */
export interface RevaluationPosting extends PostedResult {
  readonly key: string;
  readonly effectiveAtMs: number;
  readonly backAtMs: number;
  /** The middle rate, as text; empty where nothing is left. */
  readonly rate: string;
}

/** What was left at the end of a day, what it was worth, and what was posted of it. */
export interface Revaluation {
  readonly day: Day;
  /** 1 for the first; another one adds what was posted to the day since. */
  readonly rounds: number;
  readonly positions: readonly RevaluedPosition[];
  readonly posted: readonly PostedResult[];
  /** Of the last round, and perhaps not posted yet. */
  readonly toPost: readonly RevaluationPosting[];
  readonly revaluedBy: string;
  readonly revaluedAt: Date;
}

export type CodedMove = PositionMove & { readonly code: string };

/**
 * What is left at the end of each day from one to another, of books that are counted to their end:
 * what moved on later days is taken off, whenever it was posted.
 */
export function dayEnds(
  books: readonly PositionBook[],
  movesAfter: readonly CodedMove[],
  first: Day,
  last: Day,
): Map<Day, DayEndPosition[]> {
  const left = new Map<string, DayEndPosition>();
  for (const { code, base, positions } of books) {
    for (const { currency, quantityMinor, costMinor } of positions) {
      if (currency !== base) left.set(`${code} ${currency}`, { code, currency, base, quantityMinor, costMinor });
    }
  }
  const later = movesAfter.toSorted((a, b) => b.day - a.day);
  const ends = new Map<Day, DayEndPosition[]>();
  let next = 0;
  for (let day = last; day >= first; day -= 1) {
    for (; next < later.length && later[next]!.day > day; next += 1) {
      const { code, currency, quantityMinor, costMinor } = later[next]!;
      const known = left.get(`${code} ${currency}`);
      if (known === undefined) continue;
      left.set(`${code} ${currency}`, {
        ...known,
        quantityMinor: known.quantityMinor - quantityMinor,
        costMinor: known.costMinor - costMinor,
      });
    }
    ends.set(day, [...left.values()].filter(isLeft).toSorted(byName));
  }
  return ends;
}

const isLeft = ({ quantityMinor, costMinor }: Position): boolean => quantityMinor !== 0n || costMinor !== 0n;

/** Whether a revaluation is of just what is left, and all of it is posted. */
export function fits(revaluation: Revaluation | undefined, ends: readonly DayEndPosition[]): boolean {
  if (revaluation === undefined) return ends.length === 0;
  const { positions, toPost } = revaluation;
  return (
    toPost.length === 0 && positions.length === ends.length && ends.every((end, at) => isSame(end, positions[at]!))
  );
}

function isSame(one: DayEndPosition, other: DayEndPosition): boolean {
  const isNamedAlike = one.code === other.code && one.currency === other.currency && one.base === other.base;
  return isNamedAlike && one.quantityMinor === other.quantityMinor && one.costMinor === other.costMinor;
}

/** Days, of which `ends` says what is left, that no revaluation fits, in their order. */
export function unrevaluedDays(
  ends: ReadonlyMap<Day, readonly DayEndPosition[]>,
  revaluations: readonly Revaluation[],
  books: readonly PositionBook[],
): Day[] {
  const known = new Map(revaluations.map((revaluation) => [revaluation.day, revaluation]));
  // What waits to be counted moves the days from its own on.
  const waitingFrom = Math.min(...books.flatMap(({ waiting }) => waiting?.day ?? []));
  const missing = [...ends].filter(([day, left]) => day >= waitingFrom || !fits(known.get(day), left));
  return missing.map(([day]) => day).toSorted((a, b) => a - b);
}

/** Currencies of what is left that no rate prices. */
export function unpriced(ends: readonly DayEndPosition[], rates: readonly MiddleRate[]): string[] {
  const missing = ends.filter(
    ({ currency, base, quantityMinor }) => quantityMinor !== 0n && rateInBase(rates, currency, base) === undefined,
  );
  return [...new Set(missing.map(({ currency }) => currency))].toSorted();
}

/** Whether each position was revalued at the rate that is known now, if one still is. */
export function isAtRates({ positions }: Revaluation, rates: readonly MiddleRate[]): boolean {
  return positions.every(({ currency, base, middle }) => {
    const now = rateInBase(rates, currency, base);
    if (middle === undefined || now === undefined) return true;
    return now.fromCurrency === middle.fromCurrency && now.rate === middle.rate;
  });
}

/**
 * The next round of a day: what is left at its end is worth what `rates`, of which none is missing,
 * say, and what earlier rounds have posted is not posted again.
 */
export function revalue(
  before: Revaluation | undefined,
  ends: readonly DayEndPosition[],
  rates: readonly MiddleRate[],
  by: Pick<Revaluation, "day" | "revaluedBy" | "revaluedAt"> & Pick<RevaluationPosting, "effectiveAtMs" | "backAtMs">,
): Revaluation {
  const { effectiveAtMs, backAtMs, ...rest } = by;
  const rounds = (before?.rounds ?? 0) + 1;
  const positions = ends.map((end): RevaluedPosition => {
    if (end.quantityMinor === 0n) return { ...end, worthMinor: 0n, unrealisedMinor: unrealisedMinor(end, 0n) };
    const middle = rateInBase(rates, end.currency, end.base)!;
    const worth = worthMinor({ minor: end.quantityMinor, currency: end.currency }, end.base, middle);
    return { ...end, worthMinor: worth, unrealisedMinor: unrealisedMinor(end, worth), middle };
  });
  const posted = new Map((before?.posted ?? []).map((one) => [nameOf(one), one]));
  const wanted = new Map(positions.map((one) => [nameOf(one), one]));
  const toPost: RevaluationPosting[] = [];
  const total: PostedResult[] = [];
  for (const name of new Set([...posted.keys(), ...wanted.keys()])) {
    const { code, currency, base } = (wanted.get(name) ?? posted.get(name))!;
    const minor = wanted.get(name)?.unrealisedMinor ?? 0n;
    if (minor !== 0n) total.push({ code, currency, base, minor });
    const more = minor - (posted.get(name)?.minor ?? 0n);
    if (more === 0n) continue;
    const key = `${ownKeyPrefix}revaluation:${dayText(by.day)}:${code}:${currency}:${rounds}`;
    toPost.push({ code, currency, base, minor: more, key, effectiveAtMs, backAtMs, rate: textOf(wanted.get(name)) });
  }
  return { ...rest, rounds, positions, posted: total, toPost };
}

const nameOf = ({ code, currency, base }: Pick<DayEndPosition, "code" | "currency" | "base">) =>
  `${code} ${currency} ${base}`;

const textOf = (position: RevaluedPosition | undefined) =>
  position?.middle === undefined ? "" : rateText(position.middle);

function byName(a: DayEndPosition, b: DayEndPosition): number {
  return nameOf(a) < nameOf(b) ? -1 : 1;
}
