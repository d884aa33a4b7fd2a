/** How days become a fraction of a year. */
export const dayCounts = ["THIRTY_360", "ACTUAL_360", "ACTUAL_365", "ACTUAL_ACTUAL"] as const;
export type DayCount = (typeof dayCounts)[number];

/** An exact fraction; the denominator is above zero. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** Whole days from one date to another; negative when `to` is before `from`. */
export function daysBetween(from: Temporal.PlainDate, to: Temporal.PlainDate): number {
  return epochDay(to) - epochDay(from);
}

/** Days since 1970-01-01 of an ISO date: reads no calendar, since a day's accrual asks for it hundreds of thousands of times. */
export function epochDayOf(date: string): number {
  return Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)) - 1, Number(date.slice(8, 10))) / 86_400_000;
}

/** The ISO date of such a day. */
export function dateOfEpochDay(day: number): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10);
}

// Much faster than until(), which a schedule of 360 instalments asks for hundreds of times.
function epochDay({ year, month, day }: Temporal.PlainDate): number {
  return Date.UTC(year, month - 1, day) / 86_400_000;
}

/**
 * The part of a year that lies between two dates, exact.
 * THIRTY_360 is bond basis (2006 ISDA Definitions 4.16(f)); ACTUAL_360 4.16(e); ACTUAL_365 is fixed, 4.16(d); ACTUAL_ACTUAL is ISDA's, 4.16(b):
 * days in leap years count a 366th, others a 365th.
 */
export function yearFraction(from: Temporal.PlainDate, to: Temporal.PlainDate, dayCount: DayCount): Fraction {
  switch (dayCount) {
    case "THIRTY_360":
      return { numerator: BigInt(days360(from, to)), denominator: 360n };
    case "ACTUAL_360":
      return { numerator: BigInt(daysBetween(from, to)), denominator: 360n };
    case "ACTUAL_365":
      return { numerator: BigInt(daysBetween(from, to)), denominator: 365n };
    case "ACTUAL_ACTUAL":
      return actualActual(from, to);
  }
}

function days360(from: Temporal.PlainDate, to: Temporal.PlainDate): number {
  const first = from.day === 31 ? 30 : from.day;
  const last = to.day === 31 && first === 30 ? 30 : to.day;
  return 360 * (to.year - from.year) + 30 * (to.month - from.month) + (last - first);
}

function actualActual(from: Temporal.PlainDate, to: Temporal.PlainDate): Fraction {
  let [leap, common] = [0, 0];
  for (let at = from; at.year <= to.year;) {
    const nextYear = at.with({ month: 1, day: 1 }).add({ years: 1 });
    const until = at.year === to.year ? to : nextYear;
    if (at.inLeapYear) leap += daysBetween(at, until);
    else common += daysBetween(at, until);
    at = nextYear;
  }
  return { numerator: BigInt(leap) * 365n + BigInt(common) * 366n, denominator: 365n * 366n };
}
