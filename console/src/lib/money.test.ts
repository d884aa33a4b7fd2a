import { grouped, typedAmount } from "./money";

test.each([
  ["0", "0", "0"],
  ["999.5", "999.5", "999,5"],
  ["1234.50", "1,234.50", "1\u202f234,50"],
  [
    "-98765432109876543210.123456789",
    "\u221298,765,432,109,876,543,210.123456789",
    "\u221298\u202f765\u202f432\u202f109\u202f876\u202f543\u202f210,123456789",
  ],
  ["no amount", "no amount", "no amount"],
])("%s is grouped digit by digit", (text, en, fr) => {
  expect([grouped(text, "en"), grouped(text, "fr")]).toEqual([en, fr]);
});

test.each([
  ["25", "25", "25"],
  ["25.00", "25.00", "25.00"],
  ["1,234.5", "1234.5", undefined],
  ["1 234,50", undefined, "1234.50"],
  ["1\u202f234", "1234", "1234"],
  ["12,5", undefined, "12.5"],
  // Not a thousandth of it, and not a thousand times it.
  ["1,234", "1234", "1.234"],
  ["1,234,567", "1234567", undefined],
  ["twelve", undefined, undefined],
  ["1,2,3", undefined, undefined],
  ["-5", undefined, undefined],
  ["05", undefined, undefined],
  ["1e3", undefined, undefined],
  ["", undefined, undefined],
])("%p is read as %p in English and %p in French", (typed, en, fr) => {
  expect([typedAmount(typed, "en"), typedAmount(typed, "fr")]).toEqual([en, fr]);
});
