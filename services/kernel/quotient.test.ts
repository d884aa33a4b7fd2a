import fc from "fast-check";
import { parseDecimal, type Decimal } from "./decimal.js";
import { quotientText } from "./quotient.js";

const of = (a: string, b: string, digits = 12) => quotientText(parseDecimal(a), parseDecimal(b), digits);

// Quotients to 30 digits by bc, rounded by hand.
test.each([
  ["1", "3", "0.333333333333"],
  ["2", "3", "0.666666666667"],
  ["1782", "1.1", "1620"],
  ["161.05", "1.0866", "148.214614394"],
  ["1.0866", "161.05", "0.00674697298975"],
  ["1", "1", "1"],
  ["123456789012345", "1", "123456789012000"],
  ["0.000001", "40000", "0.000000000025"],
])("%s by %s is %s", (a, b, expected) => {
  expect(of(a, b)).toBe(expected);
});

test("what lies half-way goes to the even digit", () => {
  expect(of("1.25", "1", 2)).toBe("1.2");
  expect(of("1.35", "1", 2)).toBe("1.4");
  expect(of("9.995", "1", 3)).toBe("10");
});

test("a quotient is no further from the exact one than half of its last digit", () => {
  const positive = fc
    .tuple(fc.bigInt({ min: 1n, max: 10n ** 15n }), fc.integer({ min: 0, max: 10 }))
    .map(([digits, scale]): Decimal => ({ digits, scale }));
  fc.assert(
    fc.property(positive, positive, (a, b) => {
      const text = quotientText(a, b, 12);
      const { digits, scale } = parseDecimal(text);
      const significant = digits.toString().replace(/0+$/, "").length;
      expect(significant).toBeLessThanOrEqual(12);
      // |q - a/b| <= q * 5e-12, over whole numbers.
      const exact = a.digits * 10n ** BigInt(b.scale) * 10n ** BigInt(scale);
      const found = digits * b.digits * 10n ** BigInt(a.scale);
      const difference = exact > found ? exact - found : found - exact;
      expect(difference * 10n ** 12n <= found * 5n).toBe(true);
    }),
  );
});
