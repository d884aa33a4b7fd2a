import { dayCountFromWire, dayCountToWire } from "./day-count.js";

test.each([
  ["THIRTY_360", "30/360 BOND BASIS"],
  ["ACTUAL_360", "ACT/360"],
  ["ACTUAL_365", "ACT/365 FIXED"],
  ["ACTUAL_ACTUAL", "ACT/ACT ISDA"],
] as const)("a loan's %s is %s, and is answered by the same word", (word, convention) => {
  expect(dayCountFromWire(word, "dayCount")).toBe(convention);
  expect(dayCountToWire(convention)).toBe(word);
});

test("any other word is refused, naming the known ones", () => {
  const known = "THIRTY_360, ACTUAL_360, ACTUAL_365, ACTUAL_ACTUAL";
  for (const word of ["", "ACT_365", "30E/360", "30/360 BOND BASIS"]) {
    expect(() => dayCountFromWire(word, "product.dayCount")).toThrow(`must be one of ${known}`);
  }
});
