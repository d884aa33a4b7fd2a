import type { Aggregate, RuleCondition } from "./conditions.js";
import { emptyDay, lowestOfSize, type Cell, type CountedFacts, type DayActivity } from "./day-activity.js";
import { plainName } from "./plain-name.js";

/** The figures that the rules of a policy compare, each once; worked out once for a policy. */
export interface FigurePlan {
  /** In the order in which decisions keep their figures. */
  readonly figures: readonly PlannedFigure[];
  /** Where an aggregate's figures are: an average has two, its sum and its count. */
  readonly placesOf: ReadonlyMap<Aggregate, readonly number[]>;
  /** The longest window that a rule looks at, in days; 0 where none does. */
  readonly maxDays: number;
}

interface PlannedFigure {
  readonly aggregate: Aggregate;
  /** Place of the first figure that looks at the same of one day, however many days it looks at. */
  readonly sameDayAs: number;
}

/** What some days come to for one figure; only what its measure needs is worked out. */
export interface PartialFigure {
  sumMinor: bigint;
  count: number;
  maxMinor: bigint;
  names: ReadonlySet<string>;
}

/**
 * What the days before today come to, in the order of the plan. Small however long the past was.
 */
export type PastFigures = readonly PartialFigure[];

export function planFigures(conditions: readonly RuleCondition[]): FigurePlan {
  const aggregates = conditions.flatMap((condition) => condition.aggregates);
  const byKey = new Map(aggregates.flatMap(comparedParts).map((part) => [figureKey(part), part]));
  const keys = [...byKey.keys()];
  const dayKeys = [...byKey.values()].map((part) => figureKey({ ...part, days: 1 }));
  return {
    figures: [...byKey.values()].map((aggregate, place) => ({
      aggregate,
      sameDayAs: dayKeys.indexOf(dayKeys[place]!),
    })),
    placesOf: new Map(
      aggregates.map((aggregate) => [aggregate, comparedParts(aggregate).map((part) => keys.indexOf(figureKey(part)))]),
    ),
    maxDays: Math.max(0, ...aggregates.map(({ days }) => days)),
  };
}

/** What the days before today come to. */
export function pastFigures(plan: FigurePlan, past: readonly DayActivity[], today: string): PastFigures {
  const before = past.filter(({ day }) => day < today);
  return plan.figures.map(({ aggregate }) => {
    const first = firstDay(today, aggregate.days);
    return partialFigure(
      aggregate,
      before.filter(({ day }) => day >= first),
    );
  });
}

/**
 * The figures of days before today, today, and the transaction itself, if any. In the order of the
 * plan, in which decisions keep them.
 */
export function figuresFrom(
  plan: FigurePlan,
  past: PastFigures,
  today: DayActivity,
  facts: CountedFacts | undefined,
): bigint[] {
  const ofToday: PartialFigure[] = [];
  return plan.figures.map(({ aggregate, sameDayAs }, place) => {
    const own = ofToday[sameDayAs] ?? partialFigure(aggregate, [today]);
    ofToday[place] = own;
    return figureOf(aggregate, past[place]!, own, facts);
  });
}

/** The same over days as they are kept, today's among them. */
export function figuresOf(
  plan: FigurePlan,
  days: readonly DayActivity[],
  today: string,
  facts: CountedFacts | undefined,
): bigint[] {
  const known = days.find(({ day }) => day === today) ?? emptyDay(today);
  return figuresFrom(plan, pastFigures(plan, days, today), known, facts);
}

/** The figures of an aggregate among those of a plan. Throws where they are of another policy. */
export function figuresByAggregate(plan: FigurePlan, figures: readonly bigint[]) {
  const { length } = plan.figures;
  if (length !== figures.length) throw new Error(`${figures.length} figures for ${length} aggregates`);
  return (aggregate: Aggregate): readonly bigint[] => {
    const places = plan.placesOf.get(aggregate);
    if (places === undefined) throw new Error(`the figure of an aggregate by ${aggregate.measure} is missing`);
    return places.map((place) => figures[place]!);
  };
}

/** The first of so many calendar days that end with `today`. */
export function firstDay(today: string, days: number): string {
  return Temporal.PlainDate.from(today)
    .subtract({ days: days - 1 })
    .toString();
}

/** Equal for aggregates that differ in their threshold only. */
function figureKey({ measure, of, days, amount, receivingCountries, sourcesOfFunds, band }: Aggregate): string {
  const range = band && `${band.from.currency} ${band.from.minor}-${band.below.minor}`;
  return [measure, of, days, amount?.currency, receivingCountries.join(), sourcesOfFunds.join(), range].join("|");
}

/**
 * What an aggregate compares: an average is compared as a sum and a count of the same transactions.
 */
function comparedParts(aggregate: Aggregate): Aggregate[] {
  if (aggregate.measure !== "AVERAGE") return [aggregate];
  return [
    { ...aggregate, measure: "SUM" },
    { ...aggregate, measure: "COUNT" },
  ];
}

const noNames: ReadonlySet<string> = new Set();

function partialFigure(aggregate: Aggregate, window: readonly DayActivity[]): PartialFigure {
  const figure = { sumMinor: 0n, count: 0, maxMinor: 0n, names: noNames };
  if (aggregate.band !== undefined) return { ...figure, count: countInBand(aggregate.band, window) };
  if (aggregate.measure === "DISTINCT") return { ...figure, names: namesOf(aggregate, window) };
  const cells = aggregate.of === "CASH" ? cashOf(aggregate, window) : cellsOf(aggregate, window);
  for (const { count, sumMinor, maxMinor } of cells) {
    figure.count += count;
    figure.sumMinor += sumMinor;
    if (maxMinor > figure.maxMinor) figure.maxMinor = maxMinor;
  }
  return figure;
}

function figureOf(
  aggregate: Aggregate,
  past: PartialFigure,
  today: PartialFigure,
  facts: CountedFacts | undefined,
): bigint {
  const counts = facts !== undefined && isCountedFor(aggregate, facts);
  const minor = facts === undefined ? 0n : minorFor(aggregate, facts);
  if (aggregate.band !== undefined) {
    const inBand =
      facts !== undefined && facts.cash === undefined && isInBand(aggregate.band, facts.amount.currency, minor) ? 1 : 0;
    return BigInt(inBand + past.count + today.count);
  }
  switch (aggregate.measure) {
    case "DISTINCT":
      return BigInt(distinctNames(past.names, today.names, facts === undefined ? "" : ownName(aggregate, facts)));
    case "COUNT":
      return BigInt(past.count + today.count + (counts ? 1 : 0));
    case "MAX": {
      const max = past.maxMinor > today.maxMinor ? past.maxMinor : today.maxMinor;
      return counts && minor > max ? minor : max;
    }
    default:
      return within(past.sumMinor + today.sumMinor + (counts ? minor : 0n));
  }
}

/** Above every amount that a rule can name: what is that much nobody knows. */
const unknownMinor = 2n ** 63n - 1n;
const within = (minor: bigint): bigint => (minor > unknownMinor ? unknownMinor : minor);

/** Cash in another currency than the rule's, or without a rate, counts as above. */
function cashOf(
  { amount }: Aggregate,
  window: readonly DayActivity[],
): Pick<Cell, "count" | "sumMinor" | "maxMinor">[] {
  return window.flatMap(({ cash = [] }) =>
    cash.map((cell) =>
      amount === undefined || cell.currency === amount.currency
        ? cell
        : { count: cell.count, sumMinor: unknownMinor, maxMinor: unknownMinor },
    ),
  );
}

/** What a transaction adds to a figure in which it is counted. */
function minorFor({ of, amount }: Aggregate, { amount: own, cash }: CountedFacts): bigint {
  if (of !== "CASH") return own.minor;
  const base = cash?.base;
  return base === undefined || base.currency !== amount?.currency ? unknownMinor : base.minor;
}

function distinctNames(past: ReadonlySet<string>, today: ReadonlySet<string>, own: string): number {
  let found = past.size + (own !== "" && !past.has(own) && !today.has(own) ? 1 : 0);
  for (const name of today) if (!past.has(name)) found += 1;
  return found;
}

function isCountedFor(aggregate: Aggregate, facts: CountedFacts): boolean {
  const { amount, receivingCountry, sourceOfFunds, cash } = facts;
  if (aggregate.of === "CASH" || cash !== undefined) return aggregate.of === "CASH" && cash !== undefined;
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

/** The transaction's own recipient or country; empty where it is not counted. */
function ownName(aggregate: Aggregate, facts: CountedFacts): string {
  if (aggregate.of === "RECIPIENTS") return facts.cash === undefined ? facts.recipient : "";
  return isCountedFor(aggregate, facts) ? facts.receivingCountry : "";
}

type Band = NonNullable<Aggregate["band"]>;

function isInBand({ from, below }: Band, currency: string, minor: bigint): boolean {
  return from.currency === currency && minor >= from.minor && minor < below.minor;
}

function countInBand(band: Band, window: readonly DayActivity[]): number {
  let sum = 0;
  for (const { sizes } of window) {
    for (const { currency, size, count } of sizes) {
      if (currency === band.from.currency && isInBand(band, currency, lowestOfSize(size))) sum += count;
    }
  }
  return sum;
}
