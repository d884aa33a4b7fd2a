import fc from "fast-check";
import { atDepth } from "../../../test/support/depth.js";
import { parts, sumOfPart } from "./line.js";
import { balancesOf, movementsBetween, partnerAccount } from "./books.js";
import { plainWeek } from "./calendar.js";
import { bucketOf, delinquencyAt } from "./delinquency.js";
import type { LoanEvent } from "./events.js";
import { payoffAt } from "./payoff-figure.js";
import { positionAt } from "./position.js";
import type { LoanTerms } from "./terms.js";

/**
 * 100.00 at 7 % over six months from 1 January 2024, 30/360: the loan of Apache Fineract's
 * progressive examples, 17.01 a month.
 */
const terms: LoanTerms = {
  currency: "USD",
  principalMinor: 10_000n,
  annualRate: "7",
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
  startsOn: "2024-01-01",
  calendar: plainWeek,
  penalty: { graceDays: 5, flatMinor: 0n, percent: "0" },
  payoff: { interest: "TO_DAY", feeMinor: 0n, feePercent: "0" },
  allocationOrder: parts,
};
const penalised: LoanTerms = { ...terms, penalty: { graceDays: 5, flatMinor: 100n, percent: "10" } };
let count = 0;
const repaid = (on: string, amountMinor: bigint): LoanEvent => ({
  type: "REPAYMENT",
  id: `r${(count += 1)}`,
  on,
  amountMinor,
  sourceAccountId: partnerAccount("bank", undefined, "USD"),
});
const paidOf = (given: LoanTerms, events: LoanEvent[], on: string, line: number) =>
  positionAt(given, events, on).lines[line]?.paid;

describe("allocation", () => {
  test("penalty, fee, interest, principal of the oldest instalment first", () => {
    const fees = { ...penalised, instalmentFeeMinor: 50n };
    // Late by six days: 1.00 and 10 % of 17.51.
    const paid = paidOf(fees, [repaid("2024-02-07", 400n)], "2024-02-07", 0);
    expect(paid).toEqual({ PENALTY: 275n, FEE: 50n, INTEREST: 58n, PRINCIPAL: 17n });
  });
  test("a product may have another order", () => {
    const other: LoanTerms = { ...penalised, allocationOrder: ["PRINCIPAL", "INTEREST", "FEE", "PENALTY"] };
    expect(paidOf(other, [repaid("2024-02-07", 1_650n)], "2024-02-07", 0)).toEqual({
      PENALTY: 0n,
      FEE: 0n,
      INTEREST: 7n,
      PRINCIPAL: 1_643n,
    });
  });
  test("what is over pays the next instalments ahead", () => {
    const paid = paidOf(terms, [repaid("2024-02-01", 2_000n)], "2024-02-01", 1);
    expect(paid).toEqual({ PENALTY: 0n, FEE: 0n, INTEREST: 49n, PRINCIPAL: 250n });
  });
});

describe("penalties", () => {
  const penaltyOn = (on: string, events: LoanEvent[] = []) =>
    positionAt(penalised, events, on).lines[0]?.charged.PENALTY;
  test("none within the days of grace, once after them", () => {
    expect(penaltyOn("2024-02-06")).toBe(0n);
    expect(penaltyOn("2024-02-07")).toBe(270n);
    expect(penaltyOn("2024-06-30")).toBe(270n);
  });
  test("of what is overdue alone", () => {
    expect(penaltyOn("2024-02-07", [repaid("2024-02-03", 1_000n)])).toBe(170n);
  });
});

describe("payoff in mid-period, 15 February after the first instalment was paid", () => {
  const events = [repaid("2024-02-01", 1_701n)];
  test("to the day: 14 of 29 days of the period's 0.49", () => {
    const figures = payoffAt(terms, events, "2024-02-15");
    expect([figures.principalMinor, figures.interestMinor, figures.amountMinor]).toEqual([8_357n, 24n, 8_381n]);
  });
  test("to the next due date: the period's whole interest", () => {
    const next: LoanTerms = { ...terms, payoff: { interest: "TO_NEXT_DUE_DATE", feeMinor: 0n, feePercent: "0" } };
    const figures = payoffAt(next, events, "2024-02-15");
    expect([figures.interestThrough, figures.amountMinor]).toEqual(["2024-03-01", 8_406n]);
  });
  test("to the next due date, which on a due date is that day, also where it moved to a business day", () => {
    const throughOn = (on: string, businessDayRule: LoanTerms["businessDayRule"]) => {
      const next: LoanTerms = {
        ...terms,
        businessDayRule,
        payoff: { interest: "TO_NEXT_DUE_DATE", feeMinor: 0n, feePercent: "0" },
      };
      return payoffAt(next, [], on).interestThrough;
    };
    const nominal = ["2024-01-01", "2024-02-01", "2024-02-02", "2024-07-01", "2024-07-02"].map((on) =>
      throughOn(on, "NONE"),
    );
    expect(nominal).toEqual(["2024-02-01", "2024-02-01", "2024-03-01", "2024-07-01", "2024-07-02"]);
    // 1 June 2024 is a Saturday: due on Monday the 3rd, or on Friday the 31st.
    const following = ["2024-05-31", "2024-06-02", "2024-06-03", "2024-06-04"].map((on) => throughOn(on, "FOLLOWING"));
    expect(following).toEqual(["2024-06-01", "2024-06-02", "2024-06-03", "2024-07-01"]);
    const preceding = ["2024-05-31", "2024-06-01", "2024-06-02"].map((on) => throughOn(on, "PRECEDING"));
    expect(preceding).toEqual(["2024-06-01", "2024-06-01", "2024-07-01"]);
  });
  test("with a fee for paying early, which nobody pays after the last due date", () => {
    const costly: LoanTerms = { ...terms, payoff: { interest: "TO_DAY", feeMinor: 100n, feePercent: "1" } };
    expect(payoffAt(costly, events, "2024-02-15").payoffFeeMinor).toBe(184n);
    expect(payoffAt(costly, events, "2024-07-15").payoffFeeMinor).toBe(0n);
  });
  test("closes the loan, nothing is left and nothing accrues any more", () => {
    const { amountMinor, interestThrough } = payoffAt(terms, events, "2024-02-15");
    const payoff: LoanEvent = {
      type: "PAYOFF",
      id: "p",
      on: "2024-02-15",
      amountMinor,
      interestThrough,
      feeMinor: 0n,
      sourceAccountId: "s:USD",
    };
    const after = positionAt(terms, [...events, payoff], "2024-09-01");
    expect([after.status, after.totalPayableMinor, after.overpaidMinor, after.interestAccruedMinor]).toEqual([
      "PAID_OFF",
      0n,
      0n,
      82n,
    ]);
  });
  test("what was paid ahead counts", () => {
    const ahead = [repaid("2024-02-01", 1_701n + 1_701n)];
    expect(payoffAt(terms, ahead, "2024-02-15").amountMinor).toBe(8_381n - 1_701n);
  });
});

test("all instalments paid when they are due complete the loan", () => {
  const events = ["02", "03", "04", "05", "06"].map((month) => repaid(`2024-${month}-01`, 1_701n));
  const all = [...events, repaid("2024-07-01", 1_700n)];
  expect(positionAt(terms, all, "2024-07-01")).toMatchObject({
    status: "COMPLETED",
    totalPayableMinor: 0n,
    closedOn: "2024-07-01",
  });
  expect(positionAt(terms, [...all, repaid("2024-07-02", 500n)], "2024-07-03").overpaidMinor).toBe(500n);
});

test("a repayment that counts earlier replays what came after: the penalty had never been due", () => {
  const late = [repaid("2024-02-20", 1_971n)];
  expect(paidOf(penalised, late, "2024-02-21", 0)?.PENALTY).toBe(270n);
  const replayed = positionAt(penalised, [...late, repaid("2024-02-01", 1_701n)], "2024-02-21");
  expect(replayed.lines[0]).toMatchObject({ charged: { PENALTY: 0n }, paid: { PENALTY: 0n, PRINCIPAL: 1_643n } });
  expect(replayed.lines[1]?.paid).toMatchObject({ INTEREST: 49n, PRINCIPAL: 1_652n });
  expect(replayed.lines[2]?.paid.INTEREST).toBe(39n);
});

test("a chargeback is owed again with the next instalment, and reopens a loan that was closed", () => {
  const all = [
    ...["02", "03", "04", "05", "06"].map((month) => repaid(`2024-${month}-01`, 1_701n)),
    repaid("2024-07-01", 1_700n),
  ];
  const back: LoanEvent = {
    type: "CHARGEBACK",
    id: "c",
    repaymentId: "r",
    on: "2024-07-05",
    amountMinor: 1_701n,
    sourceAccountId: "s:USD",
  };
  const reopened = positionAt(terms, [...all, back], "2024-07-06");
  expect([reopened.status, reopened.totalPayableMinor]).toEqual(["ACTIVE", 1_701n]);
});

test("a chargeback takes what was overpaid first", () => {
  const all = [repaid("2024-01-15", 10_205n + 500n)];
  const back = (amountMinor: bigint): LoanEvent => ({
    type: "CHARGEBACK",
    id: "c",
    repaymentId: "r",
    on: "2024-07-05",
    amountMinor,
    sourceAccountId: "s:USD",
  });
  expect(positionAt(terms, all, "2024-07-06").overpaidMinor).toBe(500n);
  const some = positionAt(terms, [...all, back(300n)], "2024-07-06");
  expect([some.overpaidMinor, some.totalPayableMinor, some.status]).toEqual([200n, 0n, "PAID_OFF"]);
  const more = positionAt(terms, [...all, back(1_200n)], "2024-07-06");
  expect([more.overpaidMinor, more.totalPayableMinor, more.status]).toEqual([0n, 700n, "ACTIVE"]);
});

test("a disbursement that came back leaves nothing owed nor earned, and what was paid is the customer's", () => {
  const events: LoanEvent[] = [
    repaid("2024-02-01", 1_701n),
    { type: "DISBURSEMENT_RETURNED", id: "d", on: "2024-02-10" },
    repaid("2024-02-12", 100n),
  ];
  expect(positionAt(penalised, events, "2024-12-31")).toMatchObject({
    status: "CANCELLED",
    totalPayableMinor: 0n,
    interestAccruedMinor: 0n,
    feesChargedMinor: 0n,
    overpaidMinor: 1_801n,
    closedOn: "2024-02-10",
  });
});

test("a write-off takes what is owed and accrued, no more; what comes in later is recovered", () => {
  const events: LoanEvent[] = [{ type: "WRITE_OFF", id: "w", on: "2024-02-15" }];
  const off = positionAt(terms, events, "2024-12-31");
  expect(off).toMatchObject({ status: "WRITTEN_OFF", totalPayableMinor: 0n, interestAccruedMinor: 58n + 24n });
  expect(sumOfPart(off.lines, "writtenOff", "PRINCIPAL")).toBe(10_000n);
  expect(positionAt(terms, [...events, repaid("2024-03-01", 700n)], "2024-12-31").recoveredMinor).toBe(700n);
});

describe("what comes in for a loan that was written off", () => {
  const off: LoanEvent = { type: "WRITE_OFF", id: "w", on: "2024-02-15" };
  // 100.00 of principal and 0.82 of interest.
  const lost = 10_082n;
  const recovered = (on: string, amountMinor: bigint): LoanEvent =>
    ({ ...repaid(on, amountMinor), type: "RECOVERY" }) as LoanEvent;
  const paidOff = (on: string, amountMinor: bigint): LoanEvent =>
    ({ ...repaid(on, amountMinor), type: "PAYOFF", interestThrough: on, feeMinor: 30n }) as LoanEvent;
  const figures = (...events: LoanEvent[]) => {
    const { status, recoveredMinor, overpaidMinor } = positionAt(terms, [off, ...events], "2024-12-31");
    return [status, recoveredMinor, overpaidMinor];
  };

  test.each([recovered, repaid, paidOff])("recovers at most what was lost; the rest is the customer's", (comes) => {
    expect(figures(comes("2024-03-01", 50_000n))).toEqual(["WRITTEN_OFF", lost, 50_000n - lost]);
    expect(figures(recovered("2024-03-01", 10_000n), comes("2024-03-02", 100n))).toEqual(["WRITTEN_OFF", lost, 18n]);
  });

  test("that a bank takes back is first of what was the customer's, then lost again", () => {
    const back: LoanEvent = { ...repaid("2024-04-01", 100n), type: "CHARGEBACK", repaymentId: "x" } as LoanEvent;
    expect(figures(recovered("2024-03-01", lost + 40n), back)).toEqual(["WRITTEN_OFF", lost - 60n, 0n]);
    expect(figures(recovered("2024-03-01", lost + 40n), back, recovered("2024-05-01", 70n))).toEqual([
      "WRITTEN_OFF",
      lost,
      10n,
    ]);
  });

  test("and was paid before it is no recovery: a loan that was paid by then is not written off", () => {
    expect(figures(repaid("2024-02-15", 5_000n))[1]).toBe(0n);
    const [status, recoveredMinor, overpaidMinor] = figures(repaid("2024-02-10", 10_300n), recovered("2024-03-01", 5n));
    expect([status, recoveredMinor, overpaidMinor]).toEqual(["PAID_OFF", 0n, 10_300n - 10_205n + 5n]);
  });
});

test("a new schedule pays what is left, with what is due carried into its first instalment", () => {
  const anew = { instalments: 3, firstDueOn: "2024-04-15", annualRate: "7", calendar: plainWeek };
  const events: LoanEvent[] = [
    repaid("2024-02-01", 1_701n),
    { type: "RESCHEDULE", id: "n", on: "2024-03-15", terms: anew },
  ];
  const now = positionAt(terms, events, "2024-03-15");
  const later = now.lines.slice(-3);
  expect(later.map(({ dueOn }) => dueOn)).toEqual(["2024-04-15", "2024-05-15", "2024-06-15"]);
  expect(later.reduce((sum, { charged }) => sum + charged.PRINCIPAL, 0n)).toBe(8_357n);
  expect(later[0]?.charged.INTEREST).toBeGreaterThan(49n + 18n);
  expect(
    positionAt(terms, [...events, repaid("2024-04-01", now.totalPayableMinor)], "2024-04-01").totalPayableMinor,
  ).toBe(0n);
});

describe("a new schedule behind the day the loan was over", () => {
  const fee = { ...terms, annualRate: "0", instalments: 4, instalmentFeeMinor: 125n };
  const anew = { instalments: 2, firstDueOn: "2024-03-15", annualRate: "0", calendar: plainWeek };
  const planned: LoanEvent = { type: "RESCHEDULE", id: "n", on: "2024-02-15", terms: anew };

  test.each(["0", "12"])("changes nothing, at %s %", (annualRate) => {
    const given = { ...fee, annualRate };
    const whole = positionAt(given, [], "2024-01-01").totalPayableMinor;
    const now = positionAt(given, [planned, repaid("2024-02-10", whole)], "2024-12-31");
    expect(now).toEqual(positionAt(given, [repaid("2024-02-10", whole)], "2024-12-31"));
    expect([now.status, now.totalPayableMinor, now.overpaidMinor]).toEqual(["PAID_OFF", 0n, 0n]);
  });

  test("counts where the loan is owed again by then", () => {
    const whole = positionAt(fee, [], "2024-01-01").totalPayableMinor;
    const back: LoanEvent = { ...repaid("2024-02-12", 1_000n), type: "CHARGEBACK", repaymentId: "x" } as LoanEvent;
    const now = positionAt(fee, [repaid("2024-02-10", whole), back, planned], "2024-02-15");
    // Fees of the three instalments that will not be are given back.
    expect([now.status, now.totalPayableMinor]).toEqual(["ACTIVE", 1_000n - 3n * 125n + 2n * 125n]);
  });
});

test("whenever the bank's news arrives, the end is the same", () => {
  const day = (days: number) => Temporal.PlainDate.from("2024-01-01").add({ days }).toString();
  const sourceAccountId = partnerAccount("bank", undefined, "USD");
  const money = { amountMinor: fc.bigInt(1n, 12_000n), on: fc.integer({ min: 0, max: 240 }) };
  const report = fc.oneof(
    { weight: 5, arbitrary: fc.record({ type: fc.constant("REPAYMENT" as const), ...money }) },
    {
      weight: 1,
      arbitrary: fc.record({ type: fc.constant("PAYOFF" as const), feeMinor: fc.bigInt(0n, 50n), ...money }),
    },
  );
  const done = fc.record({
    type: fc.constantFrom("RESCHEDULE" as const, "WRITE_OFF" as const, "RECOVERY" as const, "CHARGEBACK" as const),
    afterDays: fc.integer({ min: 0, max: 60 }),
    amountMinor: fc.bigInt(1n, 12_000n),
    instalments: fc.integer({ min: 1, max: 8 }),
  });
  const rates = fc.constantFrom("0", "7", "48");
  const world = fc.record({
    reports: fc.array(report, { maxLength: 4 }),
    did: fc.array(done, { maxLength: 4 }),
    rate: rates,
  });
  const places = fc.array(fc.nat({ max: 8 }), { minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(world, places, places, ({ reports, did, rate }, one, other) => {
      const given = { ...penalised, annualRate: rate, instalmentFeeMinor: 25n };
      // More than one payoff no loan has.
      const isFirst = (at: number) => reports.findIndex(({ type }) => type === "PAYOFF") === at;
      const reportedOf = reports
        .filter(({ type }, at) => type === "REPAYMENT" || isFirst(at))
        .map((each, at) => {
          const on = day(each.on);
          return { ...each, id: `n${at}`, on, interestThrough: on, sourceAccountId } as LoanEvent;
        });
      let today = 0;
      const didOf = did.map(({ type, afterDays, instalments, amountMinor }, at) => {
        today += afterDays;
        const firstDueOn = day(today + 20);
        const anew = { instalments, firstDueOn, annualRate: rate, calendar: plainWeek };
        const what = { type, id: `s${at}`, on: day(today) };
        if (type === "WRITE_OFF") return what as LoanEvent;
        if (type === "RESCHEDULE") return { ...what, terms: anew } as LoanEvent;
        return { ...what, amountMinor, repaymentId: "x", sourceAccountId } as LoanEvent;
      });
      const ended = (at: readonly number[]) => {
        const events = [...didOf];
        reportedOf.forEach((each, index) => events.splice(at[index]! % (events.length + 1), 0, each));
        const position = positionAt(given, events, "2026-01-01");
        const disbursement = [{ accountId: "wallet", amountMinor: 10_000n }];
        const { status, lines, overpaidMinor, recoveredMinor, closedOn } = position;
        const balances = balancesOf({ accountId: "loan", currency: "USD", disbursement, events }, position);
        return { status, lines, overpaidMinor, recoveredMinor, closedOn, balances };
      };
      expect(ended(one)).toEqual(ended(other));
    }),
    { numRuns: atDepth({ quick: 300, ci: 1_000, long: 20_000 }) },
  );
});

describe("delinquency", () => {
  const at = (on: string, pauses: Parameters<typeof delinquencyAt>[2] = []) =>
    delinquencyAt(Temporal.PlainDate.from(on), "2024-01-31", pauses, [1, 31, 61, 91]);
  test("days past due and buckets of 30 days over the months (1-30, 31-60, 61-90, 91+), over 29 February", () => {
    const seen = [
      "2024-01-31",
      "2024-02-01",
      "2024-03-01",
      "2024-03-02",
      "2024-03-31",
      "2024-04-01",
      "2024-04-30",
      "2024-05-01",
    ];
    expect(seen.map((on) => at(on).bucket)).toEqual([
      "CURRENT",
      "1-30",
      "1-30",
      "31-60",
      "31-60",
      "61-90",
      "61-90",
      "91+",
    ]);
    expect(at("2024-05-01").daysPastDue).toBe(91);
  });
  test("a pause makes nothing older; it goes on from there", () => {
    const paused = [{ from: "2024-02-10", until: "2024-03-10" }];
    expect([at("2024-02-20", [{ from: "2024-02-10" }]).daysPastDue, at("2024-03-15", paused).daysPastDue]).toEqual([
      10, 15,
    ]);
    expect(at("2024-02-20", [{ from: "2024-02-10" }]).isPaused).toBe(true);
  });
  test("a product has its own buckets", () => {
    expect([0, 3, 7, 90].map((days) => bucketOf(days, [3, 8]))).toEqual(["CURRENT", "3-7", "3-7", "8+"]);
  });
});

test("whatever happens in whatever order, what the ledger is asked for balances and follows the loan", () => {
  let seed = 7;
  const upTo = (most: number) => (seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) % most;
  const day = (days: number) => Temporal.PlainDate.from("2024-01-01").add({ days }).toString();
  for (let round = 0; round < 300; round += 1) {
    const events: LoanEvent[] = [];
    let booked = {};
    let sum = new Map<string, bigint>();
    const loan = {
      accountId: "loan",
      currency: "USD",
      disbursement: [{ accountId: "wallet", amountMinor: 10_000n }],
      events,
    };
    let today = 0;
    for (let step = 0; step < 8; step += 1) {
      today += upTo(40);
      const on = day(Math.max(0, today - upTo(30)));
      const amountMinor = BigInt(1 + upTo(4_000));
      const sourceAccountId = partnerAccount("bank", undefined, "USD");
      const kind = upTo(11);
      if (kind < 5) events.push({ type: "REPAYMENT", id: `${step}`, on, amountMinor, sourceAccountId });
      else if (kind === 5)
        events.push({ type: "CHARGEBACK", id: `${step}`, repaymentId: "x", on, amountMinor, sourceAccountId });
      else if (kind === 6)
        events.push({
          type: "PAYOFF",
          id: `${step}`,
          on,
          amountMinor: amountMinor * 3n,
          interestThrough: on,
          feeMinor: 5n,
          sourceAccountId,
        });
      else if (kind === 7 && upTo(4) === 0) events.push({ type: "WRITE_OFF", id: `${step}`, on });
      else if (kind === 8 && upTo(4) === 0)
        events.push({ type: "DISBURSEMENT_RETURNED", id: `${step}`, on: day(today) });
      else if (kind === 9)
        events.push({ type: "REFUND", id: `${step}`, on: day(today), amountMinor: 7n, targetAccountId: "wallet" });
      const position = positionAt({ ...penalised, instalmentFeeMinor: 25n }, events, day(today));
      const after = balancesOf(loan, position);
      for (const { debitAccountId, creditAccountId, amountMinor: moved } of movementsBetween(booked, after)) {
        expect(moved).toBeGreaterThan(0n);
        sum.set(debitAccountId, (sum.get(debitAccountId) ?? 0n) + moved);
        sum.set(creditAccountId, (sum.get(creditAccountId) ?? 0n) - moved);
      }
      sum = new Map([...sum].filter(([, minor]) => minor !== 0n));
      booked = after;
      expect(Object.fromEntries([...sum].toSorted())).toEqual(Object.fromEntries(Object.entries(after).toSorted()));
      // Refunds and chargebacks of these events follow from no payment, as those of a loan do.
      const isFree = events.some(({ type }) => type === "REFUND") || position.status === "CANCELLED";
      if (position.overpaidMinor < 0n && !isFree) throw new Error("paid back more than was overpaid");
    }
  }
});
