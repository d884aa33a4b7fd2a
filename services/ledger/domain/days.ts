import type { NewTransfer } from "./model.js";

/** A day of the business calendar: days since 1970-01-01. */
export type Day = number;

/** How a tenant counts days. */
export interface Calendar {
  /** IANA name. */
  readonly timeZone: string;
  /** By how much its business clock is ahead of real time, ms: a sandbox's is moved on. */
  readonly aheadMs: number;
}

/** The day that a transfer counts for, and its own where that was closed already. */
export interface CountedDay {
  readonly day: Day;
  readonly belongsTo?: Day;
}

/** How the transfers of one commit count. */
export interface DayCount {
  /** The business day of the commit. */
  readonly today: Day;
  of(requested: NewTransfer): CountedDay;
}

interface ZoneDay {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly day: Day;
}

const dayMs = 86_400_000;
const dayForm = /^\d{4}-\d{2}-\d{2}$/;
const maxKnownDays = 8;
// A pure function's memory: most transfers of a tenant lie on the same few days.
const knownDays = new Map<string, ZoneDay[]>();
// Likewise: transfers of a day follow each other.
let lastText = { day: 0, text: "1970-01-01" };

/** The day of UTC that a time (ms since 1970) lies in. */
export function dayOf(timeMs: number): Day {
  return Math.floor(timeMs / dayMs);
}

/** The day that a time (ms since 1970) lies in, in a time zone. RangeError for an unknown zone. */
export function dayIn(timeZone: string, timeMs: number): Day {
  if (timeZone === "UTC") return dayOf(timeMs);
  const known = knownDays.get(timeZone) ?? [];
  const found = known.find(({ fromMs, untilMs }) => timeMs >= fromMs && timeMs < untilMs);
  if (found !== undefined) return found.day;
  const at = Temporal.Instant.fromEpochMilliseconds(timeMs).toZonedDateTimeISO(timeZone).startOfDay();
  const untilMs = at.add({ days: 1 }).startOfDay().epochMilliseconds;
  const day = dayOf(Date.UTC(at.year, at.month - 1, at.day));
  knownDays.set(timeZone, [{ fromMs: at.epochMilliseconds, untilMs, day }, ...known].slice(0, maxKnownDays));
  return day;
}

/** A time that lies in the day, in a time zone whose clocks may change that day, ms since 1970. */
export function noonIn(timeZone: string, day: Day): number {
  return Temporal.PlainDate.from(dayText(day)).toZonedDateTime({ timeZone, plainTime: "12:00" }).epochMilliseconds;
}

/** The first moment of a day in a time zone, ms since 1970. */
export function startIn(timeZone: string, day: Day): number {
  return Temporal.PlainDate.from(dayText(day)).toZonedDateTime(timeZone).epochMilliseconds;
}

/** The business day of a real time (ms since 1970). */
export function businessDay({ timeZone, aheadMs }: Calendar, timeMs: number): Day {
  return dayIn(timeZone, timeMs + aheadMs);
}

/**
 * How what is posted at a real time counts: for the day it is effective on, else for the business
 * day; where that is closed, for the first that is open.
 */
export function countDays(calendar: Calendar, closedThrough: Day | undefined, timeMs: number): DayCount {
  const today = businessDay(calendar, timeMs);
  return {
    today,
    of({ effectiveAtMs }) {
      const own = effectiveAtMs === undefined ? today : dayIn(calendar.timeZone, effectiveAtMs);
      if (closedThrough === undefined || own > closedThrough) return { day: own };
      return { day: closedThrough + 1, belongsTo: own };
    },
  };
}

/** "2026-11-30". */
export function dayText(day: Day): string {
  if (lastText.day !== day) lastText = { day, text: new Date(day * dayMs).toISOString().slice(0, 10) };
  return lastText.text;
}

/**
 * The day of a text such as "2026-11-30"; undefined for anything else, also for days that no
 * calendar has.
 */
export function parseDay(text: string): Day | undefined {
  if (!dayForm.test(text)) return undefined;
  const timeMs = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(timeMs) || dayText(dayOf(timeMs)) !== text) return undefined;
  return dayOf(timeMs);
}
