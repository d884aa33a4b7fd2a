import { endOfTerm, nextDue, type PayoutInterval } from "./schedule.js";

const day = (text: string) => Temporal.PlainDate.from(text);
const due = (interval: PayoutInterval, after: string, maturity?: string) =>
  nextDue(day("2026-01-31"), maturity === undefined ? undefined : day(maturity), interval, day(after))?.toString();

test("interest is due by months that are counted from the start, so that a short month moves no later one", () => {
  expect(due("MONTH", "2026-01-31")).toBe("2026-02-28");
  expect(due("MONTH", "2026-02-28")).toBe("2026-03-31");
  expect(due("QUARTER", "2026-03-31")).toBe("2026-04-30");
  expect(due("HALF_YEAR", "2026-01-31")).toBe("2026-07-31");
  expect(due("YEAR", "2027-01-31")).toBe("2028-01-31");
});

test("nothing is due after the term has ended: its end comes first", () => {
  expect(due("MONTH", "2026-02-28", "2026-03-15")).toBe("2026-03-15");
  expect(due("MONTH", "2026-02-28", "2026-04-15")).toBe("2026-03-31");
  expect(due("MONTH", "2026-02-28", "2026-03-31")).toBe("2026-03-31");
  expect(due("YEAR", "2026-01-31", "2026-07-31")).toBe("2026-07-31");
});

test("at the end of the term alone, and never where it has none", () => {
  expect(due("AT_MATURITY", "2026-01-31", "2027-01-31")).toBe("2027-01-31");
  expect(due("AT_MATURITY", "2026-01-31")).toBeUndefined();
  expect(endOfTerm(day("2026-01-31"), { months: 1, days: 2 })?.toString()).toBe("2026-03-02");
  expect(endOfTerm(day("2026-01-31"), { months: 0, days: 0 })).toBeUndefined();
});
