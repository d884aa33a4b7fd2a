import { costOfCredit, singlePaymentUnits, unitPeriodsBetween } from "./apr.js";

const level = (amount: number, count: number, first: { units: number; days?: number; of?: number }) =>
  Array.from({ length: count }, (_each, at) => ({
    amountMinor: BigInt(Math.round(amount * 100)),
    units: first.units + at,
    fraction: { numerator: first.days ?? 0, denominator: first.of ?? 30 },
  }));
const apr = (advance: number, payments: ReturnType<typeof level>, w: string) =>
  costOfCredit(BigInt(advance * 100), payments, w)?.apr;

describe("Regulation Z (12 CFR 1026) Appendix J (c), published examples", () => {
  test("(1)(i) monthly payments, regular first period", () => {
    expect(apr(5_000, level(230, 24, { units: 1 }), "12")).toBe("9.69");
  });
  test("(1)(ii) monthly payments, long first period", () => {
    expect(apr(6_000, level(200, 36, { units: 1, days: 19, of: 30 }), "12")).toBe("11.82");
  });
  test("(1)(iii) semimonthly payments, short first period", () => {
    expect(apr(5_000, level(219.17, 24, { units: 0, days: 6, of: 15 }), "24")).toBe("10.34");
  });
  test("(1)(iv) quarterly payments, long first period", () => {
    expect(apr(10_000, level(385, 40, { units: 1, days: 39, of: 90 }), "4")).toBe("8.97");
  });
  test("(1)(v) weekly payments, long first period", () => {
    expect(apr(500, level(17.6, 30, { units: 4, days: 4, of: 7 }), "52")).toBe("14.96");
  });
  test("(5)(i) one payment after 255 days", () => {
    expect(apr(1_000, level(1_080, 1, { units: 1 }), (365 / 255).toFixed(12))).toBe("11.45");
  });
  test("(5)(ii) one payment after six months", () => {
    expect(apr(1_000, level(1_044, 1, { units: 1 }), "2")).toBe("8.80");
  });
  test("(5)(iii) one payment after a year and a half", () => {
    expect(apr(1_000, level(1_135.19, 1, { units: 1, days: 6, of: 12 }), "1")).toBe("8.76");
  });
  test("(5)(iv) one payment after two years", () => {
    expect(apr(1_000, level(1_240, 1, { units: 2 }), "1")).toBe("11.36");
  });
});

describe("unit-periods between dates, Appendix J (b)(5)", () => {
  const between = (from: string, to: string, frequency: Parameters<typeof unitPeriodsBetween>[2]) => {
    const { units, fraction } = unitPeriodsBetween(
      Temporal.PlainDate.from(from),
      Temporal.PlainDate.from(to),
      frequency,
    );
    return [units, fraction.numerator, fraction.denominator];
  };
  test("the examples' dates", () => {
    expect(between("1978-01-10", "1978-02-10", "MONTH")).toEqual([1, 0, 30]);
    expect(between("1978-02-10", "1978-04-01", "MONTH")).toEqual([1, 19, 30]);
    expect(between("1978-03-20", "1978-04-21", "WEEK")).toEqual([4, 4, 7]);
  });
  test("from a month's last day to another's are whole months", () => {
    expect(between("2026-01-31", "2026-02-28", "MONTH")).toEqual([1, 0, 30]);
    expect(between("2024-01-31", "2024-02-29", "MONTH")).toEqual([1, 0, 30]);
  });
});

describe("a single payment's term is its unit-period, at most a year, Appendix J (b)(4)(iv) and (b)(5)(v) to (vii)", () => {
  test.each([
    ["2026-11-22", "2026-12-22", "MONTHS", [1, 0, 12]],
    ["2026-11-22", "2026-12-22", "DAYS", [1, 0, 365 / 30]],
    ["2026-11-22", "2027-05-21", "MONTHS", [1, 0, 365 / 180]],
    ["1978-01-15", "1978-07-15", "MONTHS", [1, 0, 2]],
    ["2024-01-31", "2024-02-29", "MONTHS", [1, 0, 12]],
    ["2026-01-01", "2026-12-31", "DAYS", [1, 0, 365 / 364]],
    ["2026-01-01", "2027-01-01", "DAYS", [1, 0, 1]],
    ["2024-02-29", "2025-02-28", "DAYS", [1, 0, 1]],
    ["1978-01-15", "1979-07-15", "DAYS", [1, 6 / 12, 1]],
    ["2026-01-01", "2028-02-11", "DAYS", [2, 41 / 365, 1]],
  ] as const)("from %s to %s, interest by %s", (from, to, counts, expected) => {
    const [first, last] = [Temporal.PlainDate.from(from), Temporal.PlainDate.from(to)];
    const { units, fraction, unitsOfYear } = singlePaymentUnits(first, last, counts);
    const given = [units, fraction.numerator / fraction.denominator, unitsOfYear.toNumber()];
    expect(given).toEqual(expected.map((each) => expect.closeTo(each, 10)));
  });
});

test("the effective rate compounds: 12 % monthly is 12.68 % a year", () => {
  const cost = costOfCredit(
    10_000n,
    [{ amountMinor: 10_100n, units: 1, fraction: { numerator: 0, denominator: 30 } }],
    12,
  );
  expect(cost).toEqual({ apr: "12.00", effectiveRate: "12.68" });
});

test("free credit costs nothing, a gift is negative, and what nobody pays back has no rate", () => {
  const payment = (amountMinor: bigint) => [{ amountMinor, units: 1, fraction: { numerator: 0, denominator: 30 } }];
  expect(costOfCredit(10_000n, payment(10_000n), 12)?.apr).toBe("0.00");
  expect(costOfCredit(10_000n, payment(9_900n), 12)?.apr).toBe("-12.00");
  expect(costOfCredit(10_000n, [], 12)).toBeUndefined();
  expect(costOfCredit(0n, payment(10_000n), 12)).toBeUndefined();
});
