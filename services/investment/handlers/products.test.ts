import { randomUUID } from "node:crypto";
import { InvestmentServiceDefinition, type Product } from "../../../proto/gen/investment/v1/investment.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import { tenantCollection } from "../../kernel/mongo/tenant-collection.js";
import {
  createInvestmentFixture,
  productDraft,
  refusalOf,
  type InvestmentFixture,
} from "../../../test/support/investment-fixture.js";
import { testTenant } from "../../../test/support/index.js";
import { newHolding } from "../domain/holding.js";
import { createInvestmentStore } from "../store/index.js";
import { collections, type HoldingRow, type TotalsRow } from "../store/collections.js";
import { pause } from "../../../test/support/time.js";

let fixture: InvestmentFixture;
beforeAll(async () => {
  fixture = await createInvestmentFixture("investment_products", { replicas: 2 });
});
afterAll(() => fixture?.close());

describe("a product", () => {
  test("put again unchanged is the same version; changed, it is the next, and what is held keeps its own", async () => {
    const tenantId = testTenant();
    const draft = productDraft();
    const first = await fixture.product(tenantId, draft);
    expect((await fixture.product(tenantId, draft)).version).toBe(1);
    const investor = await fixture.investor({ tenantId });
    await fixture.apply(investor, first);
    const second = await fixture.product(tenantId, { ...draft, tiers: [{ fromMinor: 0n, ratePercent: "9" }] });
    expect([second.version, second.unitsLeft]).toEqual([2, 990n]);
    await fixture.apply(investor, first);
    await fixture.passDays(tenantId, 1);
    const { holdings } = await fixture.gateway.listHoldings({}, fixture.calls(investor));
    const figures = holdings.map(({ productVersion, accruedInterest }) => [
      productVersion,
      accruedInterest?.amountMinor,
    ]);
    // 1,000.00 at 9 % and at 6 %, a day.
    expect(figures).toEqual([
      [2, 25n],
      [1, 16n],
    ]);
    await fixture.agree(tenantId);
  });

  test("is put by two at once: both are answered, and versions have no gap", async () => {
    const tenantId = testTenant();
    const draft = productDraft();
    const names = ["A", "B", "C", "D"];
    await Promise.all(names.map((name) => fixture.product(tenantId, { ...draft, name })));
    const { product } = await fixture.operator.getProduct(draft, fixture.calls({ tenantId }));
    expect(product?.version).toBeGreaterThanOrEqual(names.length);
  });

  test("is listed page by page, and is another tenant's for nobody", async () => {
    const tenantId = testTenant();
    const made = await Promise.all(Array.from({ length: 5 }, () => fixture.product(tenantId)));
    const call = fixture.calls({ tenantId });
    const seen: string[] = [];
    let cursor = "";
    do {
      const page = await fixture.operator.listProducts({ pageSize: 2, cursor }, call);
      seen.push(...page.products.map(({ productId }) => productId));
      cursor = page.nextCursor;
    } while (cursor !== "");
    expect(seen).toEqual(made.map(({ productId }) => productId).toSorted());
    const elsewhere = fixture.calls({ tenantId: testTenant() });
    expect((await refusalOf(fixture.operator.getProduct(made[0]!, elsewhere))).code).toBe("NOT_FOUND");
    expect((await fixture.operator.listProducts({}, elsewhere)).products).toEqual([]);
  });

  test("keeps its currency, and offers no less than is taken", async () => {
    const tenantId = testTenant();
    const product = await fixture.product(tenantId);
    await fixture.apply(await fixture.investor({ tenantId }), product);
    const change = (given: WirePartial<Product>) => refusalOf(fixture.product(tenantId, { ...product, ...given }));
    expect(await change({ currency: "EUR" })).toMatchObject({ details: { errors: [{ path: "currency" }] } });
    expect(await change({ unitsOffered: 9n })).toMatchObject({ details: { errors: [{ path: "unitsOffered" }] } });
    expect((await fixture.product(tenantId, { ...product, unitsOffered: 10n })).unitsLeft).toBe(0n);
  });

  test("is put by MANAGERs and operators alone", async () => {
    const tenantId = testTenant();
    const request = { product: productDraft() };
    for (const role of ["AGENT", "CASHIER"] as const) {
      const call = fixture.calls(fixture.staff(tenantId, role));
      expect((await refusalOf(fixture.gateway.putProduct(request, call))).code).toBe("FORBIDDEN");
    }
    const call = fixture.calls(fixture.staff(tenantId));
    expect((await fixture.gateway.putProduct(request, call)).product?.version).toBe(1);
  });

  test.each<[string, WirePartial<Product>]>([
    ["productId", { productId: "" }],
    ["name", { name: " " }],
    ["name", { name: "x".repeat(121) }],
    ["currency", { currency: "XXX" }],
    ["unitPrice", { unitPriceMinor: 0n }],
    ["unitPrice", { unitPriceMinor: -1n }],
    ["unitsOffered", { unitsOffered: 0n }],
    ["unitsOffered", { unitsOffered: 9_223_372_036_854_775_807n }],
    ["minimumUnits", { minimumUnits: 0n }],
    ["maximumUnitsPerCustomer", { minimumUnits: 5n, maximumUnitsPerCustomer: 4n }],
    ["tiers", { tiers: [] }],
    ["tiers[0].from", { tiers: [{ fromMinor: 1n, ratePercent: "5" }] }],
    ["tiers[0].ratePercent", { tiers: [{ fromMinor: 0n, ratePercent: "-5" }] }],
    ["tiers[0].ratePercent", { tiers: [{ fromMinor: 0n, ratePercent: "1001" }] }],
    ["tiers[0].ratePercent", { tiers: [{ fromMinor: 0n, ratePercent: "5.000000001" }] }],
    ["compounding", { compounding: "HOUR" }],
    ["dayCount", { dayCount: "" }],
    ["termMonths", { termMonths: -1 }],
    ["termDays", { termDays: 100_000 }],
    ["payout", { termMonths: 0 }],
    ["payout", { payout: "DAILY" }],
    ["compounding", { payout: "MONTH", compounding: "MONTH" }],
    ["reinvestment", { payout: "MONTH", reinvestment: "ALL" }],
    ["penalty.kind", { penalty: { kind: "ALL" } }],
    ["penalty.bps", { penalty: { kind: "INTEREST_SHARE", bps: 10_001 } }],
    ["penalty.percent", { penalty: { kind: "RATE_REDUCTION", percent: "two" } }],
    ["withholdingTaxBps", { withholdingTaxBps: 10_001 }],
    ["status", { status: "SOLD" }],
  ])("with a wrong %s is refused: %j", async (path, given) => {
    const refusal = await refusalOf(fixture.product(testTenant(), given));
    expect(refusal).toMatchObject({ code: "INVALID_INPUT", details: { errors: [{ path }] } });
  });
});

test("60 clients of two replicas apply for the last 20 units: 20 sold, 40 refused, wallets and books exact", async () => {
  const tenantId = testTenant();
  const product = await fixture.product(tenantId, { unitsOffered: 20n });
  const clients = await Promise.all(Array.from({ length: 60 }, () => fixture.investor({ tenantId, balance: 100_00n })));
  const gateways = fixture.services.map(({ port }) =>
    fixture.network.client(InvestmentServiceDefinition, "investment", port, "gateway"),
  );
  const momentary = ["DEADLINE_EXCEEDED", "UNAVAILABLE", "IDEMPOTENCY_IN_FLIGHT"];
  const outcomes = await Promise.all(
    clients.map(async (client, index) => {
      const request = {
        idempotencyKey: randomUUID(),
        productId: product.productId,
        units: 1n,
        walletAccountId: client.walletId,
        customerId: client.customerId,
        customerName: client.name,
      };
      for (;;) {
        const outcome = await gateways[index % 2]!.apply(request, fixture.calls(client)).then(
          () => "sold",
          (error: { code: string }) => error.code,
        );
        if (!momentary.includes(outcome)) return outcome;
        await pause(100);
      }
    }),
  );
  const count = (outcome: string) => outcomes.filter((one) => one === outcome).length;
  expect([count("sold"), count("UNITS_SOLD_OUT")]).toEqual([20, 40]);
  for (const [index, client] of clients.entries()) {
    expect(fixture.balanceOf(client)).toBe(outcomes[index] === "sold" ? 0n : 100_00n);
  }
  await fixture.agree(tenantId);
}, 60_000);

test("1,300 holdings in batches, shared by two replicas, one of them thrown out half-way: each day counts once", async () => {
  const tenantId = testTenant();
  const product = await fixture.product(tenantId, { unitsOffered: 100_000n });
  const holdings = await manyHoldings(tenantId, product, 1_300);
  fixture.crashAt("investment.accrual.counted");
  await fixture.passDays(tenantId, 1).catch(() => fixture.workOfDay(tenantId));
  await fixture.passDays(tenantId, 30);
  // 1,000.00 at 6 % for 31 days: 5.0958… on each.
  const rows = await tenantCollection<HoldingRow>(fixture.database.db, collections.holdings)
    .forTenant(tenantId)
    .find({});
  expect(new Set(rows.map(({ through, accruedMinor }) => `${through} ${accruedMinor}`))).toEqual(
    new Set(["2025-02-01 510"]),
  );
  expect(fixture.accountOf(tenantId, "investment_interest_payable")).toBe(5_10n * BigInt(holdings));
  const sums = await tenantCollection<TotalsRow>(fixture.database.db, collections.totals).forTenant(tenantId).find({});
  expect(sums.reduce((all, { interestMinor }) => all + interestMinor, 0n)).toBe(5_10n * BigInt(holdings));
}, 60_000);

test("reconciliation finds what does not agree", async () => {
  const tenantId = testTenant();
  const product = await fixture.product(tenantId);
  const investor = await fixture.investor({ tenantId });
  await fixture.apply(investor, product);
  await fixture.passDays(tenantId, 10);
  await fixture.agree(tenantId);
  const { db } = fixture.database;
  const set = { $set: { principalMinor: 1n } };
  await tenantCollection<HoldingRow>(db, collections.holdings).forTenant(tenantId).updateMany({}, set);
  await tenantCollection<TotalsRow>(db, collections.totals)
    .forTenant(tenantId)
    .updateMany({}, { $inc: { interestMinor: 1n } });
  const products = tenantCollection<{ tenantId: string; unitsTaken: bigint }>(db, collections.products);
  await products.forTenant(tenantId).updateMany({}, { $inc: { unitsTaken: -1n } });
  const positions = tenantCollection<{ tenantId: string; units: bigint }>(db, collections.positions);
  await positions.forTenant(tenantId).updateMany({}, { $inc: { units: 1n } });
  const { differences } = await fixture.operator.reconcileInvestments({}, fixture.calls({ tenantId }));
  expect(differences.map(({ kind }) => kind).toSorted()).toEqual([
    "CUSTOMER_TOTAL",
    "LEDGER_PRINCIPAL",
    "UNITS_HELD",
    "UNITS_TAKEN",
  ]);
});

test("what begins and ends while holdings and ledger are read is no difference", async () => {
  const tenantId = testTenant();
  const investor = await fixture.investor({ tenantId });
  await fixture.apply(investor, await fixture.product(tenantId));
  const { handlers } = fixture.ledger;
  const read = handlers.getAccounts!;
  let readings = 0;
  // The first reading finds the ledger as it is after a redemption that the holdings did not show
  // yet.
  handlers.getAccounts = async (request, call) => {
    const answer = await read(request, call);
    readings += 1;
    if (readings > 1) return answer;
    const accounts = answer.accounts!.map((account) => ({ ...account, debitsPostedMinor: 7_00n }));
    return { ...answer, accounts };
  };
  try {
    const { differences } = await fixture.operator.reconcileInvestments({}, fixture.calls({ tenantId }));
    expect({ differences, readings }).toEqual({ differences: [], readings: 2 });
  } finally {
    handlers.getAccounts = read;
  }
});

/** Holdings of 10 units by 260 customers, as applications leave them. */
async function manyHoldings(tenantId: string, product: Product, count: number): Promise<number> {
  const store = createInvestmentStore(fixture.database.db);
  const tenant = store.forTenant(tenantId);
  const version = (await tenant.findVersion(product.productId, 1))!;
  // Small ones: a transaction may take five seconds.
  const together = 100;
  for (let from = 0; from < count; from += together) {
    await store.transaction(
      async (session) => {
        for (let index = from; index < Math.min(from + together, count); index++) {
          const customerId = `customer-${index % 260}`;
          const id = randomUUID();
          const bought = { holdingId: id, applicationId: id, customerId, walletAccountId: "w", units: 10n };
          const day = Temporal.PlainDate.from("2025-01-01");
          await tenant.insertHolding(newHolding(version, bought, day), new Date(), session);
          await tenant.addToTotals(customerId, "USD", { principalMinor: 1_000_00n, interestMinor: 0n }, session);
        }
        return true;
      },
      async () => true,
    );
  }
  return count;
}
