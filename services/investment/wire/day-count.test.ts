import { dayCountFromWire, dayCountToWire } from "./day-count.js";

test.each([
  ["ACT_365", "ACT/365 FIXED"],
  ["ACT_360", "ACT/360"],
  ["ACT_ACT", "ACT/ACT ISDA"],
  ["THIRTY_360", "30E/360"],
] as const)("an investment's %s is %s, and is answered by the same word", (word, convention) => {
  expect(dayCountFromWire(word, "dayCount")).toBe(convention);
  expect(dayCountToWire(convention)).toBe(word);
});

test("any other word is refused, naming the known ones", () => {
  const known = "ACT_365, ACT_360, ACT_ACT, THIRTY_360";
  for (const word of ["", "ACTUAL_365", "30E/360", "30/360 BOND BASIS"]) {
    expect(() => dayCountFromWire(word, "dayCount")).toThrow(`must be one of ${known}`);
  }
});
