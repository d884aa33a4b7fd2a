import fc from "fast-check";

import { accountNumberOf, freezersAfter, isAccountNumber } from "./account.js";

const nineDigits = fc.integer({ min: 100_000_000, max: 999_999_999 }).map(String);

test("appends the Luhn check digit", () => {
  // Worked by hand: from the right 9 (doubled 18, so 9) 9 2 (4) 7 3 (6) 9 8 (16, so 7) 7 1 (2) sum
  // to 60: check digit 0.
  expect(accountNumberOf("178937299")).toBe("1789372990");
  // The same with a last digit of 8 (16, so 7) sums to 58: check digit 2.
  expect(accountNumberOf("178937298")).toBe("1789372982");
});

test("notices every single wrong digit, and every swap of neighbours but 09", () => {
  fc.assert(
    fc.property(nineDigits, fc.nat({ max: 9 }), fc.integer({ min: 1, max: 9 }), (payload, place, off) => {
      const number = accountNumberOf(payload);
      expect(isAccountNumber(number)).toBe(true);
      const digit = (Number(number[place]) + off) % 10;
      expect(isAccountNumber(number.slice(0, place) + digit + number.slice(place + 1))).toBe(false);
      const [a = "", b = ""] = number.slice(place, place + 2);
      if (b === "" || a === b || new Set([a, b, "0", "9"]).size === 2) return;
      expect(isAccountNumber(number.slice(0, place) + b + a + number.slice(place + 2))).toBe(false);
    }),
  );
});

test.each(["", "12345678", "1234567890123", "012345678", "abcdefghi"])("makes no number of %p", (text) => {
  expect(() => accountNumberOf(text)).toThrow(RangeError);
  expect(isAccountNumber(text)).toBe(false);
});

test("an account is frozen until the last who froze it lets go", () => {
  const frozenBy = (...who: string[]) => ({ status: "FROZEN" as const, frozenBy: who });
  expect(freezersAfter({ status: "ACTIVE" }, "block-1", true)).toEqual(["block-1"]);
  expect(freezersAfter(frozenBy("block-1"), "STAFF", true)).toEqual(["block-1", "STAFF"]);
  expect(freezersAfter(frozenBy("block-1", "STAFF"), "block-1", false)).toEqual(["STAFF"]);
  expect(freezersAfter(frozenBy("STAFF"), "STAFF", false)).toEqual([]);
  // Frozen before anybody noted by whom: by staff.
  expect(freezersAfter({ status: "FROZEN" }, "block-1", true)).toEqual(["STAFF", "block-1"]);
  for (const [account, who, frozen] of [
    [frozenBy("STAFF"), "STAFF", true],
    [frozenBy("STAFF"), "block-1", false],
    [{ status: "CLOSED" as const }, "STAFF", true],
  ] as const) {
    expect(freezersAfter(account, who, frozen)).toBeUndefined();
  }
});
