import { daysBehind } from "./days-behind.js";

const now = new Date("2026-11-21T00:30:00Z");

test.each([
  ["done today", ["2026-11-21"], 0],
  ["done yesterday, as where the day begins later", ["2026-11-20", "2026-11-21"], 1],
  ["one tenant stands still", ["2026-11-21", "2026-11-14", "2026-11-20"], 7],
  ["over the end of a month", ["2026-10-31"], 21],
  ["never done", ["2026-11-21", ""], 2],
  ["a sandbox whose date was moved on", ["2027-03-01"], 0],
  ["no tenant yet", [], 0],
])("%s", (_name, doneThrough, days) => {
  expect(daysBehind(doneThrough, now)).toBe(days);
});
