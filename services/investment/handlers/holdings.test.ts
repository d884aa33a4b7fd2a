import { randomUUID } from "node:crypto";
import {
  createInvestmentFixture,
  productDraft,
  refusalOf,
  type InvestmentFixture,
  type Investor,
} from "../../../test/support/investment-fixture.js";
import { testTenant, waitFor } from "../../../test/support/index.js";

let fixture: InvestmentFixture;
const tenants: string[] = [];
beforeAll(async () => {
  fixture = await createInvestmentFixture("investment_holdings", { replicas: 2 });
});
afterAll(() => fixture?.close());
afterEach(async () => {
  fixture.crashAt(undefined);
  fixture.faults.clear();
  for (const tenantId of tenants.splice(0)) await fixture.agree(tenantId);
});

/** 100 units of 100.00 in the hands of one customer. */
async function holding(given: Parameters<InvestmentFixture["product"]>[1] = {}, units = 100n) {
  const tenantId = testTenant();
  tenants.push(tenantId);
  const product = await fixture.product(tenantId, given);
  const investor = await fixture.investor({ tenantId, balance: 10_000_00n });
  const { application } = await fixture.apply(investor, product, { units });
  return { tenantId, product, investor, holdingId: application!.holdingId };
}
const read = async (investor: Investor, holdingId: string) => {
  const { holding: found, returns } = await fixture.gateway.getHolding({ holdingId }, fixture.calls(investor));
  return { ...found!, returns: returns! };
};
const redeem = (investor: Investor, holdingId: string, units?: bigint, idempotencyKey: string = randomUUID()) =>
  fixture.gateway.redeemHolding({ idempotencyKey, holdingId, units }, fixture.calls(investor));
const statement = async (investor: Investor, holdingId: string) =>
  (await fixture.gateway.listMovements({ holdingId }, fixture.calls(investor))).movements;
const usd = (amountMinor: bigint) => ({ amountMinor, currency: "USD" });

test("a holding is money of its customer's that is not settled, until it is redeemed", async () => {
  const { investor, holdingId } = await holding();
  expect(await fixture.openMoney(investor)).toEqual({ holdings: 1 });
  expect(await fixture.openMoney({ ...investor, customerId: randomUUID() })).toEqual({});
  await redeem(investor, holdingId);
  await waitFor(async () => (await fixture.openMoney(investor))["holdings"] === undefined);
});

describe("interest", () => {
  test("is counted day by day, on the holding, in the sums and in the ledger", async () => {
    const { tenantId, investor, holdingId } = await holding();
    // 10,000 at 6 %: 1.64 a day.
    await fixture.passDays(tenantId, 1);
    expect((await read(investor, holdingId)).accruedInterest).toEqual(usd(1_64n));
    await fixture.passDays(tenantId, 1);
    expect((await read(investor, holdingId)).accruedInterest).toEqual(usd(3_29n));
    await fixture.passDays(tenantId, 29);
    expect(await read(investor, holdingId)).toMatchObject({
      accruedInterest: usd(50_96n),
      interestThrough: "2025-02-01",
    });
    expect(fixture.accountOf(tenantId, "investment_interest_payable")).toBe(50_96n);
    expect(fixture.accountOf(tenantId, "investment_interest_expense")).toBe(-50_96n);
  });

  test("is counted once a day, however often and in however many replicas the day is worked on", async () => {
    const { tenantId, investor, holdingId } = await holding();
    await fixture.passDays(tenantId, 1);
    await fixture.workOfDay(tenantId);
    await fixture.workOfDay(tenantId);
    expect((await read(investor, holdingId)).accruedInterest).toEqual(usd(1_64n));
    expect(fixture.accountOf(tenantId, "investment_interest_payable")).toBe(1_64n);
  });

  test("days that nobody worked on are counted when somebody does", async () => {
    const { tenantId, investor, holdingId } = await holding({ compounding: "MONTH" });
    await fixture.passDays(tenantId, 300);
    const late = (await read(investor, holdingId)).accruedInterest;
    const punctual = await holding({ compounding: "MONTH" });
    for (let day = 0; day < 10; day++) await fixture.passDays(punctual.tenantId, 30);
    expect((await read(punctual.investor, punctual.holdingId)).accruedInterest).toEqual(late);
  });
});

describe("maturity", () => {
  test("pays principal and interest less tax, once, and ends the holding", async () => {
    const { tenantId, investor, holdingId } = await holding({ withholdingTaxBps: 1_000 });
    await fixture.passDays(tenantId, 364);
    expect(fixture.balanceOf(investor)).toBe(0n);
    await fixture.passDays(tenantId, 1);
    expect(fixture.balanceOf(investor)).toBe(10_540_00n);
    await fixture.passDays(tenantId, 5);
    expect(fixture.balanceOf(investor)).toBe(10_540_00n);
    expect(fixture.accountOf(tenantId, "withholding_tax_payable")).toBe(60_00n);
    expect(fixture.accountOf(tenantId, "customer_investments")).toBe(0n);
    expect(await read(investor, holdingId)).toMatchObject({ status: "MATURED", units: 0n, principal: usd(0n) });
    expect(await statement(investor, holdingId)).toMatchObject([
      { kind: "PURCHASE", paid: usd(-10_000_00n), date: "2025-01-01" },
      { kind: "MATURITY", paid: usd(10_540_00n), tax: usd(60_00n), date: "2026-01-01", unitsAfter: 0n },
    ]);
  });

  test("that is worked on late pays what was due on its day", async () => {
    const { tenantId, investor } = await holding();
    await fixture.passDays(tenantId, 500);
    expect(fixture.balanceOf(investor)).toBe(10_600_00n);
  });

  test("begins a new term with the principal, or with all of it", async () => {
    const principal = await holding({ reinvestment: "PRINCIPAL" });
    await fixture.passDays(principal.tenantId, 365);
    expect(fixture.balanceOf(principal.investor)).toBe(600_00n);
    expect(await read(principal.investor, principal.holdingId)).toMatchObject({
      status: "ACTIVE",
      principal: usd(10_000_00n),
      maturityDate: "2027-01-01",
    });
    const all = await holding({ reinvestment: "ALL", withholdingTaxBps: 1_000 });
    await fixture.passDays(all.tenantId, 365 + 365);
    expect(fixture.balanceOf(all.investor)).toBe(0n);
    // 10,000 × 1.054².
    const held = await read(all.investor, all.holdingId);
    expect(held).toMatchObject({ principal: usd(11_109_16n), maturityDate: "2028-01-01" });
    expect(held.returns).toMatchObject({ netGain: usd(1_109_16n), xirr: "0.054000" });
  });

  test("interest paid each month adds up, also when months are worked on at once", async () => {
    const { tenantId, investor, holdingId } = await holding({ payout: "MONTH", withholdingTaxBps: 1_000 });
    await fixture.passDays(tenantId, 31);
    expect(fixture.balanceOf(investor)).toBe(45_86n);
    await fixture.passDays(tenantId, 150);
    const lines = await statement(investor, holdingId);
    expect(lines.map(({ kind, date }) => `${kind} ${date}`)).toEqual([
      "PURCHASE 2025-01-01",
      "PAYOUT 2025-02-01",
      "PAYOUT 2025-03-01",
      "PAYOUT 2025-04-01",
      "PAYOUT 2025-05-01",
      "PAYOUT 2025-06-01",
      "PAYOUT 2025-07-01",
    ]);
    const interest = lines.reduce((sum, line) => sum + line.interest!.amountMinor, 0n);
    expect(interest).toBe(297_53n);
    await fixture.passDays(tenantId, 200);
    // Tax is rounded at each payment.
    expect(fixture.balanceOf(investor)).toBe(10_600_00n - fixture.accountOf(tenantId, "withholding_tax_payable"));
    expect(fixture.accountOf(tenantId, "withholding_tax_payable")).toBe(60_02n);
  });
});

describe("redemption", () => {
  test("in part, then of the rest: parts add up, and returns stay right", async () => {
    const { tenantId, investor, holdingId } = await holding();
    await fixture.passDays(tenantId, 181);
    const { redemption: part } = await redeem(investor, holdingId, 30n);
    // 297.53 of interest on 100 units.
    expect(part).toMatchObject({ units: 30n, principal: usd(3_000_00n), interest: usd(89_26n), unitsLeft: 70n });
    expect(fixture.balanceOf(investor)).toBe(3_089_26n);
    expect(await read(investor, holdingId)).toMatchObject({
      units: 70n,
      principal: usd(7_000_00n),
      accruedInterest: usd(208_27n),
      returns: { invested: usd(7_000_00n), grossGain: usd(297_53n), netGain: usd(297_53n), daysInvested: 181 },
    });
    await fixture.passDays(tenantId, 84);
    const { redemption: rest } = await redeem(investor, holdingId);
    expect(rest).toMatchObject({ units: 70n, unitsLeft: 0n, principal: usd(7_000_00n) });
    // 7,000 at 6 % for 265 days, give or take what was rounded at the split.
    expect(rest!.interest!.amountMinor).toBe(304_93n);
    expect((await read(investor, holdingId)).status).toBe("REDEEMED");
  });

  test("counts the interest of today's morning before anybody worked on the day", async () => {
    const { tenantId, investor, holdingId } = await holding();
    fixture.moveDate(tenantId, 10);
    const { redemption } = await redeem(investor, holdingId);
    expect(redemption!.interest).toEqual(usd(16_44n));
    expect(fixture.accountOf(tenantId, "investment_interest_expense")).toBe(-16_44n);
  });

  // 10 units of 100.00 at 4.5 % earn 37.5 cents in three days, of which
  // half a cent is booked in advance.
  const halves = { tiers: [{ fromMinor: 0n, ratePercent: "4.5" }], dayCount: "ACT_360" };

  test("of half a cent that was booked in advance: the next one of the same day is paid too", async () => {
    const { tenantId, investor, holdingId } = await holding(halves, 10n);
    await fixture.passDays(tenantId, 3);
    const first = await redeem(investor, holdingId, 5n);
    expect(first.redemption).toMatchObject({ interest: usd(19n), unitsLeft: 5n });
    const next = await redeem(investor, holdingId, 2n);
    expect(next.redemption).toMatchObject({ interest: usd(8n), unitsLeft: 3n });
    // Three days later counting has caught up: 300.00 at 4.5 % for six days are 22.5 cents.
    await fixture.passDays(tenantId, 3);
    expect((await read(investor, holdingId)).accruedInterest).toEqual(usd(22n));
  });

  test("of half a cent before a due day that counts for nothing keeps nobody from being paid on it", async () => {
    const given = { ...halves, dayCount: "THIRTY_360", termMonths: 0, termDays: 30 };
    const { tenantId, investor, product, holdingId } = await holding(given, 30n);
    const neighbour = await fixture.investor({ tenantId });
    await fixture.apply(neighbour, product, { units: 10n });
    // 1,087.5 cents to the 30th, 363 of them for ten units, and nothing from the 30th to the 31st.
    await fixture.passDays(tenantId, 29);
    expect((await redeem(investor, holdingId, 10n)).redemption).toMatchObject({ interest: usd(3_63n) });
    await fixture.passDays(tenantId, 1);
    expect(await read(investor, holdingId)).toMatchObject({ status: "MATURED", units: 0n });
    expect(fixture.accountOf(tenantId, "customer_investments")).toBe(0n);
    expect(fixture.accountOf(tenantId, "investment_interest_payable")).toBe(0n);
  });

  test.each([
    [{ kind: "INTEREST_SHARE", bps: 5_000 }, 148_77n],
    [{ kind: "PRINCIPAL_SHARE", bps: 100 }, 100_00n],
    [{ kind: "RATE_REDUCTION", percent: "2" }, 99_17n],
  ])("before maturity costs %j", async (penalty, lost) => {
    const { tenantId, investor, holdingId } = await holding({ penalty, withholdingTaxBps: 0 });
    await fixture.passDays(tenantId, 181);
    const { redemption } = await redeem(investor, holdingId);
    expect(redemption).toMatchObject({ interest: usd(297_53n), penalty: usd(lost), paid: usd(10_297_53n - lost) });
    expect(fixture.accountOf(tenantId, "investment_penalty_income")).toBe(lost);
    const { returns } = await read(investor, holdingId);
    expect(returns).toMatchObject({ grossGain: usd(297_53n), netGain: usd(297_53n - lost) });
  });

  test("is the same answer for the same key", async () => {
    const { tenantId, investor, holdingId } = await holding();
    await fixture.passDays(tenantId, 1);
    const key = randomUUID();
    const first = await redeem(investor, holdingId, 10n, key);
    expect(await redeem(investor, holdingId, 10n, key)).toEqual(first);
    expect((await refusalOf(redeem(investor, holdingId, 11n, key))).code).toBe("IDEMPOTENCY_KEY_REUSED");
    expect(fixture.balanceOf(investor)).toBe(first.redemption!.paid!.amountMinor);
  });

  test("many at once never redeem more than there is", async () => {
    const { investor, holdingId } = await holding();
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () =>
        redeem(investor, holdingId, 30n).then(
          () => "paid",
          (error: { code: string }) => error.code,
        ),
      ),
    );
    const paid = outcomes.filter((outcome) => outcome === "paid").length;
    expect(paid).toBeGreaterThan(0);
    expect(paid).toBeLessThanOrEqual(3);
    expect(fixture.balanceOf(investor)).toBe(BigInt(paid) * 3_000_00n);
    const others = outcomes.filter((outcome) => outcome !== "paid");
    expect(others.every((code) => ["STATE_CONFLICT", "UNITS_OUT_OF_LIMITS"].includes(code))).toBe(true);
  });

  test("is refused before the lock-in is over, for more than is held, and of what is over", async () => {
    const { tenantId, investor, holdingId } = await holding({ lockInDays: 30 });
    await fixture.passDays(tenantId, 29);
    expect((await refusalOf(redeem(investor, holdingId))).code).toBe("HOLDING_LOCKED");
    await fixture.passDays(tenantId, 1);
    const more = await refusalOf(redeem(investor, holdingId, 101n));
    expect(more).toMatchObject({ code: "UNITS_OUT_OF_LIMITS", details: { figures: { unitsHeld: "100" } } });
    await redeem(investor, holdingId);
    expect((await refusalOf(redeem(investor, holdingId))).code).toBe("HOLDING_CLOSED");
  });

  test("of other people's holdings: 403 in the tenant, 404 of another tenant, bad input by its field", async () => {
    const { tenantId, investor, holdingId } = await holding();
    const neighbour = await fixture.investor({ tenantId });
    const stranger = await fixture.investor();
    expect((await refusalOf(redeem(neighbour, holdingId))).code).toBe("FORBIDDEN");
    expect((await refusalOf(redeem(stranger, holdingId))).code).toBe("NOT_FOUND");
    expect((await refusalOf(read(neighbour, holdingId))).code).toBe("FORBIDDEN");
    expect((await refusalOf(read(stranger, holdingId))).code).toBe("NOT_FOUND");
    expect((await refusalOf(statement(neighbour, holdingId))).code).toBe("FORBIDDEN");
    for (const [path, units, id] of [
      ["units", 0n, holdingId],
      ["units", -5n, holdingId],
      ["holdingId", 1n, "x"],
    ] as const) {
      expect(await refusalOf(redeem(investor, id, units))).toMatchObject({ details: { errors: [{ path }] } });
    }
  });
});

describe("a holding that cannot be counted", () => {
  const day = async (tenantId: string) => {
    for (let isDone = false; !isDone;) ({ isDone } = await fixture.services[0]!.days.workOn(tenantId));
  };
  const change = (tenantId: string, holdingId: string, set: object) =>
    fixture.database.db.collection("holdings").updateOne({ tenantId, _id: holdingId as never }, { $set: set });

  test.each([
    ["cannot be read", { "interest.running": "none" }, { "interest.running": "0" }],
    [
      "is beyond what can be counted",
      { principalMinor: 2n ** 63n - 1n, ratePercent: "600" },
      { principalMinor: 10_000_00n, ratePercent: "6" },
    ],
  ])(
    "since it %s is set aside: those beside it earn and mature, and it follows when it is repaired",
    async (_why, damage, repair) => {
      const { tenantId, product, investor, holdingId } = await holding();
      // Of the same customer, so of the same share of the day.
      const beside = (
        await fixture.apply(await fixture.withWallet(investor, "USD", 10_000_00n), product, { units: 100n })
      ).application!;
      await change(tenantId, holdingId, damage);
      fixture.moveDate(tenantId, 365);
      await day(tenantId);
      await waitFor(async () => (await read(investor, beside.holdingId)).status === "MATURED", {
        what: "the other one",
      });
      const apart = { tenantId, kind: "resume-holding", state: "DUE", lastError: { $exists: true } };
      await waitFor(async () => fixture.database.db.collection("outbox").findOne(apart), { what: "a try of its own" });
      await change(tenantId, holdingId, repair);
      await waitFor(async () => (await read(investor, holdingId)).status === "MATURED", { what: "the repaired one" });
      const stored = await fixture.database.db.collection("holdings").findOne({ tenantId, _id: holdingId as never });
      expect(stored).not.toHaveProperty("setAside");
      // Of both holdings, one after the other.
      expect(fixture.accountOf(tenantId, "investment_interest_expense")).toBe(-1_200_00n);
    },
  );
});

describe("cut off in the middle", () => {
  test.each(["planned", "posted", "ended"])("a redemption after %s: the retry pays it once", async (point) => {
    const { tenantId, investor, holdingId } = await holding();
    await fixture.passDays(tenantId, 100);
    const key = randomUUID();
    fixture.crashAt(`investment.settlement.${point}`);
    await refusalOf(redeem(investor, holdingId, 50n, key));
    expect(fixture.crashedAt(`investment.settlement.${point}`)).toBe(true);
    const { redemption } = await redeem(investor, holdingId, 50n, key);
    expect(fixture.balanceOf(investor)).toBe(redemption!.paid!.amountMinor);
    expect((await read(investor, holdingId)).units).toBe(50n);
  });

  test.each(["posted", "ended"])("a maturity after %s: it is paid once", async (point) => {
    const { tenantId, investor } = await holding();
    fixture.crashAt(`investment.settlement.${point}`);
    await fixture.passDays(tenantId, 365);
    // Whoever ended it may not have come to the point after that yet.
    await waitFor(() => fixture.crashedAt(`investment.settlement.${point}`), { what: "the crash" });
    expect(fixture.balanceOf(investor)).toBe(10_600_00n);
  });

  test.each(["counted", "slice", "posted"])("accrual after %s: a day counts once", async (point) => {
    const { tenantId, investor, holdingId } = await holding();
    fixture.crashAt(`investment.accrual.${point}`);
    await fixture.passDays(tenantId, 1).catch(() => fixture.workOfDay(tenantId));
    expect(fixture.crashedAt(`investment.accrual.${point}`)).toBe(true);
    await fixture.workOfDay(tenantId);
    expect((await read(investor, holdingId)).accruedInterest).toEqual(usd(1_64n));
    expect(fixture.accountOf(tenantId, "investment_interest_payable")).toBe(1_64n);
  });

  test.each(["before", "after"] as const)("a posting whose answer is lost %s it took effect", async (when) => {
    const { tenantId, investor } = await holding();
    await fixture.passDays(tenantId, 364);
    fixture.faults.next("postTransfers", when, "UNAVAILABLE", 3);
    await fixture.passDays(tenantId, 1);
    expect(fixture.balanceOf(investor)).toBe(10_600_00n);
  });
});

describe("a dividend", () => {
  test("is shared by unit-days, adds up to the cent, and is paid less tax", async () => {
    const tenantId = testTenant();
    tenants.push(tenantId);
    const share = { tiers: [{ fromMinor: 0n, ratePercent: "0" }], termMonths: 0, withholdingTaxBps: 1_500 };
    const product = await fixture.product(tenantId, share);
    const holders = await Promise.all([0, 1, 2].map(() => fixture.investor({ tenantId, balance: 1_000_00n })));
    for (const holder of holders) await fixture.apply(holder, product);
    const [first, second, third] = holders as [Investor, Investor, Investor];
    await fixture.passDays(tenantId, 30);
    const { holdings } = await fixture.gateway.listHoldings({}, fixture.calls(third));
    await redeem(third, holdings[0]!.holdingId);
    await fixture.passDays(tenantId, 60);
    const manager = fixture.staff(tenantId);
    const declare = (idempotencyKey: string, amountMinor = 100_00n) =>
      fixture.gateway.declareDividend(
        {
          idempotencyKey,
          productId: product.productId,
          from: "2025-01-01",
          to: "2025-04-01",
          amount: usd(amountMinor),
        },
        fixture.calls(manager),
      );
    const key = randomUUID();
    const { dividend } = await declare(key);
    expect((await declare(key)).dividend?.dividendId).toBe(dividend?.dividendId);
    expect((await refusalOf(declare(key, 1n))).code).toBe("IDEMPOTENCY_KEY_REUSED");
    await fixture.settled(tenantId);
    // 900, 900 and 300 unit-days of 2,100: 42.857…, 42.857…, 14.285…
    const { dividend: paid } = await fixture.gateway.getDividend(
      { dividendId: dividend!.dividendId },
      fixture.calls(manager),
    );
    expect(paid).toMatchObject({ status: "PAID", holdings: 3n, paid: usd(100_00n), failed: usd(0n), tax: usd(15_00n) });
    expect(fixture.balanceOf(first) + fixture.balanceOf(second) + fixture.balanceOf(third)).toBe(1_000_00n + 85_00n);
    expect(fixture.accountOf(tenantId, "investment_dividend_expense")).toBe(-100_00n);
    expect(fixture.accountOf(tenantId, "withholding_tax_payable")).toBe(15_00n);
    const lines = await statement(
      first,
      (await fixture.gateway.listHoldings({}, fixture.calls(first))).holdings[0]!.holdingId,
    );
    expect(lines).toMatchObject([{ kind: "PURCHASE" }, { kind: "DIVIDEND", interest: usd(42_86n), tax: usd(6_43n) }]);
  });

  test("is taxed by the version that each holding was bought under, as its interest is", async () => {
    const { tenantId, investor, product } = await holding({ withholdingTaxBps: 1_000 });
    await fixture.product(tenantId, { ...product, withholdingTaxBps: 2_000 });
    const later = await fixture.investor({ tenantId, balance: 10_000_00n });
    await fixture.apply(later, product, { units: 100n });
    await fixture.passDays(tenantId, 10);
    const declared = { productId: product.productId, from: "2025-01-01", to: "2025-01-11", amount: usd(100_00n) };
    await fixture.gateway.declareDividend(
      { idempotencyKey: randomUUID(), ...declared },
      fixture.calls(fixture.staff(tenantId)),
    );
    await fixture.settled(tenantId);
    expect(fixture.balanceOf(investor)).toBe(45_00n);
    expect(fixture.balanceOf(later)).toBe(40_00n);
    expect(fixture.accountOf(tenantId, "withholding_tax_payable")).toBe(15_00n);
  });

  test("bad input names its field; another tenant's product is 404; only a MANAGER declares one", async () => {
    const { tenantId, product } = await holding();
    await fixture.passDays(tenantId, 40);
    const good = {
      idempotencyKey: "k",
      productId: product.productId,
      from: "2025-01-01",
      to: "2025-02-01",
      amount: usd(1_00n),
    };
    const declare = (given: object, person = fixture.staff(tenantId)) =>
      refusalOf(fixture.gateway.declareDividend({ ...good, ...given }, fixture.calls(person)));
    for (const [path, given] of [
      ["idempotencyKey", { idempotencyKey: "" }],
      ["productId", { productId: "x" }],
      ["from", { from: "2025-02-30" }],
      ["to", { to: "2025-01-01" }],
      ["to", { to: "2025-12-31" }],
      ["amount", { amount: undefined }],
    ] as const) {
      expect(await declare(given)).toMatchObject({ code: "INVALID_INPUT", details: { errors: [{ path }] } });
    }
    expect((await declare({ amount: usd(0n) })).code).toBe("AMOUNT_NOT_POSITIVE");
    expect((await declare({ amount: usd(10n ** 13n + 1n) })).code).toBe("AMOUNT_ABOVE_CEILING");
    expect((await declare({ amount: { amountMinor: 1n, currency: "EUR" } })).code).toBe("CURRENCY_MISMATCH");
    const elsewhere = testTenant();
    fixture.moveDate(elsewhere, 40);
    expect((await declare({}, fixture.staff(elsewhere))).code).toBe("NOT_FOUND");
    expect((await declare({}, fixture.staff(tenantId, "AGENT"))).code).toBe("FORBIDDEN");
  });
});

describe("get-total", () => {
  const totals = (person: { tenantId: string; token: string }, userId: string) =>
    fixture.gateway.getTotals({ userId }, fixture.calls(person));

  test("adds up what is held and earned, in the base currency, and keeps the rates", async () => {
    const { tenantId, investor } = await holding();
    const euros = await fixture.product(tenantId, { ...productDraft(), currency: "EUR" });
    const inEuros = await fixture.withWallet(investor, "EUR", 10_000_00n);
    await fixture.apply(inEuros, euros, { units: 20n });
    await fixture.passDays(tenantId, 10);
    fixture.rates.set("EUR USD", "1.08125");
    // Asked by many at once, the rate is kept by one of them.
    const [answer, ...others] = await Promise.all(Array.from({ length: 12 }, () => totals(investor, investor.userId)));
    for (const other of others) expect(other).toEqual(answer);
    // 10,000.00 + 2,000.00 × 1.08125; 16.44 + 3.29 × 1.08125 (3.5573… → 3.56).
    expect(answer).toMatchObject({
      invested: usd(12_162_50n),
      accruedInterest: usd(20_00n),
      rates: [{ fromCurrency: "EUR", toCurrency: "USD", rate: "1.08125", source: "test" }],
    });
    fixture.rates.delete("EUR USD");
    // Only the rate out of the base currency is published: 2,000.00 ÷ 0.925, 3.29 ÷ 0.925.
    fixture.rates.set("USD EUR", "0.925");
    expect(await totals(investor, investor.userId)).toMatchObject({
      invested: usd(12_162_16n),
      accruedInterest: usd(20_00n),
      rates: [{ fromCurrency: "USD", toCurrency: "EUR", rate: "0.925" }],
    });
    fixture.rates.delete("USD EUR");
    expect((await refusalOf(totals(investor, investor.userId))).code).toBe("RATE_NOT_AVAILABLE");
    fixture.baseCurrencies.set(tenantId, "USD");
  });

  test("is nothing before, and nothing after all is redeemed", async () => {
    const { tenantId, investor, holdingId } = await holding();
    const newcomer = await fixture.investor({ tenantId });
    expect(await totals(newcomer, newcomer.userId)).toMatchObject({ invested: usd(0n), accruedInterest: usd(0n) });
    await fixture.passDays(tenantId, 10);
    await redeem(investor, holdingId);
    expect(await totals(investor, investor.userId)).toMatchObject({ invested: usd(0n), accruedInterest: usd(0n) });
  });

  test("of others: a MANAGER any, an AGENT managed customers, a customer nobody; another tenant's user is 404", async () => {
    const { tenantId, investor } = await holding();
    const agent = fixture.staff(tenantId, "AGENT");
    const managed = await fixture.investor({ tenantId, agentId: agent.userId });
    expect((await totals(fixture.staff(tenantId), investor.userId)).invested).toEqual(usd(10_000_00n));
    expect((await totals(agent, managed.userId)).invested).toEqual(usd(0n));
    expect((await refusalOf(totals(agent, investor.userId))).code).toBe("FORBIDDEN");
    expect((await refusalOf(totals(managed, investor.userId))).code).toBe("FORBIDDEN");
    expect((await refusalOf(totals(fixture.staff(tenantId, "CASHIER"), investor.userId))).code).toBe("FORBIDDEN");
    const stranger = await fixture.investor();
    expect((await refusalOf(totals(fixture.staff(tenantId), stranger.userId))).code).toBe("CUSTOMER_NOT_FOUND");
    expect(await refusalOf(totals(investor, "x"))).toMatchObject({ details: { errors: [{ path: "userId" }] } });
  });
});
