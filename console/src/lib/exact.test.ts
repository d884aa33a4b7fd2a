import fc from "fast-check";
import { difference, percentText, sum } from "./exact";

const cents = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
const text = (minor: bigint) => {
  const digits = (minor < 0n ? -minor : minor).toString().padStart(3, "0");
  return `${minor < 0n ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

test("sums and differences are those of the minor units, however large", () => {
  fc.assert(
    fc.property(cents, cents, (one, other) => {
      expect(sum(text(one), text(other))).toBe(text(one + other));
      expect(difference(text(one), text(other))).toBe(text(one - other));
    }),
  );
});

test.each([
  ["0.1", "0.2", "0.3"],
  ["25", "0.005", "25.005"],
  ["-0.50", "0.25", "-0.25"],
  ["0", "22.26", "22.26"],
])("%s and %s are %s", (one, other, both) => expect(sum(one, other)).toBe(both));

test.each([
  ["0.05", "5"],
  ["-0.0125", "-1.25"],
  ["1", "100"],
  ["0.1", "10"],
  ["0", "0"],
  ["0.056136354999", "5.6136354999"],
])("the fraction %s is %s percent", (fraction, percent) => {
  expect(percentText(fraction)).toBe(percent);
});
