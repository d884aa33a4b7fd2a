import { addPeriods, businessDay, plainWeek } from "./calendar.js";
import { scheduleOf, type ScheduleTerms } from "./schedule.js";

const day = (text: string) => Temporal.PlainDate.from(text);
const base: ScheduleTerms = {
  principalMinor: 10_000n,
  annualRate: "9.4822",
  interestMethod: "DECLINING",
  amortisation: "EQUAL_INSTALMENTS",
  dayCount: "30/360 BOND BASIS",
  frequency: "MONTH",
  instalments: 6,
  principalGrace: 0,
  interestGrace: 0,
  instalmentFeeMinor: 0n,
  instalmentFeePercent: "0",
  businessDayRule: "NONE",
  startsOn: day("2024-01-01"),
};
/** [payment, interest, principal, balance] of each instalment, minor units. */
const rows = (terms: Partial<ScheduleTerms>) =>
  scheduleOf({ ...base, ...terms }, plainWeek).map(({ principalMinor, interestMinor, balanceMinor }) =>
    [principalMinor + interestMinor, interestMinor, principalMinor, balanceMinor].map(Number),
  );

describe("published worked examples", () => {
  test("Apache Fineract, ProgressiveEMICalculatorTest: 100 over 6 months at 9.4822 %, 30/360", () => {
    expect(rows({})).toEqual([
      [1713, 79, 1634, 8366],
      [1713, 66, 1647, 6719],
      [1713, 53, 1660, 5059],
      [1713, 40, 1673, 3386],
      [1713, 27, 1686, 1700],
      [1713, 13, 1700, 0],
    ]);
  });

  test("Apache Fineract, ProgressiveEMICalculatorTest: 100 over 6 months at 15.678 %, actual/365, over 29 February", () => {
    expect(rows({ annualRate: "15.678", dayCount: "ACT/365 FIXED" })).toEqual([
      [1743, 133, 1610, 8390],
      [1743, 105, 1638, 6752],
      [1743, 90, 1653, 5099],
      [1743, 66, 1677, 3422],
      [1743, 46, 1697, 1725],
      [1747, 22, 1725, 0],
    ]);
  });

  test("Apache Fineract, ProgressiveEMICalculatorTest: 100 over 12 months at 7 %, 30/360, pays 8.65", () => {
    const payments = rows({ annualRate: "7.0", instalments: 12 }).map(([payment]) => payment);
    expect(payments.slice(0, -1)).toEqual(Array.from({ length: 11 }, () => 865));
  });

  test("Microsoft Excel, PMT: 10,000 over 10 months at 8 % pays 1,037.03", () => {
    const payments = rows({ principalMinor: 1_000_000n, annualRate: "8", instalments: 10 }).map(([payment]) => payment);
    expect(payments[0]).toBe(103_703);
  });

  test("Microsoft Excel, PPMT and IPMT: 2,000 over 24 months at 10 % repays 75.62 first; 8,000 over 36 bears 66.67", () => {
    expect(rows({ principalMinor: 200_000n, annualRate: "10", instalments: 24 })[0]?.[2]).toBe(7_562);
    expect(rows({ principalMinor: 800_000n, annualRate: "10", instalments: 36 })[0]?.[1]).toBe(6_667);
  });

  test("flat: 10,000 over 12 months at 12 % bears 1,200, 100 a month; 933.33 each and 933.37 at last", () => {
    const flat = rows({ principalMinor: 1_000_000n, annualRate: "12", instalments: 12, interestMethod: "FLAT" });
    expect(flat[0]).toEqual([93_333, 10_000, 83_333, 916_667]);
    expect(flat.at(-1)).toEqual([93_337, 10_000, 83_337, 0]);
  });

  test("equal principal: 1,200 over 12 months at 12 % repays 100 a month with interest of 12, 11, 10 …", () => {
    const each = rows({ principalMinor: 120_000n, annualRate: "12", instalments: 12, amortisation: "EQUAL_PRINCIPAL" });
    expect(each.map(([, interest]) => interest)).toEqual(Array.from({ length: 12 }, (_x, at) => 1_200 - 100 * at));
    expect(each.every(([, , principal]) => principal === 10_000)).toBe(true);
  });
});

describe("dates", () => {
  test("months count from the anchor: a 31st comes back after February, in a leap year on the 29th", () => {
    const dates = [1, 2, 3, 4].map((months) => addPeriods(day("2024-01-31"), "MONTH", months).toString());
    expect(dates).toEqual(["2024-02-29", "2024-03-31", "2024-04-30", "2024-05-31"]);
    expect(addPeriods(day("2026-01-31"), "MONTH", 1).toString()).toBe("2026-02-28");
  });
  test("a loan of 29 February is due on the 29th of every month that has one", () => {
    const due = scheduleOf({ ...base, startsOn: day("2024-02-29"), instalments: 12 }, plainWeek).map(
      ({ dueOn }) => dueOn,
    );
    expect(due[0]).toBe("2024-03-29");
    expect(due.at(-1)).toBe("2025-02-28");
  });
  test("day, week and two weeks", () => {
    const second = (frequency: ScheduleTerms["frequency"]) =>
      scheduleOf({ ...base, frequency, dayCount: "ACT/365 FIXED" }, plainWeek)[1]?.dueOn;
    expect([second("DAY"), second("WEEK"), second("TWO_WEEKS")]).toEqual(["2024-01-03", "2024-01-15", "2024-01-29"]);
  });
  test("a due date on a free day moves by the rule, and its interest does not", () => {
    const calendar = { weekend: [6, 7], holidays: ["2026-12-25"] };
    const moved = (rule: Parameters<typeof businessDay>[1], on: string) =>
      businessDay(day(on), rule, calendar).toString();
    expect(moved("FOLLOWING", "2026-12-25")).toBe("2026-12-28");
    expect(moved("PRECEDING", "2026-12-26")).toBe("2026-12-24");
    expect(moved("MODIFIED_FOLLOWING", "2026-10-31")).toBe("2026-10-30");
    expect(moved("NONE", "2026-12-25")).toBe("2026-12-25");
    const terms = { ...base, startsOn: day("2026-11-25"), businessDayRule: "FOLLOWING" } as const;
    const [first] = scheduleOf(terms, calendar);
    expect([first?.to, first?.dueOn, first?.interestMinor]).toEqual(["2026-12-25", "2026-12-28", 79n]);
  });
});

describe("graces, fees and broken periods", () => {
  test("grace on principal: interest alone, then the rest in equal instalments", () => {
    const graced = rows({ principalMinor: 120_000n, annualRate: "12", instalments: 4, principalGrace: 2 });
    expect(graced.slice(0, 2)).toEqual([
      [1_200, 1_200, 0, 120_000],
      [1_200, 1_200, 0, 120_000],
    ]);
    expect(graced[2]?.[0]).toBe(60_901);
    expect(graced[3]?.[3]).toBe(0);
  });
  test("grace on interest: what the first periods bear is due with the first after them", () => {
    const graced = rows({
      principalMinor: 120_000n,
      annualRate: "12",
      instalments: 3,
      amortisation: "EQUAL_PRINCIPAL",
      interestGrace: 1,
    });
    expect(graced.map(([, interest]) => interest)).toEqual([0, 1_200 + 800, 400]);
  });
  test("fees come with every instalment, as an amount and as a share of the principal", () => {
    const [first] = scheduleOf({ ...base, instalmentFeeMinor: 150n, instalmentFeePercent: "0.5" }, plainWeek);
    expect(first?.feeMinor).toBe(200n);
  });
  test("a broken first period is billed by its real days", () => {
    const [first] = scheduleOf(
      { ...base, principalMinor: 365_000n, annualRate: "10", dayCount: "ACT/365 FIXED", firstDueOn: day("2024-01-20") },
      plainWeek,
    );
    expect(first?.interestMinor).toBe(1_900n);
  });
});

test("a schedule of 360 instalments pays back the whole; how long one takes is in docs/benchmarks/README.md", () => {
  const terms: ScheduleTerms = {
    ...base,
    principalMinor: 25_000_000n,
    annualRate: "6.5",
    instalments: 360,
    dayCount: "ACT/365 FIXED",
  };
  const instalments = scheduleOf(terms, plainWeek);
  expect(instalments).toHaveLength(360);
  expect(instalments.reduce((sum, { principalMinor }) => sum + principalMinor, 0n)).toBe(25_000_000n);
});
