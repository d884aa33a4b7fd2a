import { randomUUID } from "node:crypto";
import {
  createInvestmentFixture,
  refusalOf,
  type InvestmentFixture,
  type Investor,
} from "../../../test/support/investment-fixture.js";
import { testTenant, waitFor } from "../../../test/support/index.js";
import { tenantCollection } from "../../kernel/mongo/tenant-collection.js";
import { collections } from "../store/collections.js";

let fixture: InvestmentFixture;
const tenants: string[] = [];
beforeAll(async () => {
  fixture = await createInvestmentFixture("investment_unpaid", { replicas: 2 });
});
afterAll(() => fixture?.close());
afterEach(async () => {
  for (const tenantId of tenants.splice(0)) await fixture.agree(tenantId);
});

const usd = (amountMinor: bigint) => ({ amountMinor, currency: "USD" });

/** 10,000.00 in a holding of one customer, whose wallet is empty then, and closed. */
async function holding(given: Parameters<InvestmentFixture["product"]>[1] = {}) {
  const tenantId = testTenant();
  tenants.push(tenantId);
  const product = await fixture.product(tenantId, given);
  const investor = await fixture.investor({ tenantId, balance: 10_000_00n });
  const { application } = await fixture.apply(investor, product, { units: 100n });
  await fixture.closeWallet(investor);
  return { tenantId, product, investor, holdingId: application!.holdingId };
}
const read = async (investor: Investor, holdingId: string) =>
  (await fixture.gateway.getHolding({ holdingId }, fixture.calls(investor))).holding!;
const redirect = (
  person: { tenantId: string; token: string },
  holdingId: string,
  walletAccountId: string,
  idempotencyKey: string = randomUUID(),
) => fixture.gateway.setPayoutWallet({ idempotencyKey, holdingId, walletAccountId }, fixture.calls(person));
const unpaid = (person: { tenantId: string; token: string }) =>
  fixture.gateway.listHoldings({ unpaid: true }, fixture.calls(person));
const tries = (tenantId: string) =>
  tenantCollection<{ tenantId: string }>(fixture.database.db, collections.settlements).forTenant(tenantId).count({});

describe("what is due and cannot be paid", () => {
  test("stays owed, is shown to managers, and is paid into the wallet that the customer names", async () => {
    const { tenantId, investor, holdingId } = await holding({ withholdingTaxBps: 1_000 });
    await fixture.passDays(tenantId, 365);
    const owed = { status: "ACTIVE", principal: usd(10_000_00n), accruedInterest: usd(600_00n) };
    expect(await read(investor, holdingId)).toMatchObject({
      ...owed,
      unpaidSince: "2026-01-01",
      unpaidCode: "ACCOUNT_CLOSED",
    });
    expect(fixture.accountOf(tenantId, "customer_investments")).toBe(10_000_00n);
    expect(fixture.accountOf(tenantId, "investment_interest_payable")).toBe(600_00n);
    await fixture.agree(tenantId);

    const manager = fixture.staff(tenantId);
    expect((await unpaid(manager)).holdings).toMatchObject([{ holdingId, ...owed }]);
    expect((await unpaid(fixture.staff(testTenant()))).holdings).toEqual([]);
    for (const other of [fixture.staff(tenantId, "AGENT"), investor]) {
      expect((await refusalOf(unpaid(other))).code).toBe("FORBIDDEN");
    }
    // No interest beyond the term, and no redemption beside what is due.
    await fixture.passDays(tenantId, 20);
    expect(await read(investor, holdingId)).toMatchObject(owed);
    const request = { idempotencyKey: randomUUID(), holdingId };
    const redeemed = fixture.gateway.redeemHolding(request, fixture.calls(investor));
    expect((await refusalOf(redeemed)).code).toBe("STATE_CONFLICT");
    // One try at the ledger: its wallet was asked for on the days after.
    expect(await tries(tenantId)).toBe(1);

    const other = await fixture.withWallet(investor);
    const key = randomUUID();
    const { holding: changed } = await redirect(investor, holdingId, other.walletId, key);
    expect(changed).toMatchObject({ walletAccountId: other.walletId, unpaidSince: "" });
    expect((await redirect(investor, holdingId, other.walletId, key)).holding).toEqual(changed);
    await fixture.settled(tenantId);
    expect(fixture.balanceOf(other)).toBe(10_540_00n);
    expect(await read(investor, holdingId)).toMatchObject({ status: "MATURED", principal: usd(0n), unpaidSince: "" });
    expect((await unpaid(manager)).holdings).toEqual([]);
  });

  test("is paid at once where another wallet is named on the very day that it was due", async () => {
    const { tenantId, investor, holdingId } = await holding();
    await fixture.passDays(tenantId, 365);
    expect((await read(investor, holdingId)).unpaidSince).toBe("2026-01-01");
    const other = await fixture.withWallet(investor);
    await redirect(fixture.staff(tenantId), holdingId, other.walletId);
    await fixture.settled(tenantId);
    expect(fixture.balanceOf(other)).toBe(10_600_00n);
  });

  test("is paid once where its wallet takes money again, and interest goes on from there", async () => {
    const { tenantId, investor, holdingId } = await holding({ payout: "MONTH" });
    await fixture.passDays(tenantId, 40);
    expect(await read(investor, holdingId)).toMatchObject({ unpaidSince: "2025-02-01", interestThrough: "2025-02-01" });
    const other = await fixture.withWallet(investor);
    await redirect(fixture.staff(tenantId), holdingId, other.walletId);
    await fixture.settled(tenantId);
    expect(fixture.balanceOf(other)).toBe(50_96n);
    expect(await read(investor, holdingId)).toMatchObject({ unpaidSince: "", interestThrough: "2025-02-10" });
    // As an operator would who opens a wallet again: nobody names another one.
    await fixture.closeWallet(await emptied(other));
    await fixture.passDays(tenantId, 20);
    expect(await read(investor, holdingId)).toMatchObject({ unpaidSince: "2025-03-01" });
    fixture.reopenWallet(other);
    await fixture.passDays(tenantId, 1);
    await fixture.settled(tenantId);
    expect(fixture.balanceOf(other)).toBe(46_03n);
  });

  /** Its money was spent. */
  async function emptied(investor: Investor): Promise<Investor> {
    const account = fixture.ledger.account(investor.tenantId, investor.walletId)!;
    account.debits = account.credits;
    return investor;
  }

  test("a share of a dividend is paid into the wallet that is named later", async () => {
    const share = { tiers: [{ fromMinor: 0n, ratePercent: "0" }], termMonths: 0 };
    const { tenantId, product, investor, holdingId } = await holding(share);
    const second = await fixture.investor({ tenantId, balance: 10_000_00n });
    await fixture.apply(second, product, { units: 100n });
    await fixture.passDays(tenantId, 31);
    const manager = fixture.staff(tenantId);
    const period = { productId: product.productId, from: "2025-01-01", to: "2025-02-01" };
    const request = { idempotencyKey: randomUUID(), ...period, amount: usd(100_01n) };
    const { dividend } = await fixture.gateway.declareDividend(request, fixture.calls(manager));
    const shown = async () =>
      (await fixture.gateway.getDividend({ dividendId: dividend!.dividendId }, fixture.calls(manager))).dividend!;
    await fixture.settled(tenantId);
    const failed = (await shown()).failed!.amountMinor;
    expect(await shown()).toMatchObject({ status: "PAID", failedHoldingIds: [holdingId] });
    expect([50_00n, 50_01n]).toContain(failed);
    const other = await fixture.withWallet(investor);
    await redirect(investor, holdingId, other.walletId);
    await fixture.settled(tenantId);
    expect(await shown()).toMatchObject({
      status: "PAID",
      failed: usd(0n),
      paid: usd(100_01n),
      failedHoldingIds: [],
    });
    expect(fixture.balanceOf(other)).toBe(failed);
    expect(fixture.accountOf(tenantId, "investment_dividend_expense")).toBe(-100_01n);
  });
});

/**
 * A dividend of 100.00 of which the other of two was paid half: the holding
 * of the one was changed before.
 */
async function halfPaid(tenantId: string, product: Awaited<ReturnType<typeof fixture.product>>, change: object) {
  const apart = await fixture.investor({ tenantId, balance: 10_000_00n });
  const beside = await fixture.investor({ tenantId, balance: 10_000_00n });
  const { application } = await fixture.apply(apart, product, { units: 100n });
  await fixture.apply(beside, product, { units: 100n });
  fixture.moveDate(tenantId, 31);
  const held = { tenantId, _id: application!.holdingId as never };
  await fixture.database.db.collection(collections.holdings).updateOne(held, { $set: change });
  const manager = fixture.staff(tenantId);
  const period = { productId: product.productId, from: "2025-01-01", to: "2025-02-01" };
  const request = { idempotencyKey: randomUUID(), ...period, amount: usd(100_00n) };
  const { dividend } = await fixture.gateway.declareDividend(request, fixture.calls(manager));
  const shown = async () =>
    (await fixture.gateway.getDividend({ dividendId: dividend!.dividendId }, fixture.calls(manager))).dividend!;
  await waitFor(async () => (await shown()).paid!.amountMinor === 50_00n, { what: "the share of the other one" });
  return { apart, beside, holdingId: application!.holdingId, shown };
}

test("a dividend is paid to the others where a holding's tax cannot be read, and to it once it can be", async () => {
  const tenantId = testTenant();
  tenants.push(tenantId);
  const product = await fixture.product(tenantId, { withholdingTaxBps: 1_000 });
  const { apart, beside, shown } = await halfPaid(tenantId, product, { productVersion: 2 });
  const tried = { tenantId, kind: "tax-dividend", state: "DUE", lastError: { $exists: true } };
  await waitFor(async () => fixture.database.db.collection("outbox").findOne(tried), { what: "a try of its own" });
  expect(await shown()).toMatchObject({ status: "PAYING", holdings: 2n, tax: usd(5_00n) });
  expect(fixture.balanceOf(beside)).toBe(45_00n);
  expect(fixture.balanceOf(apart)).toBe(0n);
  // The version is there again.
  await fixture.product(tenantId, { ...product, withholdingTaxBps: 2_000 });
  await fixture.settled(tenantId);
  expect(await shown()).toMatchObject({ status: "PAID", paid: usd(100_00n), tax: usd(15_00n) });
  expect(fixture.balanceOf(apart)).toBe(40_00n);
});

test("one share that cannot be paid keeps back none of its batch, and is paid once it can be", async () => {
  const tenantId = testTenant();
  tenants.push(tenantId);
  const product = await fixture.product(tenantId);
  const { apart, beside, holdingId, shown } = await halfPaid(tenantId, product, { walletAccountId: "" });
  const tried = { tenantId, kind: "pay-share" };
  await waitFor(() => fixture.database.db.collection("outbox").findOne(tried), { what: "a row of its own" });
  expect(await shown()).toMatchObject({ status: "PAYING", failed: usd(0n) });
  expect([fixture.balanceOf(beside), fixture.balanceOf(apart)]).toEqual([50_00n, 0n]);
  const its = { tenantId, holdingId };
  // The ledger has decided on the first try for ever.
  const healed = { $set: { walletAccountId: apart.walletId, attempt: 1 } };
  await fixture.database.db.collection(collections.shares).updateOne(its, healed);
  await fixture.settled(tenantId);
  expect(await shown()).toMatchObject({ status: "PAID", paid: usd(100_00n), failed: usd(0n) });
  expect(fixture.balanceOf(apart)).toBe(50_00n);
});

describe("another wallet", () => {
  test("is the customer's own, open, and of the currency", async () => {
    const { tenantId, investor, holdingId } = await holding();
    const neighbour = await fixture.investor({ tenantId });
    const stranger = await fixture.investor();
    const euros = await fixture.withWallet(investor, "EUR");
    const manager = fixture.staff(tenantId);
    const refused = async (person: { tenantId: string; token: string }, walletId: string) =>
      (await refusalOf(redirect(person, holdingId, walletId))).code;
    expect(await refused(investor, neighbour.walletId)).toBe("FORBIDDEN");
    expect(await refused(manager, neighbour.walletId)).toBe("FORBIDDEN");
    expect(await refused(investor, stranger.walletId)).toBe("ACCOUNT_NOT_FOUND");
    expect(await refused(investor, euros.walletId)).toBe("CURRENCY_MISMATCH");
    expect(await refused(investor, investor.walletId)).toBe("ACCOUNT_CLOSED");
    expect(await refused(neighbour, neighbour.walletId)).toBe("FORBIDDEN");
    expect(await refused(stranger, stranger.walletId)).toBe("NOT_FOUND");
    expect(await refused(fixture.staff(testTenant()), stranger.walletId)).toBe("NOT_FOUND");
    expect(await refused(fixture.staff(tenantId, "AGENT"), euros.walletId)).toBe("FORBIDDEN");
    for (const [path, id, wallet] of [
      ["holdingId", "x", investor.walletId],
      ["walletAccountId", holdingId, ""],
    ] as const) {
      expect(await refusalOf(redirect(investor, id, wallet))).toMatchObject({ details: { errors: [{ path }] } });
    }
  });
});

test("in a sandbox entries are effective on its own date, elsewhere when they are posted", async () => {
  for (const isSandbox of [true, false]) {
    const tenantId = isSandbox ? `${testTenant()}--sandbox` : testTenant();
    tenants.push(tenantId);
    const product = await fixture.product(tenantId);
    const investor = await fixture.investor({ tenantId });
    await fixture.apply(investor, product);
    await fixture.passDays(tenantId, 365);
    const lines = await fixture.database.db.collection(collections.movements).find({ tenantId }).toArray();
    const years = lines.map((line) => `${line["kind"]} ${(line["bookedAt"] as Date).getUTCFullYear()}`);
    // A statement has one clock: the ledger of these tests posts at its own time.
    if (isSandbox) expect(years.toSorted()).toEqual(["MATURITY 2026", "PURCHASE 2025"]);
    const own = fixture.ledger.ofTenant(tenantId).map(({ transfer }) => transfer);
    const daysOf = (isPurchase: boolean) =>
      own
        .filter(({ key }) => key.startsWith("wallet-debit:") === isPurchase)
        .map(({ effectiveAt }) => effectiveAt?.toISOString().slice(0, 10));
    expect(daysOf(true)).toEqual([isSandbox ? "2025-01-01" : undefined]);
    expect(new Set(daysOf(false))).toEqual(new Set([isSandbox ? "2026-01-01" : undefined]));
    expect(daysOf(false).length).toBeGreaterThan(2);
  }
});
