import { daysBetween, dayCountConventions, yearFraction, type DayCountConvention } from "./day-count.js";

const day = (text: string) => Temporal.PlainDate.from(text);
const fraction = (from: string, to: string, by: DayCountConvention) => {
  const { numerator, denominator } = yearFraction(day(from), day(to), by);
  return Number(numerator) / Number(denominator);
};
const daysOf360 = (from: string, to: string, by: DayCountConvention) => {
  const { numerator, denominator } = yearFraction(day(from), day(to), by);
  expect(denominator).toBe(360n);
  return Number(numerator);
};

describe("ISDA, 30/360 day count conventions (isda.org, 22 December 2008)", () => {
  // [from, to, 30/360 bond basis, 30E/360]
  test.each([
    // Example 1: end dates do not involve the last day of February.
    ["2006-08-20", "2007-02-20", 180, 180],
    ["2007-02-20", "2007-08-20", 180, 180],
    ["2008-02-20", "2008-08-20", 180, 180],
    ["2008-08-20", "2009-02-20", 180, 180],
    // Example 2: end dates include some ends of February.
    ["2006-08-31", "2007-02-28", 178, 178],
    ["2007-02-28", "2007-08-31", 183, 182],
    ["2007-08-31", "2008-02-29", 179, 179],
    ["2008-02-29", "2008-08-31", 182, 181],
    ["2008-08-31", "2009-02-28", 178, 178],
    ["2009-02-28", "2009-08-31", 183, 182],
    // Example 3: miscellaneous.
    ["2006-01-31", "2006-02-28", 28, 28],
    ["2006-01-30", "2006-02-28", 28, 28],
    ["2006-02-28", "2006-03-03", 5, 5],
    ["2006-02-14", "2006-02-28", 14, 14],
    ["2006-09-30", "2006-10-31", 30, 30],
    ["2006-10-31", "2006-11-28", 28, 28],
    ["2007-08-31", "2008-02-28", 178, 178],
    ["2008-02-28", "2008-08-28", 180, 180],
    ["2008-02-28", "2008-08-30", 182, 182],
    ["2008-02-28", "2008-08-31", 183, 182],
    ["2007-02-26", "2008-02-28", 362, 362],
    ["2007-02-26", "2008-02-29", 363, 363],
    ["2008-02-29", "2009-02-28", 359, 359],
    ["2008-02-28", "2008-03-30", 32, 32],
    ["2008-02-28", "2008-03-31", 33, 32],
  ])("%s to %s has %d days by bond basis, %d by 30E/360", (from, to, bondBasis, european) => {
    expect(daysOf360(from, to, "30/360 BOND BASIS")).toBe(bondBasis);
    expect(daysOf360(from, to, "30E/360")).toBe(european);
  });
});

test("bond basis: a last 31st counts as a 30th only where the period begins on a 30th or 31st", () => {
  expect(daysOf360("2026-01-31", "2026-03-31", "30/360 BOND BASIS")).toBe(60);
  expect(daysOf360("2026-01-15", "2026-01-31", "30/360 BOND BASIS")).toBe(16);
  expect(daysOf360("2026-02-28", "2026-03-31", "30/360 BOND BASIS")).toBe(33);
});

test("30E/360: a 31st counts as a 30th, every year has 360 days, and parts add up to the whole", () => {
  expect(daysOf360("2025-01-31", "2025-03-31", "30E/360")).toBe(60);
  expect(daysOf360("2025-01-31", "2026-01-31", "30E/360")).toBe(360);
  const parts = daysOf360("2025-01-15", "2025-01-31", "30E/360") + daysOf360("2025-01-31", "2025-03-05", "30E/360");
  expect(parts).toBe(daysOf360("2025-01-15", "2025-03-05", "30E/360"));
});

// Interest of each period on 10,000 at 10 %, as the paper gives it.
test.each([
  ["semi-annual", "2003-11-01", "2004-05-01", 61 / 365 + 121 / 366, 497.72],
  ["a short first period", "1999-02-01", "1999-07-01", 150 / 365, 410.96],
  ["the year after it", "1999-07-01", "2000-07-01", 184 / 365 + 182 / 366, 1001.38],
  ["a long first period", "2002-08-15", "2003-07-15", 334 / 365, 915.07],
  ["the half-year after it", "2003-07-15", "2004-01-15", 170 / 365 + 14 / 366, 504.0],
  ["the half-year before a short last period", "1999-07-30", "2000-01-30", 155 / 365 + 29 / 366, 503.89],
  ["a short last period", "2000-01-30", "2000-06-30", 152 / 366, 415.3],
])("ACT/ACT ISDA: EMU and market conventions (ISDA, 1998), %s", (_name, from, to, expected, interest) => {
  expect(fraction(from, to, "ACT/ACT ISDA")).toBeCloseTo(expected, 12);
  expect(fraction(from, to, "ACT/ACT ISDA") * 1_000).toBeCloseTo(interest, 2);
});

test("ACT/ACT ISDA is exact: 61/365 + 121/366 over 365 × 366", () => {
  expect(yearFraction(day("2003-11-01"), day("2004-05-01"), "ACT/ACT ISDA")).toEqual({
    numerator: 61n * 366n + 121n * 365n,
    denominator: 365n * 366n,
  });
});

test("ACT/ACT ISDA over several years has every year's own days", () => {
  expect(fraction("2023-07-01", "2025-07-01", "ACT/ACT ISDA")).toBeCloseTo(184 / 365 + 1 + 181 / 365, 12);
});

test("the same half-year by the other conventions: 182 days of 365 or 360, six months of 30 days", () => {
  expect(fraction("2003-11-01", "2004-05-01", "ACT/365 FIXED")).toBeCloseTo(182 / 365, 12);
  expect(fraction("2003-11-01", "2004-05-01", "ACT/360")).toBeCloseTo(182 / 360, 12);
  expect(fraction("2003-11-01", "2004-05-01", "30/360 BOND BASIS")).toBe(0.5);
  expect(fraction("2003-11-01", "2004-05-01", "30E/360")).toBe(0.5);
});

test("a leap year is 366/365 of a year by ACT/365 Fixed and 366/360 by ACT/360: the denominator never changes", () => {
  expect(yearFraction(day("2024-01-01"), day("2025-01-01"), "ACT/365 FIXED")).toEqual({
    numerator: 366n,
    denominator: 365n,
  });
  expect(yearFraction(day("2024-01-01"), day("2025-01-01"), "ACT/360")).toEqual({ numerator: 366n, denominator: 360n });
});

test.each(dayCountConventions)("no time is no part of a year: %s", (by) => {
  for (const on of ["2024-02-29", "2025-01-31", "2025-12-31"]) {
    expect(yearFraction(day(on), day(on), by).numerator).toBe(0n);
  }
});

test("days are calendar days: no clock change makes one longer or shorter", () => {
  expect(daysBetween(day("2026-03-28"), day("2026-03-30"))).toBe(2);
  expect(daysBetween(day("2026-10-24"), day("2026-10-26"))).toBe(2);
  expect(daysBetween(day("2026-10-26"), day("2026-10-24"))).toBe(-2);
});
