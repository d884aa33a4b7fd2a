import { parseDecimal } from "../../kernel/decimal.js";
import {
  countInterest,
  interestMinor,
  interestOfTerm,
  payInterest,
  splitInterest,
  startInterest,
  type Compounding,
  type InvestmentDayCount,
} from "./interest.js";

const day = (text: string) => Temporal.PlainDate.from(text);
const terms = (ratePercent: string, compounding: Compounding, dayCount: InvestmentDayCount) => ({
  ratePercent: parseDecimal(ratePercent),
  compounding,
  dayCount,
});

// Source: the spreadsheet functions FV(rate / n; n × years; 0; -principal); 30/360 makes every
// month and quarter an equal part of the year.
test.each<[string, string, Compounding, bigint, string, string, bigint]>([
  [
    "quarterly, 15,000 at 5 % for 2 years (easycalculation.com, fixed deposit: 16,567.29)",
    "5",
    "QUARTER",
    15_000_00n,
    "2024-01-01",
    "2026-01-01",
    1_567_29n,
  ],
  [
    "yearly, 5,000 at 8 % for 5 years (onlinecalculator1.com, FD: 7,346)",
    "8",
    "YEAR",
    5_000_00n,
    "2020-01-01",
    "2025-01-01",
    2_346_64n,
  ],
  [
    "quarterly, 10,000 at 10 % for 3 years (Apache Fineract, FINERACT-1964: 13,449 approximately)",
    "10",
    "QUARTER",
    10_000_00n,
    "2024-03-13",
    "2027-03-13",
    3_448_89n,
  ],
  [
    "monthly, 10,000 at 5 % for a year (FINERACT-1964, by the formula of ICICI bank: 10,511.6)",
    "5",
    "MONTH",
    10_000_00n,
    "2024-02-07",
    "2025-02-07",
    511_62n,
  ],
  ["monthly, 1,000 at 5 % for 10 years (FV: 1,647.01)", "5", "MONTH", 1_000_00n, "2015-03-01", "2025-03-01", 647_01n],
])("compounds a fixed deposit %s", (_name, rate, compounding, principal, from, to, interest) => {
  expect(interestOfTerm(principal, terms(rate, compounding, "30E/360"), day(from), day(to))).toBe(interest);
});

// Source: Apache Fineract, FixedDepositTest.testMaturityAmountFor…Compounding…_With_365_Days /
// _360_Days and testFixedDepositWith…Compounding…: interest of a period is balance × rate × days ÷
// days in the year, and joins the balance at its end. Here 100,000 at 6 % from 1 January 2025,
// computed by that rule with 50 digits and rounded once, at the end.
test.each<[Compounding, InvestmentDayCount, string, bigint]>([
  ["MONTH", "ACT/365 FIXED", "2026-03-01", 7_199_94n],
  ["MONTH", "ACT/360", "2026-03-01", 7_303_25n],
  ["DAY", "ACT/365 FIXED", "2026-03-01", 7_217_89n],
  ["DAY", "ACT/360", "2026-03-01", 7_321_71n],
  ["QUARTER", "ACT/365 FIXED", "2026-01-01", 6_136_35n],
  ["QUARTER", "ACT/360", "2026-01-01", 6_223_52n],
  ["HALF_YEAR", "ACT/365 FIXED", "2026-01-01", 6_089_99n],
  ["HALF_YEAR", "ACT/360", "2026-01-01", 6_175_84n],
])("compounds as Fineract's fixed deposits do: %s, %s until %s", (compounding, dayCount, to, interest) => {
  expect(interestOfTerm(100_000_00n, terms("6", compounding, dayCount), day("2025-01-01"), day(to))).toBe(interest);
});

test("simple interest: 10,000 at 6 % for 90 days is 147.95 (365), 150.00 (360)", () => {
  const until = day("2025-01-01").add({ days: 90 });
  expect(interestOfTerm(10_000_00n, terms("6", "NONE", "ACT/365 FIXED"), day("2025-01-01"), until)).toBe(147_95n);
  expect(interestOfTerm(10_000_00n, terms("6", "NONE", "ACT/360"), day("2025-01-01"), until)).toBe(150_00n);
});

test.each<Compounding>(["NONE", "DAY", "MONTH", "QUARTER", "HALF_YEAR", "YEAR"])(
  "counting day by day is the same as at once, in every day count: %s",
  (compounding) => {
    for (const dayCount of ["ACT/365 FIXED", "ACT/360", "ACT/ACT ISDA", "30E/360"] as const) {
      const how = terms("7.3125", compounding, dayCount);
      const [from, to] = [day("2023-01-31"), day("2025-03-05")];
      let daily = startInterest(from);
      for (let date = from; !date.equals(to); date = date.add({ days: 1 })) {
        const next = countInterest(12_345_67n, how, daily, date.add({ days: 1 }));
        expect(interestMinor(next)).toBeGreaterThanOrEqual(interestMinor(daily));
        daily = next;
      }
      expect(interestMinor(daily)).toBe(interestOfTerm(12_345_67n, how, from, to));
    }
  },
);

test("payments that are rounded lose nothing: twelve months add up to the year", () => {
  const how = terms("5", "NONE", "ACT/365 FIXED");
  let state = startInterest(day("2025-01-01"));
  let paid = 0n;
  for (let month = 1; month <= 12; month++) {
    state = countInterest(1_000_01n, how, state, day("2025-01-01").add({ months: month }));
    paid += interestMinor(state);
    state = payInterest(state, interestMinor(state));
  }
  expect(paid).toBe(interestOfTerm(1_000_01n, how, day("2025-01-01"), day("2026-01-01")));
});

test("a part that leaves with its interest leaves the rest what it would have earned alone", () => {
  const how = terms("6", "MONTH", "ACT/365 FIXED");
  const start = day("2025-01-01");
  const whole = countInterest(90_000_00n, how, startInterest(start), day("2025-06-15"));
  const share = interestMinor(whole) / 3n;
  const rest = countInterest(60_000_00n, how, splitInterest(whole, share, 2n, 3n), day("2026-01-01"));
  const alone = interestOfTerm(60_000_00n, how, start, day("2026-01-01"));
  expect(interestMinor(rest) - alone).toBeGreaterThanOrEqual(-1n);
  expect(interestMinor(rest) - alone).toBeLessThanOrEqual(1n);
});
