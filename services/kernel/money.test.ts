import {
  addMoney,
  allocate,
  compareMoney,
  formatMoney,
  maxInt64,
  money,
  moneyFromWire,
  moneyToWire,
  parseMoney,
  parseSignedMoney,
  subtractMoney,
} from "./money.js";

const refused = (code: string) => expect.objectContaining({ code });

describe("parseMoney", () => {
  test.each([
    ["25", "USD", 2500n],
    ["25.0", "USD", 2500n],
    ["25.000", "USD", 2500n],
    ["0", "USD", 0n],
    ["0.01", "USD", 1n],
    ["12", "JPY", 12n],
    ["12.000", "JPY", 12n],
    ["1.234", "KWD", 1234n],
    ["92233720368547758.07", "USD", maxInt64],
  ])("%s %s", (text, currency, minor) => {
    expect(parseMoney(text, currency)).toEqual({ minor, currency });
  });

  test.each(["", " ", "1 ", "+1", "-1", "1e2", "1E2", "NaN", "Infinity", "1,5", ".5", "5.", "01", "0x1", "١", "1_0"])(
    "refuses %p as bad input",
    (text) => {
      expect(() => parseMoney(text, "USD", "totalCheckOutAmount")).toThrow(
        expect.objectContaining({
          code: "INVALID_INPUT",
          details: { errors: [expect.objectContaining({ path: "totalCheckOutAmount" })] },
        }),
      );
    },
  );

  test("refuses decimals that the currency lacks rather than round them", () => {
    expect(() => parseMoney("25.001", "USD")).toThrow(refused("INVALID_INPUT"));
    expect(() => parseMoney("1.5", "JPY")).toThrow("at most 0 decimals in JPY");
    expect(() => parseMoney("1.0001", "KWD")).toThrow(refused("INVALID_INPUT"));
  });

  test("refuses one unit beyond int64, and text too long to be an amount", () => {
    expect(() => parseMoney("92233720368547758.08", "USD")).toThrow(refused("AMOUNT_TOO_LARGE"));
    expect(() => parseMoney("9".repeat(1_000_000), "USD")).toThrow(refused("INVALID_INPUT"));
  });

  test("refuses an unknown currency", () => {
    expect(() => parseMoney("1", "XAU")).toThrow(refused("INVALID_INPUT"));
  });
});

test("parseSignedMoney takes a minus", () => {
  expect(parseSignedMoney("-25.50", "USD").minor).toBe(-2550n);
  expect(parseSignedMoney("-92233720368547758.08", "USD").minor).toBe(-(2n ** 63n));
  expect(() => parseSignedMoney("-92233720368547758.09", "USD")).toThrow(refused("AMOUNT_TOO_LARGE"));
});

test("formatMoney prints exactly the currency's decimals", () => {
  expect(formatMoney(money(2500n, "USD"))).toBe("25.00");
  expect(formatMoney(money(-5n, "USD"))).toBe("-0.05");
  expect(formatMoney(money(25n, "JPY"))).toBe("25");
  expect(formatMoney(money(25n, "KWD"))).toBe("0.025");
});

describe("arithmetic", () => {
  test("adds, subtracts and compares one currency", () => {
    expect(addMoney(money(1n, "USD"), money(2n, "USD")).minor).toBe(3n);
    expect(subtractMoney(money(1n, "USD"), money(2n, "USD")).minor).toBe(-1n);
    expect(compareMoney(money(1n, "USD"), money(2n, "USD"))).toBe(-1);
    expect(compareMoney(money(2n, "USD"), money(2n, "USD"))).toBe(0);
    expect(compareMoney(money(3n, "USD"), money(2n, "USD"))).toBe(1);
  });

  test("refuses to mix currencies or to leave int64", () => {
    expect(() => addMoney(money(1n, "USD"), money(1n, "EUR"))).toThrow(refused("CURRENCY_MISMATCH"));
    expect(() => compareMoney(money(1n, "USD"), money(1n, "EUR"))).toThrow(refused("CURRENCY_MISMATCH"));
    expect(() => addMoney(money(maxInt64, "USD"), money(1n, "USD"))).toThrow(refused("AMOUNT_TOO_LARGE"));
    expect(() => subtractMoney(money(-maxInt64, "USD"), money(2n, "USD"))).toThrow(refused("AMOUNT_TOO_LARGE"));
    expect(() => money(maxInt64 + 1n, "USD")).toThrow(refused("AMOUNT_TOO_LARGE"));
    expect(() => money(1n, "ZZZ")).toThrow(refused("INVALID_INPUT"));
  });
});

describe("allocate", () => {
  test("gives the odd units to the largest remainders, the earlier first", () => {
    expect(allocate(money(100n, "USD"), [1n, 1n, 1n]).map((share) => share.minor)).toEqual([34n, 33n, 33n]);
    expect(allocate(money(101n, "USD"), [1n, 2n]).map((share) => share.minor)).toEqual([34n, 67n]);
    expect(allocate(money(-100n, "USD"), [1n, 1n, 1n]).map((share) => share.minor)).toEqual([-34n, -33n, -33n]);
    expect(allocate(money(5n, "JPY"), [0n, 1n, 0n]).map((share) => share.minor)).toEqual([0n, 5n, 0n]);
  });

  test("needs a weight above zero and none below", () => {
    expect(() => allocate(money(1n, "USD"), [])).toThrow(RangeError);
    expect(() => allocate(money(1n, "USD"), [0n])).toThrow(RangeError);
    expect(() => allocate(money(1n, "USD"), [2n, -1n])).toThrow(RangeError);
  });
});

test("the wire carries what it can hold", () => {
  expect(moneyToWire(money(5n, "USD"))).toEqual({ amountMinor: 5n, currency: "USD" });
  expect(moneyFromWire({ amountMinor: 5n, currency: "USD" }, "amount")).toEqual(money(5n, "USD"));
  expect(() => moneyToWire({ minor: maxInt64 + 1n, currency: "USD" })).toThrow(refused("AMOUNT_TOO_LARGE"));
  expect(() => moneyFromWire(undefined, "amount")).toThrow(refused("INVALID_INPUT"));
  expect(() => moneyFromWire({ amountMinor: 5n, currency: "" }, "amount")).toThrow(refused("INVALID_INPUT"));
});
