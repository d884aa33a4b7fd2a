import { Refusal } from "../../kernel/refusal.js";
import { dayText, parseDay, type Day } from "./days.js";

export type PeriodKind = "DAY" | "MONTH" | "YEAR";

/** Days that are closed together; `name` is "2026-11-29", "2026-11" or "2026". */
export interface Period {
  readonly name: string;
  readonly kind: PeriodKind;
  readonly first: Day;
  readonly last: Day;
}

/** How far the books are closed, and what of it still stands. */
export interface ClosedSoFar {
  /** Absent where nothing is closed. */
  readonly closedThrough?: Day | undefined;
  /** Names of periods whose closings stand. */
  readonly standing: ReadonlySet<string>;
}

/** The period of a name; undefined where no calendar has it. */
export function parsePeriod(name: string): Period | undefined {
  const day = parseDay(name);
  if (day !== undefined) return { name, kind: "DAY", first: day, last: day };
  if (/^\d{4}-\d{2}$/.test(name)) return span(name, "MONTH", `${name}-01`, nextMonth(name));
  if (/^\d{4}$/.test(name)) return span(name, "YEAR", `${name}-01-01`, `${following(name)}-01-01`);
  return undefined;
}

/** The day, the month and the year that a day lies in. */
export function periodsOf(day: Day): Period[] {
  const text = dayText(day);
  return [text, text.slice(0, 7), text.slice(0, 4)].map((name) => parsePeriod(name)!);
}

/**
 * Refuses STATE_CONFLICT where a period may not be closed now: it is closed, or days before it are
 * open. A month and a year close those of their days that are open yet.
 */
export function assertClosable(period: Period, { closedThrough, standing }: ClosedSoFar): void {
  const { name, kind, first } = period;
  const isClosed = kind === "DAY" ? closedThrough !== undefined && closedThrough >= first : standing.has(name);
  if (isClosed) throw new Refusal("STATE_CONFLICT", `${name} is closed`);
  if (closedThrough === undefined || closedThrough >= first - 1) return;
  const next = dayText(closedThrough + 1);
  throw new Refusal("STATE_CONFLICT", `${next} is to be closed before ${name}`, { figures: { next } });
}

/** Periods that are over and may be closed now: the next day, and months and years that it ends. */
export function closablePeriods(next: Day, today: Day, closed: ClosedSoFar): Period[] {
  const ofNext = periodsOf(next);
  // A month whose days are closed one by one is closed by itself afterwards.
  const ofLast = closed.closedThrough === undefined ? [] : periodsOf(closed.closedThrough);
  const all = [ofNext[0]!, ...[1, 2].flatMap((index) => [ofLast[index] ?? [], ofNext[index]!].flat())];
  const named = new Map(all.map((period) => [period.name, period]));
  return [...named.values()].filter((period) => period.last < today && isClosable(period, closed));
}

function isClosable(period: Period, closed: ClosedSoFar): boolean {
  try {
    assertClosable(period, closed);
    return true;
  } catch {
    return false;
  }
}

function span(name: string, kind: PeriodKind, from: string, until: string): Period | undefined {
  const [first, next] = [parseDay(from), parseDay(until)];
  return first === undefined || next === undefined ? undefined : { name, kind, first, last: next - 1 };
}

function nextMonth(name: string): string {
  const [year, month] = [name.slice(0, 4), Number(name.slice(5))];
  return month === 12 ? `${following(year)}-01-01` : `${year}-${String(month + 1).padStart(2, "0")}-01`;
}

function following(year: string): string {
  return String(Number(year) + 1).padStart(4, "0");
}
