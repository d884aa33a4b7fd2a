import { allocate } from "./allocation.js";
import { dueOfLine, noAmounts, parts, sumOfPart, type Line } from "./line.js";
import { plainWeek } from "./calendar.js";
import { partnerAccount } from "./books.js";
import { daysBetween } from "../../kernel/time/day-count.js";
import { bucketOf, delinquencyAt, type Pause } from "./delinquency.js";
import type { LoanEvent } from "./events.js";
import { payoffAt } from "./payoff-figure.js";
import { positionAt } from "./position.js";
import { scheduleOf } from "./schedule.js";
import { scheduleTermsOf, type LoanTerms } from "./terms.js";

// Figures of Apache Fineract's tests. Features are those of
// fineract-e2e-tests-runner/src/test/resources/features, named by file and TestRailId;
// ProgressiveEMICalculatorTest is in
// fineract-progressive-loan/src/test/java/org/apache/fineract/portfolio/loanproduct/calc.

const terms: LoanTerms = {
  currency: "EUR",
  principalMinor: 100_000n,
  annualRate: "12",
  interestMethod: "FLAT",
  amortisation: "EQUAL_INSTALMENTS",
  dayCount: "30/360 BOND BASIS",
  frequency: "MONTH",
  instalments: 4,
  principalGrace: 0,
  interestGrace: 0,
  instalmentFeeMinor: 0n,
  instalmentFeePercent: "0",
  businessDayRule: "NONE",
  startsOn: "2024-01-01",
  calendar: plainWeek,
  penalty: { graceDays: 0, flatMinor: 0n, percent: "0" },
  payoff: { interest: "TO_DAY", feeMinor: 0n, feePercent: "0" },
  allocationOrder: parts,
};
const progressive: LoanTerms = {
  ...terms,
  principalMinor: 10_000n,
  annualRate: "7",
  interestMethod: "DECLINING",
  instalments: 6,
};
const repaid = (on: string, amountMinor: bigint): LoanEvent => ({
  type: "REPAYMENT",
  id: on,
  on,
  amountMinor,
  sourceAccountId: partnerAccount("bank", undefined, "EUR"),
});
const rowsOf = (given: LoanTerms) =>
  scheduleOf(scheduleTermsOf(given), plainWeek).map(({ dueOn, balanceMinor, principalMinor, interestMinor }) => [
    dueOn,
    ...[balanceMinor, principalMinor, interestMinor, principalMinor + interestMinor].map(Number),
  ]);

test("flat, LoanInterestPaymentWaiver.feature C3141: 1,000 over 4 months at 12 % pays 250 and 10 each", () => {
  expect(rowsOf(terms)).toEqual([
    ["2024-02-01", 75_000, 25_000, 1_000, 26_000],
    ["2024-03-01", 50_000, 25_000, 1_000, 26_000],
    ["2024-04-01", 25_000, 25_000, 1_000, 26_000],
    ["2024-05-01", 0, 25_000, 1_000, 26_000],
  ]);
});

describe("allocation", () => {
  test("LoanInterestPaymentWaiver.feature C3142: 40 of 280 due pays the fee of 20, interest of 10 and principal of 10", () => {
    const fees = { ...terms, instalmentFeeMinor: 2_000n };
    const { lines } = positionAt(fees, [repaid("2024-02-01", 4_000n)], "2024-02-01");
    expect(lines[0]?.paid).toEqual({ PENALTY: 0n, FEE: 2_000n, INTEREST: 1_000n, PRINCIPAL: 1_000n });
    expect(dueOfLine(lines[0] as Line)).toBe(24_000n);
  });
  test("LoanInterestPaymentWaiver.feature C3143, principal first: 10 pays principal alone, 250 stay due", () => {
    const order = ["PRINCIPAL", "INTEREST", "PENALTY", "FEE"] as const;
    const { lines } = positionAt({ ...terms, allocationOrder: order }, [repaid("2024-02-01", 1_000n)], "2024-02-01");
    expect(lines[0]?.paid).toEqual({ PENALTY: 0n, FEE: 0n, INTEREST: 0n, PRINCIPAL: 1_000n });
    expect(dueOfLine(lines[0] as Line)).toBe(25_000n);
  });
  test("with a penalty, LoanChargeOff.feature C3462: 32.01 due of 10.00 penalty, 5.00 fee, 0.49 interest and 16.52 principal", () => {
    const line: Line = {
      number: 2,
      from: "2024-02-01",
      to: "2024-03-01",
      dueOn: "2024-03-01",
      earnedMinor: 49n,
      charged: { PENALTY: 1_000n, FEE: 500n, INTEREST: 49n, PRINCIPAL: 1_652n },
      paid: noAmounts(),
      writtenOff: noAmounts(),
      isPenalised: true,
    };
    expect(dueOfLine(line)).toBe(3_201n);
    expect(allocate([line], 1_549n, parts)).toBe(0n);
    expect(line.paid).toEqual({ PENALTY: 1_000n, FEE: 500n, INTEREST: 49n, PRINCIPAL: 0n });
    expect(allocate([line], 1_700n, parts)).toBe(48n);
  });
});

describe("100 over 6 months at 7 %, 30/360, EMICalculation-Part2.feature C3237", () => {
  test("the schedule: 17.01 five times and 17.00", () => {
    expect(rowsOf(progressive)).toEqual([
      ["2024-02-01", 8_357, 1_643, 58, 1_701],
      ["2024-03-01", 6_705, 1_652, 49, 1_701],
      ["2024-04-01", 5_043, 1_662, 39, 1_701],
      ["2024-05-01", 3_371, 1_672, 29, 1_701],
      ["2024-06-01", 1_690, 1_681, 20, 1_701],
      ["2024-07-01", 0, 1_690, 10, 1_700],
    ]);
  });
  test("written off at the end of the second period, LoanChargeOff.feature C3462: 83.57 principal and 0.49 interest", () => {
    const events: LoanEvent[] = [repaid("2024-02-01", 1_701n), { type: "WRITE_OFF", id: "w", on: "2024-03-01" }];
    const { lines, status } = positionAt(progressive, events, "2024-03-01");
    const given = [sumOfPart(lines, "writtenOff", "PRINCIPAL"), sumOfPart(lines, "writtenOff", "INTEREST")];
    expect([status, ...given]).toEqual(["WRITTEN_OFF", 8_357n, 49n]);
  });
  test("paid off in the second period to the next due date costs the same, 84.06", () => {
    const next: LoanTerms = { ...progressive, payoff: { ...progressive.payoff, interest: "TO_NEXT_DUE_DATE" } };
    expect(payoffAt(next, [repaid("2024-02-01", 1_701n)], "2024-02-15").amountMinor).toBe(8_406n);
  });
});

describe("payoff to the day of 100 over 6 months at 7 %, 30/360", () => {
  const figuresOn = (on: string, events: LoanEvent[] = []) => {
    const { principalMinor, interestMinor, amountMinor } = payoffAt(progressive, events, on);
    return [principalMinor, interestMinor, amountMinor].map(Number);
  };
  test("ProgressiveEMICalculatorTest, test_payoff_on0115: 0.26 of the first period's 0.58, 100.26 in all", () => {
    expect(figuresOn("2024-01-15")).toEqual([10_000, 26, 10_026]);
  });
  test("ProgressiveEMICalculatorTest, test_payoff_on0215, nothing paid yet: 0.58 and 0.24 of the second period's 0.49, 100.82 in all", () => {
    expect(figuresOn("2024-02-15")).toEqual([10_000, 82, 10_082]);
  });
  test("the same with the first instalment paid: 83.57 and 0.24", () => {
    expect(figuresOn("2024-02-15", [repaid("2024-02-01", 1_701n)])).toEqual([8_357, 24, 8_381]);
  });
  test("on a due date the period's whole interest, LoanChargeOff.feature: 84.06 on 1 March", () => {
    expect(figuresOn("2024-03-01", [repaid("2024-02-01", 1_701n)])).toEqual([8_357, 49, 8_406]);
  });
  test("paid so it closes the loan: nothing is left, 0.82 of interest was earned", () => {
    const [, , amountMinor = 0] = figuresOn("2024-02-15");
    const payoff: LoanEvent = {
      type: "PAYOFF",
      id: "p",
      on: "2024-02-15",
      amountMinor: BigInt(amountMinor),
      sourceAccountId: partnerAccount("bank", undefined, "EUR"),
      interestThrough: "2024-02-15",
      feeMinor: 0n,
    };
    const after = positionAt(progressive, [payoff], "2024-07-15");
    expect([after.status, after.totalPayableMinor, after.interestAccruedMinor]).toEqual(["PAID_OFF", 0n, 82n]);
  });
});

describe("delinquency: ranges of 1 to 3, 4 to 30, 31 to 60 and from 61 days, LoanDelinquency-Part1.feature", () => {
  const ranges = [1, 4, 31, 61];
  // Fineract's delinquent date is the due date and three days of grace: our oldest due date.
  const on = (pauses: readonly Pause[], day: string) =>
    delinquencyAt(Temporal.PlainDate.from(day), "2023-10-04", pauses, ranges);
  const daysOn = (pauses: readonly Pause[], days: readonly string[]) => days.map((day) => on(pauses, day).daysPastDue);

  test("C2980, each instalment of 1,000 in four over the months: on 16 November 250, 250 and 500, a month later 500 and 500", () => {
    const due = ["2023-10-01", "2023-10-16", "2023-10-31", "2023-11-15"].map((day) => Temporal.PlainDate.from(day));
    const bucketsOn = (day: string) =>
      due.map((each) => bucketOf(daysBetween(each, Temporal.PlainDate.from(day)), ranges));
    expect(bucketsOn("2023-11-16")).toEqual(["31-60", "31-60", "4-30", "1-3"]);
    expect(bucketsOn("2023-12-16")).toEqual(["61+", "61+", "31-60", "31-60"]);
  });
  test("C2999, a pause from 6 to 30 October: 0, 1, 2 days, 2 while it lasts, 3 after it", () => {
    const pauses = [{ from: "2023-10-06", until: "2023-10-30" }];
    expect(daysOn(pauses, ["2023-10-04", "2023-10-05", "2023-10-06", "2023-10-30", "2023-10-31"])).toEqual([
      0, 1, 2, 2, 3,
    ]);
    expect([on(pauses, "2023-10-04").bucket, on(pauses, "2023-10-31").bucket]).toEqual(["CURRENT", "1-3"]);
  });
  test("C3000, a pause from 15 October that is resumed on 25 October: 11 days, and 12 on the day after", () => {
    const pauses = [{ from: "2023-10-15", until: "2023-10-25" }];
    expect(daysOn(pauses, ["2023-10-15", "2023-10-26"])).toEqual([11, 12]);
    expect(on(pauses, "2023-10-26").bucket).toBe("4-30");
  });
  test("C3001, a second pause from 14 to 30 November: 11, 12, 30, 31, 31 while it lasts, 32 after it, a range further", () => {
    const pauses = [
      { from: "2023-10-15", until: "2023-10-25" },
      { from: "2023-11-14", until: "2023-11-30" },
    ];
    const days = ["2023-10-16", "2023-10-26", "2023-11-13", "2023-11-14", "2023-11-30", "2023-12-01"];
    expect(daysOn(pauses, days)).toEqual([11, 12, 30, 31, 31, 32]);
    expect([on(pauses, "2023-11-13").bucket, on(pauses, "2023-12-01").bucket]).toEqual(["4-30", "31-60"]);
  });
});
