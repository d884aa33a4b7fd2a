import { basisPoints, divideMoney, divideRounded, formatDecimal, multiplyMoney, parseDecimal } from "./decimal.js";
import { maxInt64, money } from "./money.js";

describe("parseDecimal", () => {
  test.each([
    ["1600", 1600n, 0, "1600"],
    ["1600.00", 1600n, 0, "1600"],
    ["0.00062500", 625n, 6, "0.000625"],
    ["1.5", 15n, 1, "1.5"],
    ["0", 0n, 0, "0"],
  ])("%s", (text, digits, scale, printed) => {
    expect(parseDecimal(text)).toEqual({ digits, scale });
    expect(formatDecimal(parseDecimal(text))).toBe(printed);
  });

  test.each(["", "-1", "+1", "1e3", ".5", "5.", "01", "NaN", "1,5", "1".repeat(41)])("refuses %p", (text) => {
    expect(() => parseDecimal(text, "rate")).toThrow(
      expect.objectContaining({
        code: "INVALID_INPUT",
        details: { errors: [expect.objectContaining({ path: "rate" })] },
      }),
    );
  });
});

describe("divideRounded", () => {
  // Columns of the usual rounding table (IEEE 754-2019 §4.3): the value in halves, then each rule's
  // answer.
  test.each([
    [5n, 2n, 3n, 2n, 3n],
    [3n, 2n, 2n, 1n, 2n],
    [1n, 0n, 1n, 0n, 1n],
    [-1n, 0n, -1n, 0n, -1n],
    [-3n, -2n, -2n, -1n, -2n],
    [4n, 2n, 2n, 2n, 2n],
  ])("%d halves", (halves, halfEven, halfUp, down, up) => {
    expect(divideRounded(halves, 2n, "half-even")).toBe(halfEven);
    expect(divideRounded(halves, 2n, "half-up")).toBe(halfUp);
    expect(divideRounded(halves, 2n, "down")).toBe(down);
    expect(divideRounded(halves, 2n, "up")).toBe(up);
  });

  test("decides by the whole remainder, not by its first digit", () => {
    expect(divideRounded(2_500_001n, 1_000_000n, "half-even")).toBe(3n);
    expect(divideRounded(2_499_999n, 1_000_000n, "half-up")).toBe(2n);
    expect(divideRounded(2_000_001n, 1_000_000n, "up")).toBe(3n);
  });
});

describe("rates", () => {
  test("multiply across currencies of different decimals", () => {
    expect(multiplyMoney(money(10_000n, "USD"), parseDecimal("1600.25"), "NGN", "half-even").minor).toBe(16_002_500n);
    expect(multiplyMoney(money(1_00n, "USD"), parseDecimal("149.5"), "JPY", "down").minor).toBe(149n);
    expect(multiplyMoney(money(149n, "JPY"), parseDecimal("0.00205"), "KWD", "half-up").minor).toBe(305n);
    expect(multiplyMoney(money(1_000n, "KWD"), parseDecimal("487.6"), "JPY", "up").minor).toBe(488n);
  });

  test("divide across currencies of different decimals", () => {
    expect(divideMoney(money(16_002_500n, "NGN"), parseDecimal("1600.25"), "USD", "half-even").minor).toBe(10_000n);
    expect(divideMoney(money(149n, "JPY"), parseDecimal("149.5"), "USD", "up").minor).toBe(100n);
    expect(() => divideMoney(money(1n, "JPY"), parseDecimal("0"), "USD", "up")).toThrow(RangeError);
  });

  test("refuse a result beyond int64 and a currency that is not usable", () => {
    const most = money(maxInt64, "USD");
    expect(() => multiplyMoney(most, parseDecimal("1.01"), "USD", "down")).toThrow(
      expect.objectContaining({ code: "AMOUNT_TOO_LARGE" }),
    );
    expect(() => multiplyMoney(money(1n, "USD"), parseDecimal("1"), "CLF", "down")).toThrow(
      expect.objectContaining({ code: "INVALID_INPUT" }),
    );
  });
});

test("basis points are hundredths of a percent", () => {
  expect(basisPoints(money(12_345n, "USD"), 150n, "half-even").minor).toBe(185n);
  expect(basisPoints(money(100n, "USD"), 50n, "half-even").minor).toBe(0n);
  expect(basisPoints(money(300n, "USD"), 50n, "half-even").minor).toBe(2n);
  expect(basisPoints(money(100n, "USD"), 50n, "half-up").minor).toBe(1n);
});
