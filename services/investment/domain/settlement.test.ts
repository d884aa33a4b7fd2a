import { parseDecimal } from "../../kernel/decimal.js";
import { newHolding, type Holding } from "./holding.js";
import type { ProductVersion } from "./product.js";
import { rateFor } from "./product.js";
import { paidMinor, planDue, planRedemption } from "./settlement.js";

const day = (text: string) => Temporal.PlainDate.from(text);
const product = (given: Partial<ProductVersion> = {}): ProductVersion => ({
  productId: "p",
  version: 1,
  name: "Fixed deposit",
  description: "",
  currency: "USD",
  unitPriceMinor: 100_00n,
  unitsOffered: 1_000n,
  minimumUnits: 1n,
  maximumUnitsPerCustomer: 1_000n,
  tiers: [{ fromMinor: 0n, ratePercent: parseDecimal("6") }],
  compounding: "NONE",
  dayCount: "ACT/365 FIXED",
  term: { months: 12, days: 0 },
  lockInDays: 0,
  penalty: { kind: "NONE" },
  payout: "AT_MATURITY",
  reinvestment: "NONE",
  withholdingTaxBps: 1_000,
  status: "OPEN",
  ...given,
});
const holding = (from: ProductVersion, units = 100n): Holding =>
  newHolding(
    from,
    { holdingId: "h", applicationId: "a", customerId: "c", walletAccountId: "w", units },
    day("2025-01-01"),
  );
const after = (held: Holding, change: Partial<Holding>): Holding => ({ ...held, ...change });

test("maturity pays principal and interest less the tax withheld", () => {
  const { figures, after: ended } = planDue(holding(product()), product());
  expect(figures).toMatchObject({
    kind: "MATURITY",
    principalMinor: 10_000_00n,
    interestMinor: 600_00n,
    taxMinor: 60_00n,
  });
  expect(paidMinor(figures)).toBe(10_540_00n);
  expect(ended).toMatchObject({ status: "MATURED", units: 0n, principalMinor: 0n, accruedMinor: 0n });
});

test("a term that begins anew has the principal, or the principal with its interest after tax", () => {
  const principal = product({ reinvestment: "PRINCIPAL" });
  const first = planDue(holding(principal), principal);
  expect([first.figures.kind, paidMinor(first.figures), first.after.principalMinor]).toEqual([
    "ROLLOVER",
    540_00n,
    10_000_00n,
  ]);
  const all = product({ reinvestment: "ALL" });
  const second = planDue(holding(all), all);
  expect([second.figures.reinvestedMinor, paidMinor(second.figures), second.after.principalMinor]).toEqual([
    540_00n,
    0n,
    10_540_00n,
  ]);
  expect(second.after.maturity?.toString()).toBe("2027-01-01");
});

test("interest paid each month adds up to that of the year, and the last month is the maturity", () => {
  const monthly = product({ payout: "MONTH" });
  let held = holding(monthly);
  const kinds: string[] = [];
  let interest = 0n;
  while (held.status === "ACTIVE") {
    const { figures, after: next } = planDue(held, monthly);
    kinds.push(`${figures.kind} ${figures.date.toString()}`);
    interest += figures.interestMinor;
    held = after(held, next);
  }
  expect(kinds).toHaveLength(12);
  expect([kinds[0], kinds.at(-1)]).toEqual(["PAYOUT 2025-02-01", "MATURITY 2026-01-01"]);
  expect(interest).toBe(600_00n);
});

test("parts redeemed one after the other add up to the whole", () => {
  const plain = product({ unitPriceMinor: 33_33n, withholdingTaxBps: 0 });
  const whole = planRedemption(holding(plain, 7n), plain, 7n, day("2025-07-02")).figures;
  let held = holding(plain, 7n);
  let [principal, interest] = [0n, 0n];
  for (const units of [1n, 2n, 4n]) {
    const { figures, after: next } = planRedemption(held, plain, units, day("2025-07-02"));
    principal += figures.principalMinor;
    interest += figures.interestMinor;
    held = after(held, next);
  }
  expect([principal, interest]).toEqual([whole.principalMinor, whole.interestMinor]);
  expect(held).toMatchObject({ status: "REDEEMED", principalMinor: 0n, accruedMinor: 0n });
});

// 10,000 at 6 %, 181 days: 297.53 of interest.
test.each([
  ["none", { kind: "NONE" as const }, 0n, 0n],
  ["half of the interest", { kind: "INTEREST_SHARE" as const, bps: 5_000 }, 0n, 148_77n],
  ["1 % of the principal", { kind: "PRINCIPAL_SHARE" as const, bps: 100 }, 100_00n, 0n],
  // As Fineract's pre-closure penal interest on the whole term: counted anew at 6 - 2 = 4 %,
  // 198.36.
  ["2 percentage points", { kind: "RATE_REDUCTION" as const, percent: parseDecimal("2") }, 0n, 99_17n],
  ["more points than there are", { kind: "RATE_REDUCTION" as const, percent: parseDecimal("9") }, 0n, 297_53n],
])("early redemption costs %s", (_name, penalty, principalPenaltyMinor, interestPenaltyMinor) => {
  const early = product({ penalty, withholdingTaxBps: 0 });
  const { figures } = planRedemption(holding(early), early, 100n, day("2025-07-01"));
  expect(figures).toMatchObject({ interestMinor: 297_53n, principalPenaltyMinor, interestPenaltyMinor });
});

test("tax is withheld from what is left after the penalty", () => {
  const early = product({ penalty: { kind: "INTEREST_SHARE", bps: 5_000 } });
  const { figures } = planRedemption(holding(early), early, 100n, day("2025-07-01"));
  expect(figures.taxMinor).toBe(14_88n);
  expect(paidMinor(figures)).toBe(10_000_00n + 297_53n - 148_77n - 14_88n);
});

test("the tier that the amount reaches holds for all of it", () => {
  const tiers = [
    { fromMinor: 0n, ratePercent: parseDecimal("5") },
    { fromMinor: 5_000_00n, ratePercent: parseDecimal("6") },
    { fromMinor: 10_000_00n, ratePercent: parseDecimal("7.5") },
  ];
  expect(rateFor(tiers, 4_999_99n)).toEqual(parseDecimal("5"));
  expect(rateFor(tiers, 5_000_00n)).toEqual(parseDecimal("6"));
  expect(rateFor(tiers, 50_000_00n)).toEqual(parseDecimal("7.5"));
});
