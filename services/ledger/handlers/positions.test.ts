import { LedgerServiceDefinition } from "../../../proto/gen/ledger/v1/ledger.js";
import { PositionServiceDefinition } from "../../../proto/gen/ledger/v1/positions.js";
import { CloseBlockerServiceDefinition } from "../../../proto/gen/operations/v1/closing.js";
import { waitFor } from "../../../test/support/index.js";
import { createBooksFixture, type BooksFixture, type BooksTenant } from "../../../test/support/books-fixture.js";
import { transfer } from "../../../test/support/ledger-fixture.js";
import { createPositionStore } from "../store/positions.js";

let fixture: BooksFixture;
const clientOf = (of: BooksFixture) => of.client(PositionServiceDefinition);
let client: ReturnType<typeof clientOf>;
let remittance: ReturnType<typeof clientOf>;
const ledgerOf = (of: BooksFixture) => of.client(LedgerServiceDefinition);
let ledger: ReturnType<typeof ledgerOf>;
const closingOf = (of: BooksFixture) => of.client(CloseBlockerServiceDefinition);
let closing: ReturnType<typeof closingOf>;

beforeAll(async () => {
  fixture = await createBooksFixture("ledger_positions", { POSITION_GATHER_MS: "20", POSITION_LOOK_MS: "200" });
  client = clientOf(fixture);
  remittance = fixture.client(PositionServiceDefinition, "remittance");
  ledger = ledgerOf(fixture);
  closing = closingOf(fixture);
});
afterAll(() => fixture.close());

const partner = "partner_settlement:operator:NGN";
const ngn = (amountMinor: bigint) => ({ amount: { amountMinor, currency: "NGN" } });

/** A tenant that has sold 152,575.00 NGN for 100.00 USD, and not bought them yet. */
async function shortOfNaira(): Promise<BooksTenant> {
  const tenant = fixture.tenant();
  await tenant.openRemittance(
    { code: "remittance_clearing", currency: "USD" },
    { code: "exchange_position", currency: "USD" },
    { code: "exchange_position", currency: "NGN" },
    { code: "exchange_position", currency: "GBP" },
    { code: "partner_settlement", currency: "NGN", accountId: partner },
  );
  await tenant.postAsRemittance(
    transfer("paid:1", "remittance_clearing:USD", "exchange_position:USD", 100_00n),
    transfer("paid:2", "exchange_position:NGN", partner, 0n, ngn(15_257_500n)),
  );
  return tenant;
}

const read = async (tenant: BooksTenant) => client.getPositions({}, tenant.as());

test("a payment opens a position; what it is bought back for realises the difference, once", async () => {
  const tenant = await shortOfNaira();
  const naira = { code: "exchange_position", currency: "NGN", baseCurrency: "USD" };
  const open = { ...naira, quantityMinor: -15_257_500n, costMinor: -100_00n, realisedMinor: 0n };
  expect((await read(tenant)).positions).toMatchObject([open]);
  await tenant.postAsRemittance(
    transfer("back:1", partner, "exchange_position:NGN", 0n, ngn(15_257_500n)),
    transfer("back:2", "exchange_position:USD", "remittance_clearing:USD", 99_40n),
  );
  const closed = { ...naira, quantityMinor: 0n, costMinor: 0n, realisedMinor: 60n };
  const all = await Promise.all(Array.from({ length: 5 }, () => read(tenant)));
  for (const { positions } of all) expect(positions).toMatchObject([closed]);
  expect((await read(tenant)).positions).toMatchObject([closed]);
  expect([
    await tenant.creditMinor(partner),
    await tenant.creditMinor("fx_result:USD"),
    await tenant.creditMinor("exchange_position:USD"),
  ]).toEqual([0n, 60n, 0n]);
});

test("a payout that comes back at its own rate realises nothing", async () => {
  const tenant = await shortOfNaira();
  await tenant.postAsRemittance(
    transfer("return:1", partner, "exchange_position:NGN", 0n, ngn(15_257_500n)),
    transfer("return:2", "exchange_position:USD", "remittance_clearing:USD", 100_00n),
  );
  expect((await read(tenant)).positions).toMatchObject([{ quantityMinor: 0n, costMinor: 0n, realisedMinor: 0n }]);
});

const dayMs = 24 * 60 * 60_000;
const today = new Date().toISOString().slice(0, 10);
const daysAgo = (days: number) => new Date(Date.parse(today) - days * dayMs).toISOString().slice(0, 10);
const on = (day: string) => ({ effectiveAt: new Date(`${day}T12:00:00Z`) });

/** As remittance tells it: what held at the end of a day, or holds so far. */
const tell = (
  tenant: BooksTenant,
  day: string,
  pair: string,
  rate: string,
  more: { isDayEnd?: boolean; at?: Date; sequence?: number } = {},
) => {
  const [fromCurrency = "", toCurrency = ""] = pair.split("/");
  const said = { source: "ECB", at: new Date(`${day}T09:00:00Z`), day, isDayEnd: true, sequence: 1, ...more };
  return remittance.recordMiddleRates({ rates: [{ fromCurrency, toCurrency, rate, ...said }] }, tenant.call());
};

const revalue = (tenant: BooksTenant, day: string, idempotencyKey = tenant.key()) =>
  client.revaluePositions({ idempotencyKey, day }, tenant.as());

describe("an exchange of two foreign currencies", () => {
  /** 1.00 GBP taken for 2,000.00 NGN. */
  async function crossed() {
    const tenant = await shortOfNaira();
    const gbp = { amount: { amountMinor: 1_00n, currency: "GBP" } };
    await tenant.openRemittance({ code: "remittance_clearing", currency: "GBP" });
    await tenant.postAsRemittance(
      transfer("cross:1", "remittance_clearing:GBP", "exchange_position:GBP", 0n, gbp),
      transfer("cross:2", "exchange_position:NGN", partner, 0n, ngn(2_000_00n)),
    );
    return tenant;
  }

  test("waits for a price, is named, and goes on by itself once a rate is told", async () => {
    const tenant = await crossed();
    const { positions, waiting } = await read(tenant);
    expect(positions).toMatchObject([{ currency: "NGN", quantityMinor: -15_257_500n }]);
    expect(waiting).toEqual([{ code: "exchange_position", sequence: 4n, currencies: ["GBP", "NGN"], day: today }]);
    expect((await read(tenant)).waiting).toEqual(waiting);
    await tell(tenant, today, "GBP/USD", "1.34", { isDayEnd: false });
    await waitFor(async () => ((await bookOf(tenant))?.waiting === undefined ? true : undefined), { what: "a price" });
    const after = await read(tenant);
    expect(after.waiting).toEqual([]);
    // What came in is worth its rate; what went out was sold for that.
    expect(after.positions.toSorted((a, b) => (a.currency < b.currency ? -1 : 1))).toMatchObject([
      { currency: "GBP", quantityMinor: 1_00n, costMinor: 1_34n },
      { currency: "NGN", quantityMinor: -15_457_500n, costMinor: -101_34n },
    ]);
    expect(after.priced).toMatchObject([
      {
        code: "exchange_position",
        sequence: 4n,
        day: today,
        rates: [{ fromCurrency: "GBP", rate: "1.34", source: "ECB" }],
      },
    ]);
  });

  test("is priced by the rate of what went out where that alone is known, told the other way round", async () => {
    const tenant = await crossed();
    await tell(tenant, today, "USD/NGN", "1600", { isDayEnd: false });
    const { positions } = await read(tenant);
    expect(positions.toSorted((a, b) => (a.currency < b.currency ? -1 : 1))).toMatchObject([
      { currency: "GBP", quantityMinor: 1_00n, costMinor: 1_25n },
      { currency: "NGN", costMinor: -101_25n },
    ]);
  });

  test("does not go by a rate of another tenant", async () => {
    const [tenant, other] = [await crossed(), await crossed()];
    await tell(other, today, "GBP/USD", "1.34");
    expect((await read(tenant)).waiting).toHaveLength(1);
    expect((await read(other)).waiting).toHaveLength(0);
  });
});

/** As the book is stored, without counting it. */
const bookOf = (tenant: BooksTenant) =>
  createPositionStore(fixture.database.db)
    .forTenant(tenant.tenantId)
    .find("exchange_position")
    .then((read) => read?.book);

test("what exchanges won is counted and posted behind them, though nobody reads it", async () => {
  const tenant = await shortOfNaira();
  await tenant.postAsRemittance(
    transfer("back:1", partner, "exchange_position:NGN", 0n, ngn(15_257_500n)),
    transfer("back:2", "exchange_position:USD", "remittance_clearing:USD", 99_40n),
  );
  await waitFor(async () => ((await tenant.creditMinor("fx_result:USD")) === 60n ? true : undefined), {
    what: "the result",
  });
});

test("a tenant without exchanges is not looked at", async () => {
  const tenant = fixture.tenant();
  await tenant.openRemittance(
    { code: "remittance_clearing", currency: "USD" },
    { code: "fee_income", currency: "USD" },
  );
  await tenant.postAsRemittance(transfer("fee", "remittance_clearing:USD", "fee_income:USD", 2_50n));
  await tell(tenant, today, "GBP/USD", "1.34");
  const looks = fixture.database.db.collection<{ tenantId: string }>("position_looks");
  expect(await looks.countDocuments({ tenantId: tenant.tenantId })).toBe(0);
});

describe("at the end of a day", () => {
  /** Bought 100.00 USD for 120.00 CAD three days ago, where base is CAD. */
  async function longOfDollars() {
    const tenant = fixture.tenant();
    fixture.identity.baseCurrencies.set(tenant.tenantId, "CAD");
    await tenant.openRemittance(
      { code: "remittance_clearing", currency: "USD" },
      { code: "remittance_clearing", currency: "CAD" },
      { code: "exchange_position", currency: "USD" },
      { code: "exchange_position", currency: "CAD" },
    );
    const cad = { amount: { amountMinor: 120_00n, currency: "CAD" }, ...on(daysAgo(3)) };
    await tenant.postAsRemittance(
      transfer("bought:1", "remittance_clearing:USD", "exchange_position:USD", 100_00n, on(daysAgo(3))),
      transfer("bought:2", "exchange_position:CAD", "remittance_clearing:CAD", 0n, cad),
    );
    return tenant;
  }

  const day = daysAgo(3);
  /** Of fx_result and the base position, at the end of a day: credits less debits. */
  const results = (tenant: BooksTenant, effectiveDate: string) =>
    Promise.all(
      ["fx_result:CAD", "exchange_position:CAD"].map(async (accountId) => {
        const balance = await ledger.getBalance({ accountId, effectiveDate }, tenant.as());
        return balance.creditsPostedMinor! - balance.debitsPostedMinor!;
      }),
    );

  test.each([
    ["1.15", -5_00n],
    ["1.20", 0n],
    ["1.25", 5_00n],
    ["1.30", 10_00n],
  ])("100.00 USD bought for 120.00 CAD are revalued at %s, and taken back the next day", async (rate, won) => {
    const tenant = await longOfDollars();
    await tell(tenant, day, "USD/CAD", rate);
    const { revaluation } = await revalue(tenant, day);
    const position = { code: "exchange_position", currency: "USD", baseCurrency: "CAD", quantityMinor: 100_00n };
    const named = {
      fromCurrency: "USD",
      toCurrency: "CAD",
      rate,
      source: "ECB",
      at: new Date(`${day}T09:00:00Z`),
      day,
    };
    expect(revaluation).toMatchObject({
      day,
      isCurrent: true,
      positions: [{ ...position, costMinor: 120_00n, worthMinor: 120_00n + won, unrealisedMinor: won, middle: named }],
    });
    if (won !== 0n) expect(await results(tenant, day)).toEqual([won, -120_00n - won]);
    else expect(await tenant.creditMinor("fx_result:CAD")).toBeUndefined();
    if (won !== 0n) expect(await results(tenant, daysAgo(2))).toEqual([0n, -120_00n]);
    expect((await client.getRevaluation({ day }, tenant.as())).revaluation).toMatchObject({ day, isCurrent: true });
    const { positions } = await read(tenant);
    expect(positions).toMatchObject([
      { average: { fromCurrency: "USD", toCurrency: "CAD", rate: "1.2" }, middle: named, unrealisedMinor: won },
    ]);
  });

  test("each day is revalued by itself once its rates are told, and what is asked twice is once", async () => {
    const tenant = await longOfDollars();
    await tell(tenant, day, "USD/CAD", "1.25");
    await waitFor(() => client.getRevaluation({ day }, tenant.as()).catch(() => undefined), { what: "a revaluation" });
    await Promise.all(Array.from({ length: 4 }, () => revalue(tenant, day)));
    expect(await results(tenant, day)).toEqual([5_00n, -125_00n]);
    expect((await client.getRevaluation({ day }, tenant.as())).revaluation).toMatchObject({
      rounds: 1,
      revaluedBy: "ledger",
    });
    expect((await read(tenant)).unrevaluedDays).toEqual([daysAgo(2), daysAgo(1)]);
  });

  test("what is posted to the day later makes another round of the difference", async () => {
    const tenant = await longOfDollars();
    await tell(tenant, day, "USD/CAD", "1.25");
    await revalue(tenant, day);
    const cad = { amount: { amountMinor: 65_00n, currency: "CAD" }, ...on(day) };
    await tenant.postAsRemittance(
      transfer("sold:1", "exchange_position:USD", "remittance_clearing:USD", 50_00n, on(day)),
      transfer("sold:2", "remittance_clearing:CAD", "exchange_position:CAD", 0n, cad),
    );
    const { revaluation } = await waitFor(
      async () => {
        const found = await client.getRevaluation({ day }, tenant.as());
        return found.revaluation!.rounds === 2 && found.revaluation!.isCurrent ? found : undefined;
      },
      { what: "another round" },
    );
    expect(revaluation!.positions).toMatchObject([
      { quantityMinor: 50_00n, costMinor: 60_00n, unrealisedMinor: 2_50n },
    ]);
    // 5.00 of it realised, 2.50 not yet.
    expect(await results(tenant, day)).toEqual([7_50n, -62_50n]);
    expect(await results(tenant, daysAgo(2))).toEqual([5_00n, -60_00n]);
  });

  test("a day whose rate is missing is refused by name, not kept, and goes through once it is told", async () => {
    const tenant = await longOfDollars();
    const key = tenant.key();
    // What held in the course of the day is not what held at its end.
    await tell(tenant, day, "USD/CAD", "1.25", { isDayEnd: false });
    await expect(revalue(tenant, day, key)).rejects.toMatchObject({
      code: "RATE_NOT_AVAILABLE",
      details: { errors: [{ path: "rates.USD" }] },
    });
    await tell(tenant, day, "USD/CAD", "1.25");
    expect((await revalue(tenant, day, key)).revaluation!.positions).toHaveLength(1);
  });

  test("a day without positions is noted as done, and nothing is posted", async () => {
    const tenant = fixture.tenant();
    expect((await revalue(tenant, day)).revaluation).toMatchObject({ rounds: 1, positions: [] });
    expect(await tenant.creditMinor("fx_result:USD")).toBeUndefined();
  });

  test("a day that is not over, or is none, is refused; so is one that is closed", async () => {
    const tenant = await longOfDollars();
    await expect(revalue(tenant, today)).rejects.toMatchObject({ code: "INVALID_INPUT" });
    await expect(revalue(tenant, "2026-02-30")).rejects.toMatchObject({ code: "INVALID_INPUT" });
    await tenant.closeThrough(day);
    await tell(tenant, day, "USD/CAD", "1.25");
    await expect(revalue(tenant, day)).rejects.toMatchObject({ code: "PERIOD_CLOSED" });
    await expect(client.getRevaluation({ day }, tenant.as())).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("open days without a revaluation stand in the way of closing, and none once they have it", async () => {
    const tenant = await longOfDollars();
    await read(tenant);
    const blockers = async (throughDate: string) =>
      (await closing.listCloseBlockers({ throughDate }, tenant.as())).blockers.filter(
        ({ kind }) => kind === "REVALUATION_MISSING",
      );
    expect(await blockers(daysAgo(4))).toEqual([]);
    expect(await blockers(daysAgo(2))).toMatchObject([{ count: 2, oldestAt: new Date(`${day}T00:00:00Z`) }]);
    for (const each of [day, daysAgo(2)]) {
      await tell(tenant, each, "USD/CAD", "1.25");
      await revalue(tenant, each);
    }
    expect(await blockers(daysAgo(2))).toEqual([]);
    expect(await blockers(daysAgo(1))).toMatchObject([{ count: 1 }]);
  });

  test("only remittance tells rates, only managers revalue, and nobody sees another's", async () => {
    const tenant = await longOfDollars();
    await tell(tenant, day, "USD/CAD", "1.25");
    await revalue(tenant, day);
    await expect(client.recordMiddleRates({ rates: [] }, tenant.as())).rejects.toMatchObject({
      code: "CALLER_NOT_ALLOWED",
    });
    await expect(client.revaluePositions({ day }, tenant.as("agent-1", "AGENT"))).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
    const other = fixture.tenant();
    await expect(client.getRevaluation({ day }, other.as())).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("a middle rate", () => {
  test("that is told twice is one; of a day the one that began last is kept", async () => {
    const tenant = fixture.tenant();
    await tell(tenant, daysAgo(1), "GBP/USD", "1.34");
    await tell(tenant, daysAgo(1), "GBP/USD", "1.34");
    await tell(tenant, daysAgo(1), "GBP/USD", "1.30", { at: new Date(`${daysAgo(1)}T08:00:00Z`) });
    await tell(tenant, daysAgo(1), "GBP/USD", "1.20", { isDayEnd: false, at: new Date() });
    const stored = fixture.database.db.collection<{ tenantId: string }>("middle_rates");
    expect(await stored.find({ tenantId: tenant.tenantId }).toArray()).toMatchObject([{ rate: "1.34", source: "ECB" }]);
    await tell(tenant, daysAgo(1), "GBP/USD", "1.35", { sequence: 2 });
    expect(await stored.find({ tenantId: tenant.tenantId }).toArray()).toMatchObject([{ rate: "1.35" }]);
  });

  test.each([
    ["rates[0].rate", { rate: "0" }],
    ["rates[0].rate", { rate: "-1" }],
    ["rates[0].from_currency", { fromCurrency: "ZZZ" }],
    ["rates[0].to_currency", { toCurrency: "GBP" }],
    ["rates[0].day", { day: "2026-02-30" }],
    ["rates[0].at", { at: undefined }],
    ["rates[0].sequence", { sequence: -1 }],
  ])("is refused by name: %s", async (path, wrong) => {
    const tenant = fixture.tenant();
    const sound = { fromCurrency: "GBP", toCurrency: "USD", rate: "1.34", at: new Date(), day: today };
    await expect(
      remittance.recordMiddleRates({ rates: [{ ...sound, ...wrong }] }, tenant.call()),
    ).rejects.toMatchObject({ code: "INVALID_INPUT", details: { errors: [{ path }] } });
  });
});
