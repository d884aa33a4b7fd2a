import fc from "fast-check";

import { accountNumberOf, isAccountNumber } from "./account.js";

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
