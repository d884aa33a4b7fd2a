import { spawnSync } from "node:child_process";
import { parts } from "../../services/lending/domain/line.js";
import { plainWeek } from "../../services/lending/domain/calendar.js";
import type { LoanEvent } from "../../services/lending/domain/events.js";
import { payoffAt } from "../../services/lending/domain/payoff-figure.js";
import { positionAt } from "../../services/lending/domain/position.js";
import { scheduleTermsOf, type LoanTerms } from "../../services/lending/domain/terms.js";
import { checkRepaying } from "../../services/lending/domain/repaying.js";
import { scheduleOf, type Instalment, type ScheduleTerms } from "../../services/lending/domain/schedule.js";
import type { Refusal } from "../../services/kernel/refusal.js";
import { findNumpyFinancial } from "../support/numpy-financial.js";
import { isThere } from "../support/outside-tools.js";

/** Numbers without chance: the same thousand loans in every run. */
function* numbers(seed: number): Generator<number, never> {
  let state = seed;
  for (;;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state;
  }
}

const random = numbers(20_261_121);
const upTo = (most: number): number => Math.floor((random.next().value / 2 ** 32) * most);

const loans = Array.from({ length: 1_000 }, () => {
  const rate = `${upTo(60)}.${String(upTo(10_000)).padStart(4, "0")}`;
  return { principalMinor: BigInt(10_000 + upTo(50_000_000)), rate, instalments: 2 + upTo(119) };
});

const oracle = `
import json, sys
import numpy as np
import numpy_financial as npf
out = []
for principal, rate, n in json.load(sys.stdin):
    r = rate / 1200.0
    per = np.arange(1, n + 1)
    out.append([float(-npf.pmt(r, n, principal)), [float(-x) for x in npf.ipmt(r, per, n, principal)]])
json.dump(out, sys.stdout)
`;

const python = findNumpyFinancial();
const howToGetIt = "numpy-financial: Python 3 with venv, and a package index that pip reaches";
const withOracle = isThere(python, howToGetIt) ? test : test.skip;

withOracle("1,000 random loans have the payment and the interest that numpy-financial gives them (pmt, ipmt)", () => {
  const requested = JSON.stringify(
    loans.map(({ principalMinor, rate, instalments }) => [Number(principalMinor), Number(rate), instalments]),
  );
  const answered = spawnSync(python as string, ["-c", oracle], {
    input: requested,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  expect(answered.stderr).toBe("");
  const expected = JSON.parse(answered.stdout) as [number, number[]][];
  const wrong: string[] = [];
  for (const [index, loan] of loans.entries()) {
    const [payment, interest] = expected[index] as [number, number[]];
    const rate = Number(loan.rate) / 1_200;
    // Ours rounds interest and payment to a minor unit: the balance may be so far from the
    // oracle's, and bears interest on that.
    let drift = 0;
    const schedule = scheduleOf(termsOf(loan), plainWeek);
    for (const [at, { principalMinor, interestMinor }] of schedule.entries()) {
      const isLast = at === schedule.length - 1;
      const isPaymentOff = !isLast && Math.abs(Number(principalMinor + interestMinor) - payment) > 0.5001;
      const isInterestOff = Math.abs(Number(interestMinor) - (interest[at] as number)) > 0.5001 + drift * rate;
      if (isPaymentOff || isInterestOff) wrong.push(`${JSON.stringify(loan, String)} instalment ${at + 1}`);
      drift = drift * (1 + rate) + 1;
    }
  }
  expect(wrong).toEqual([]);
});

test("parts of 1,000 random loans sum to the whole whatever their terms, and nothing is negative", () => {
  const methods = ["FLAT", "DECLINING"] as const;
  const kinds = ["EQUAL_INSTALMENTS", "EQUAL_PRINCIPAL"] as const;
  const counts = ["30/360 BOND BASIS", "ACT/360", "ACT/365 FIXED", "ACT/ACT ISDA"] as const;
  const frequencies = ["DAY", "WEEK", "TWO_WEEKS", "MONTH"] as const;
  for (const loan of loans) {
    const pick = <T>(from: readonly T[]): T => from[upTo(from.length)] as T;
    const terms: ScheduleTerms = {
      ...termsOf(loan),
      interestMethod: pick(methods),
      amortisation: pick(kinds),
      dayCount: pick(counts),
      frequency: pick(frequencies),
      principalGrace: upTo(loan.instalments),
      interestGrace: upTo(loan.instalments),
      businessDayRule: pick(["NONE", "FOLLOWING", "MODIFIED_FOLLOWING", "PRECEDING"]),
      startsOn: Temporal.PlainDate.from("2023-01-01").add({ days: upTo(1_500) }),
    };
    const schedule = scheduleOf(terms, plainWeek);
    const sum = (figure: "principalMinor" | "interestMinor" | "earnedMinor") =>
      schedule.reduce((all, instalment) => all + instalment[figure], 0n);
    expect(sum("principalMinor")).toBe(loan.principalMinor);
    expect(sum("interestMinor")).toBe(sum("earnedMinor"));
    expect(schedule.at(-1)?.balanceMinor).toBe(0n);
    for (const { principalMinor, interestMinor } of schedule) {
      if (principalMinor < 0n || interestMinor < 0n) throw new Error(`negative: ${JSON.stringify(terms, String)}`);
    }
  }
});

describe("random loans of at most 24 instalments", () => {
  const small = loans.slice(0, 60).map((loan) => ({ ...loan, instalments: 2 + (loan.instalments % 23) }));
  const rules = ["NONE", "FOLLOWING", "PRECEDING"] as const;
  function loanTermsOf(loan: (typeof loans)[number], interest: "TO_DAY" | "TO_NEXT_DUE_DATE"): LoanTerms {
    const { firstDueOn: _none, ...terms } = termsOf(loan);
    return {
      ...terms,
      startsOn: "2024-01-31",
      businessDayRule: rules[loan.instalments % 3] as (typeof rules)[number],
      currency: "USD",
      calendar: plainWeek,
      penalty: { graceDays: 3, flatMinor: 500n, percent: "1" },
      payoff: { interest, feeMinor: 100n, feePercent: "0.5" },
      allocationOrder: parts,
    };
  }
  const paid = (on: string, amountMinor: bigint): LoanEvent => ({
    type: "REPAYMENT",
    id: on,
    on,
    amountMinor,
    sourceAccountId: "s:USD",
  });
  const dayAfter = (on: string, days: number) => Temporal.PlainDate.from(on).add({ days }).toString();

  test("a payoff of any day closes the loan with nothing left or over, whatever was paid before, and to a due date costs at least as much as to the day", () => {
    for (const loan of small) {
      const [toDay, toNext] = [loanTermsOf(loan, "TO_DAY"), loanTermsOf(loan, "TO_NEXT_DUE_DATE")];
      const schedule = scheduleOf(scheduleTermsOf(toDay), plainWeek);
      const { dueOn } = schedule[upTo(schedule.length)] as Instalment;
      const earlier = schedule.filter((instalment) => instalment.dueOn < dueOn);
      // Some instalments are paid in full, some in part, some not at all: there are penalties.
      const events = earlier.map((each) =>
        paid(each.dueOn, ((each.principalMinor + each.interestMinor) * BigInt(upTo(3))) / 2n),
      );
      const given = events.filter((event) => event.type === "REPAYMENT" && event.amountMinor > 0n);
      for (const on of [dayAfter(dueOn, -1), dueOn, dayAfter(dueOn, 1), dayAfter("2026-03-01", upTo(400))]) {
        const amounts = [toDay, toNext].map((terms) => {
          const { amountMinor, interestThrough, payoffFeeMinor: feeMinor } = payoffAt(terms, given, on);
          const event = { ...paid(on, amountMinor), type: "PAYOFF", interestThrough, feeMinor } as LoanEvent;
          const after = positionAt(terms, [...given, event], dayAfter(on, 90));
          if (amountMinor > 0n) expect([after.totalPayableMinor, after.overpaidMinor]).toEqual([0n, 0n]);
          expect(after.status).not.toBe("ACTIVE");
          return amountMinor;
        });
        expect(amounts[1]).toBeGreaterThanOrEqual(amounts[0] as bigint);
      }
    }
  });

  test("where instalments are paid on their due dates, a payoff to the next due date costs on such a day the balance and the fee", () => {
    for (const loan of small) {
      const terms = loanTermsOf(loan, "TO_NEXT_DUE_DATE");
      const schedule = scheduleOf(scheduleTermsOf(terms), plainWeek);
      const number = upTo(schedule.length - 1);
      const events = schedule
        .slice(0, number + 1)
        .map((each) => paid(each.dueOn, each.principalMinor + each.interestMinor));
      const { dueOn, to, balanceMinor } = schedule[number] as Instalment;
      const figures = payoffAt({ ...terms, payoff: { ...terms.payoff, feeMinor: 0n, feePercent: "0" } }, events, dueOn);
      const given = [figures.principalMinor, figures.feesMinor, figures.penaltiesMinor];
      expect(given).toEqual([balanceMinor, 0n, 0n]);
      // Beyond the nominal end of its period, a due date that moved brings the days in between.
      if (dueOn <= to) expect(figures.amountMinor).toBe(balanceMinor);
    }
  });

  test("the first due date that is named for one that is refused would do, and the day after it would not", () => {
    let refused = 0;
    for (const loan of small) {
      const requested = { ...termsOf(loan), instalments: 60 + loan.instalments, dayCount: "ACT/365 FIXED" as const };
      const withFirst = (on: string) => ({ ...requested, firstDueOn: Temporal.PlainDate.from(on) });
      const faultOf = (on: string): string => {
        try {
          checkRepaying(withFirst(on));
          return "";
        } catch (error) {
          return (error as Refusal).message;
        }
      };
      const [, latest] = /^firstDueOn must be (\S+) or earlier/.exec(faultOf("2024-08-04")) ?? [];
      if (latest === undefined) continue;
      refused += 1;
      expect([faultOf(latest), faultOf(dayAfter(latest, 1)) === ""]).toEqual(["", false]);
    }
    expect(refused).toBeGreaterThan(10);
  });
});

function termsOf({ principalMinor, rate, instalments }: (typeof loans)[number]): ScheduleTerms {
  return {
    principalMinor,
    annualRate: rate,
    instalments,
    interestMethod: "DECLINING",
    amortisation: "EQUAL_INSTALMENTS",
    dayCount: "30/360 BOND BASIS",
    frequency: "MONTH",
    principalGrace: 0,
    interestGrace: 0,
    instalmentFeeMinor: 0n,
    instalmentFeePercent: "0",
    businessDayRule: "NONE",
    startsOn: Temporal.PlainDate.from("2024-01-31"),
  };
}
