import { shareDividend, unitDays, type Dividend, type DividendShare } from "./dividend.js";
import { dividendMovement } from "./movement.js";

const day = (text: string) => Temporal.PlainDate.from(text);
const usd = (minor: bigint) => ({ minor, currency: "USD" });

// Source of the weights: Apache Fineract, ShareProductDividendAssembler.calculateNumberOfShareDays.
test("units weigh by the days they were held within the period", () => {
  const [from, to] = [day("2025-01-01"), day("2025-04-01")];
  const held = (...rows: [string, bigint][]) => rows.map(([date, units]) => ({ from: day(date), units }));
  expect(unitDays(held(["2024-06-01", 10n]), from, to)).toBe(900n);
  expect(unitDays(held(["2025-03-02", 10n]), from, to)).toBe(300n);
  expect(unitDays(held(["2024-06-01", 10n], ["2025-02-01", 4n]), from, to)).toBe(10n * 31n + 4n * 59n);
  expect(unitDays(held(["2024-06-01", 10n], ["2024-12-01", 0n]), from, to)).toBe(0n);
  expect(unitDays(held(["2025-04-01", 10n]), from, to)).toBe(0n);
  expect(unitDays(held(["2025-01-10", 10n], ["2025-01-10", 6n]), from, to)).toBe(6n * 81n);
});

test("shares of a dividend add up to the cent where amounts per unit-day would not", () => {
  // 100.00 over three equal holders: 33.33 each loses a cent, and so would Fineract's amount per
  // share-day.
  const shares = shareDividend(usd(100_00n), [900n, 900n, 900n])!;
  expect(shares.map(({ minor }) => minor)).toEqual([33_34n, 33_33n, 33_33n]);
  const weights = Array.from({ length: 997 }, (_, index) => BigInt((index * 7919) % 1_009));
  const many = shareDividend(usd(1_234_567_89n), weights)!;
  expect(many.reduce((sum, { minor }) => sum + minor, 0n)).toBe(1_234_567_89n);
});

test("the largest remainders get the cents", () => {
  // 10.00 over 5:3:1 unit-days: 5.555…, 3.333…, 1.111…
  expect(shareDividend(usd(10_00n), [5n, 3n, 1n])!.map(({ minor }) => minor)).toEqual([5_56n, 3_33n, 1_11n]);
});

test("nobody who held nothing gets anything", () => {
  expect(shareDividend(usd(1n), [0n, 0n])).toBeUndefined();
  expect(shareDividend(usd(1_00n), [0n, 5n])!.map(({ minor }) => minor)).toEqual([0n, 1_00n]);
});

test("a statement tells of a dividend, of its tax and of what was paid of it", () => {
  const share = { holdingId: "h", amount: usd(42_86n), taxMinor: 6_43n } as DividendShare;
  const dividend = { to: day("2025-04-01") } as Dividend;
  const line = { incomeMinor: 42_86n, taxMinor: 6_43n, paidMinor: 36_43n, unitsAfter: 3n, principalAfterMinor: 300n };
  expect(dividendMovement(dividend, share, new Date(0), { units: 3n, principalMinor: 300n })).toMatchObject(line);
});
