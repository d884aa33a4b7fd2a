/** How days become parts of a year. Dates are plain: no time zone, no daylight saving. */
export const dayCounts = ["ACT_365", "ACT_360", "ACT_ACT", "THIRTY_360"] as const;
export type DayCount = (typeof dayCounts)[number];

/** An exact part of a year. */
export interface YearPart {
  readonly days: bigint;
  readonly ofDays: bigint;
}

/** Days from one date to another; negative when `to` comes first. */
export function daysBetween(from: Temporal.PlainDate, to: Temporal.PlainDate): number {
  return from.until(to, { largestUnit: "day" }).days;
}

/**
 * The part of a year from `from` to `to`, both within one period that began at `periodStart`: parts of a period add up to the
 * part of the whole. ACT_365 (Fixed), ACT_360 and ACT_ACT (ISDA: days of leap years over 366) count real days; THIRTY_360 is the European method,
 * 30E/360, which counts from the start of the period. Source: ISDA 2006 definitions, section 4.16.
 */
export function yearPart(
  dayCount: DayCount,
  periodStart: Temporal.PlainDate,
  from: Temporal.PlainDate,
  to: Temporal.PlainDate,
): YearPart {
  switch (dayCount) {
    case "ACT_365":
      return { days: BigInt(daysBetween(from, to)), ofDays: 365n };
    case "ACT_360":
      return { days: BigInt(daysBetween(from, to)), ofDays: 360n };
    case "THIRTY_360":
      return { days: BigInt(days30E(periodStart, to) - days30E(periodStart, from)), ofDays: 360n };
    case "ACT_ACT":
      return actualActual(from, to);
  }
}

/** Days by the European 30/360 method: the 31st counts as the 30th. */
export function days30E(from: Temporal.PlainDate, to: Temporal.PlainDate): number {
  const day = (date: Temporal.PlainDate) => Math.min(date.day, 30);
  return 360 * (to.year - from.year) + 30 * (to.month - from.month) + (day(to) - day(from));
}

const common = 365n * 366n;

function actualActual(from: Temporal.PlainDate, to: Temporal.PlainDate): YearPart {
  if (from.year === to.year) return { days: BigInt(daysBetween(from, to)), ofDays: BigInt(from.daysInYear) };
  let days = 0n;
  for (let start = from; Temporal.PlainDate.compare(start, to) < 0;) {
    const newYear = Temporal.PlainDate.from({ year: start.year + 1, month: 1, day: 1 });
    const end = earlier(newYear, to);
    days += BigInt(daysBetween(start, end)) * (common / BigInt(start.daysInYear));
    start = end;
  }
  return { days, ofDays: common };
}

/** The earlier of two dates. */
export function earlier(a: Temporal.PlainDate, b: Temporal.PlainDate): Temporal.PlainDate {
  return Temporal.PlainDate.compare(a, b) <= 0 ? a : b;
}

/** True when a is before b. */
export function isBefore(a: Temporal.PlainDate, b: Temporal.PlainDate): boolean {
  return Temporal.PlainDate.compare(a, b) < 0;
}
