/**
 * Day count conventions of the 2006 ISDA Definitions, section 4.16: ACT/ACT ISDA (b), ACT/365 Fixed
 * (d), ACT/360 (e), 30/360 Bond Basis (f), 30E/360 (g). The last two differ where a period ends on
 * a 31st and began before a 30th.
 */
export const dayCountConventions = [
  "ACT/ACT ISDA",
  "ACT/365 FIXED",
  "ACT/360",
  "30/360 BOND BASIS",
  "30E/360",
] as const;
export type DayCountConvention = (typeof dayCountConventions)[number];

/** An exact fraction; the denominator is above zero. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/**
 * The exact part of a year from one date to a later one. All fractions of one convention have one
 * denominator. Dates are plain: no time zone makes a day longer or shorter.
 */
export function yearFraction(from: Temporal.PlainDate, to: Temporal.PlainDate, by: DayCountConvention): Fraction {
  switch (by) {
    case "ACT/ACT ISDA":
      return actualActual(from, to);
    case "ACT/365 FIXED":
      return { numerator: BigInt(daysBetween(from, to)), denominator: 365n };
    case "ACT/360":
      return { numerator: BigInt(daysBetween(from, to)), denominator: 360n };
    case "30/360 BOND BASIS":
      return { numerator: BigInt(daysBondBasis(from, to)), denominator: 360n };
    case "30E/360":
      return { numerator: BigInt(days30E(from, to)), denominator: 360n };
  }
}

/** Whole days from one date to another; negative when `to` is before `from`. */
export function daysBetween(from: Temporal.PlainDate, to: Temporal.PlainDate): number {
  return epochDay(to) - epochDay(from);
}

// A schedule of 360 instalments asks for it hundreds of times, and until() is much slower.
function epochDay({ year, month, day }: Temporal.PlainDate): number {
  return Date.UTC(year, month - 1, day) / 86_400_000;
}

/**
 * The first 31st counts as a 30th; the last one does only in a period that begins on a 30th or
 * 31st.
 */
function daysBondBasis(from: Temporal.PlainDate, to: Temporal.PlainDate): number {
  const first = Math.min(from.day, 30);
  const last = first === 30 ? Math.min(to.day, 30) : to.day;
  return days360(from, to) + last - first;
}

/** Each 31st counts as a 30th, so that parts of a period add up to the whole. */
function days30E(from: Temporal.PlainDate, to: Temporal.PlainDate): number {
  return days360(from, to) + Math.min(to.day, 30) - Math.min(from.day, 30);
}

/** Days of the years and months between two dates, of 30 a month. */
function days360(from: Temporal.PlainDate, to: Temporal.PlainDate): number {
  return 360 * (to.year - from.year) + 30 * (to.month - from.month);
}

/** Days in leap years count a 366th each, all others a 365th. */
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
