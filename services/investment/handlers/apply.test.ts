import { randomUUID } from "node:crypto";
import {
  createInvestmentFixture,
  refusalOf,
  type InvestmentFixture,
  type Investor,
} from "../../../test/support/investment-fixture.js";
import { testTenant } from "../../../test/support/index.js";
import type { Product } from "../../../proto/gen/investment/v1/investment.js";
import { pause } from "../../../test/support/time.js";
import { waitFor } from "../../../test/support/index.js";

let fixture: InvestmentFixture;
const tenants: string[] = [];
beforeAll(async () => {
  fixture = await createInvestmentFixture("investment_apply");
});
afterAll(() => fixture?.close());
afterEach(async () => {
  fixture.crashAt(undefined);
  fixture.faults.clear();
  fixture.compliance.answer = { decision: "DECISION_APPROVED" };
  for (const tenantId of tenants.splice(0)) await fixture.agree(tenantId);
});

async function world(balance?: bigint, given: Parameters<InvestmentFixture["product"]>[1] = {}) {
  const tenantId = testTenant();
  tenants.push(tenantId);
  const product = await fixture.product(tenantId, given);
  const investor = await fixture.investor({ tenantId, ...(balance !== undefined && { balance }) });
  return { tenantId, product, investor };
}

const unitsLeft = async ({ tenantId }: Investor, { productId }: Product) =>
  (await fixture.operator.getProduct({ productId }, fixture.calls({ tenantId }))).product!.unitsLeft;

describe("an application", () => {
  test("moves money, units and interest into a holding, and answers with its record", async () => {
    const { tenantId, product, investor } = await world(5_000_00n);
    const { application } = await fixture.apply(investor, product, { customerName: " oka’for  AMİNA " });
    expect(application).toMatchObject({
      productId: product.productId,
      productName: "Fixed deposit",
      customerName: "Amina Okafor",
      units: 10n,
      unitPrice: { amountMinor: 100_00n, currency: "USD" },
      total: { amountMinor: 1_000_00n, currency: "USD" },
      status: "COMPLETED",
      maturityDate: "2026-01-01",
      expectedReturn: { amountMinor: 60_00n, currency: "USD" },
    });
    expect(fixture.balanceOf(investor)).toBe(4_000_00n);
    expect(fixture.accountOf(tenantId, "customer_investments")).toBe(1_000_00n);
    expect(await unitsLeft(investor, product)).toBe(990n);
    const { holdings } = await fixture.gateway.listHoldings({}, fixture.calls(investor));
    expect(holdings).toMatchObject([
      { holdingId: application!.holdingId, units: 10n, status: "ACTIVE", ratePercent: "6" },
    ]);
    const { applicationId } = application!;
    expect(fixture.compliance.checks.find(({ actionId }) => actionId === applicationId)).toMatchObject({
      kind: "INVESTMENT",
      amount: { amountMinor: 1_000_00n },
    });
  });

  test("is the same answer for the same key, and refused for another request", async () => {
    const { product, investor } = await world(5_000_00n);
    const idempotencyKey = randomUUID();
    const first = await fixture.apply(investor, product, { idempotencyKey });
    expect(await fixture.apply(investor, product, { idempotencyKey })).toEqual(first);
    const other = await refusalOf(fixture.apply(investor, product, { idempotencyKey, units: 11n }));
    expect(other.code).toBe("IDEMPOTENCY_KEY_REUSED");
    expect(fixture.balanceOf(investor)).toBe(4_000_00n);
  });

  test("has the rate of the tier that its amount reaches", async () => {
    const tiers = [
      { fromMinor: 0n, ratePercent: "5" },
      { fromMinor: 1_000_00n, ratePercent: "7.25" },
    ];
    const { product, investor } = await world(undefined, { tiers });
    await fixture.apply(investor, product, { units: 9n });
    await fixture.apply(investor, product, { units: 10n });
    const { holdings } = await fixture.gateway.listHoldings({}, fixture.calls(investor));
    expect(holdings.map(({ ratePercent }) => ratePercent)).toEqual(["7.25", "5"]);
  });
});

describe("a refusal has its own code, and takes nothing", () => {
  const refused = async (
    code: string,
    given: Parameters<InvestmentFixture["product"]>[1],
    draft: Parameters<InvestmentFixture["apply"]>[2],
    balance = 5_000_00n,
  ) => {
    const { product, investor, tenantId } = await world(balance, given);
    const idempotencyKey = randomUUID();
    const attempt = () => fixture.apply(investor, product, { idempotencyKey, ...draft });
    const refusal = await refusalOf(attempt());
    expect(refusal.code).toBe(code);
    // A 409 or 422 that depends on state is the answer of this key for ever.
    expect((await refusalOf(attempt())).message).toBe(refusal.message);
    expect(fixture.balanceOf(investor)).toBe(balance);
    expect(await unitsLeft(investor, product)).toBe(product.unitsOffered);
    const { holdings } = await fixture.gateway.listHoldings({}, fixture.calls(investor));
    expect(holdings).toEqual([]);
    expect(fixture.accountOf(tenantId, "customer_investments")).toBe(0n);
    return refusal;
  };

  test("too little money: INSUFFICIENT_FUNDS, and the units are for sale again", () =>
    refused("INSUFFICIENT_FUNDS", {}, { units: 51n }));
  test("more units than are left: UNITS_SOLD_OUT, with what is left", async () => {
    const refusal = await refused("UNITS_SOLD_OUT", { unitsOffered: 5n }, { units: 6n });
    expect(refusal.details?.figures).toEqual({ unitsLeft: "5" });
  });
  test("fewer than the minimum: UNITS_OUT_OF_LIMITS", () =>
    refused("UNITS_OUT_OF_LIMITS", { minimumUnits: 5n }, { units: 4n }));
  test("more than one customer may hold: UNITS_OUT_OF_LIMITS", () =>
    refused("UNITS_OUT_OF_LIMITS", { maximumUnitsPerCustomer: 9n }, { units: 10n }));
  test("units times price above the operator's ceiling: AMOUNT_ABOVE_CEILING", async () => {
    const plenty = { unitsOffered: 2_000_000_000n, maximumUnitsPerCustomer: 2_000_000_000n };
    const refusal = await refused("AMOUNT_ABOVE_CEILING", plenty, { units: 1_000_000_001n });
    expect(refusal.details?.figures).toEqual({ ceiling: "100000000000.00", asked: "100000000100.00" });
  });
  test("a product that is closed: PRODUCT_CLOSED", () => refused("PRODUCT_CLOSED", { status: "CLOSED" }, {}));
  test("another name: CUSTOMER_NAME_MISMATCH", () =>
    refused("CUSTOMER_NAME_MISMATCH", {}, { customerName: "Amina Okoro" }));
  test("a wallet of another currency: CURRENCY_MISMATCH", () => refused("CURRENCY_MISMATCH", { currency: "EUR" }, {}));

  test("compliance rejects: COMPLIANCE_REJECTED, and not why", async () => {
    fixture.compliance.answer = { decision: "DECISION_REJECTED", reasonCode: "CUSTOMER_BLOCKED", message: "secret" };
    const refusal = await refused("COMPLIANCE_REJECTED", {}, {});
    expect(refusal.message).not.toContain("secret");
  });

  test("a wallet that is frozen or closed, also of who redeems", async () => {
    const { product, investor } = await world();
    const account = fixture.wallet.accounts.get(investor.walletId)!;
    for (const status of ["FROZEN", "CLOSED"] as const) {
      account.status = status;
      expect((await refusalOf(fixture.apply(investor, product))).code).toBe(`ACCOUNT_${status}`);
    }
    account.status = "OPEN";
    const { application } = await fixture.apply(investor, product);
    for (const status of ["FROZEN", "CLOSED"] as const) {
      account.status = status;
      const redemption = { idempotencyKey: randomUUID(), holdingId: application!.holdingId, units: 1n };
      const requested = fixture.gateway.redeemHolding(redemption, fixture.calls(investor));
      expect((await refusalOf(requested)).code).toBe(`ACCOUNT_${status}`);
    }
  });

  test("what one holds counts against what one may hold; what was redeemed does not", async () => {
    const { product, investor } = await world(undefined, { maximumUnitsPerCustomer: 15n });
    const { application } = await fixture.apply(investor, product);
    expect((await refusalOf(fixture.apply(investor, product))).code).toBe("UNITS_OUT_OF_LIMITS");
    const redemption = { idempotencyKey: randomUUID(), holdingId: application!.holdingId, units: 5n };
    await fixture.gateway.redeemHolding(redemption, fixture.calls(investor));
    await fixture.apply(investor, product);
  });
});

describe("other people's", () => {
  test("wallet: 403 in the tenant, 404 of another tenant", async () => {
    const { tenantId, product, investor } = await world();
    const neighbour = await fixture.investor({ tenantId });
    const stranger = await fixture.investor();
    const { code } = await refusalOf(fixture.apply(investor, product, { walletAccountId: neighbour.walletId }));
    expect(code).toBe("FORBIDDEN");
    const other = await refusalOf(fixture.apply(investor, product, { walletAccountId: stranger.walletId }));
    expect(other.code).toBe("ACCOUNT_NOT_FOUND");
  });

  test("customer: 403, also of another tenant", async () => {
    const { tenantId, product, investor } = await world();
    for (const { customerId } of [await fixture.investor({ tenantId }), await fixture.investor()]) {
      expect((await refusalOf(fixture.apply(investor, product, { customerId }))).code).toBe("FORBIDDEN");
    }
  });

  test("tenant's product: 404", async () => {
    const { product } = await world();
    const stranger = await fixture.investor();
    expect((await refusalOf(fixture.apply(stranger, product))).code).toBe("NOT_FOUND");
  });

  test("role: staff do not apply", async () => {
    const { tenantId, product, investor } = await world();
    const staff = fixture.staff(tenantId);
    expect((await refusalOf(fixture.apply({ ...investor, token: staff.token }, product))).code).toBe("FORBIDDEN");
  });
});

describe("bad input names its field", () => {
  test.each<[string, Parameters<InvestmentFixture["apply"]>[2]]>([
    ["idempotencyKey", { idempotencyKey: "" }],
    ["idempotencyKey", { idempotencyKey: "x".repeat(256) }],
    ["productId", { productId: "" }],
    ["productId", { productId: "1" }],
    ["units", { units: 0n }],
    ["units", { units: -1n }],
    ["walletAccountId", { walletAccountId: "not-a-uuid" }],
    ["customerId", { customerId: "" }],
    ["customerName", { customerName: "   " }],
    ["customerName", { customerName: "x".repeat(257) }],
    ["customerName", { customerName: "Amina\u0000Okafor" }],
  ])("%s: %j", async (path, draft) => {
    const { product, investor } = await world();
    const refusal = await refusalOf(fixture.apply(investor, product, draft));
    expect(refusal).toMatchObject({ code: "INVALID_INPUT", details: { errors: [{ path }] } });
  });

  test("as many units as there are numbers cannot be bought", async () => {
    const { product, investor } = await world();
    const { code } = await refusalOf(fixture.apply(investor, product, { units: 9_223_372_036_854_775_807n }));
    expect(code).toBe("UNITS_OUT_OF_LIMITS");
  });
});

test("200 clients apply for the last 50 units: 50 sold, 150 refused, wallets exact", async () => {
  const { tenantId, product } = await world(0n, { unitsOffered: 50n });
  const clients = await Promise.all(
    Array.from({ length: 200 }, () => fixture.investor({ tenantId, balance: 150_00n })),
  );
  const outcomes = await Promise.all(
    clients.map(async (client) => {
      // As a client that has lost its answer: the same request until it is answered for good.
      const idempotencyKey = randomUUID();
      const momentary = ["DEADLINE_EXCEEDED", "UNAVAILABLE", "IDEMPOTENCY_IN_FLIGHT"];
      for (;;) {
        const outcome = await fixture.apply(client, product, { units: 1n, idempotencyKey }).then(
          () => "sold",
          (error: { code: string }) => error.code,
        );
        if (!momentary.includes(outcome)) return outcome;
        await pause(200);
      }
    }),
  );
  const count = (outcome: string) => outcomes.filter((one) => one === outcome).length;
  expect([count("sold"), count("UNITS_SOLD_OUT")]).toEqual([50, 150]);
  for (const [index, client] of clients.entries()) {
    expect(fixture.balanceOf(client)).toBe(outcomes[index] === "sold" ? 50_00n : 150_00n);
  }
  expect(fixture.accountOf(tenantId, "customer_investments")).toBe(5_000_00n);
}, 60_000);

describe("cut off in the middle", () => {
  const points = ["recorded", "checked", "reserved", "debited", "completed"];
  test.each(points)("after %s: the retry completes it once", async (point) => {
    const { tenantId, product, investor } = await world(5_000_00n);
    const idempotencyKey = randomUUID();
    fixture.crashAt(`investment.application.${point}`);
    await refusalOf(fixture.apply(investor, product, { idempotencyKey }));
    expect(fixture.crashedAt(`investment.application.${point}`)).toBe(true);
    const { application } = await fixture.apply(investor, product, { idempotencyKey });
    expect(application?.status).toBe("COMPLETED");
    expect(fixture.balanceOf(investor)).toBe(4_000_00n);
    expect(await unitsLeft(investor, product)).toBe(990n);
    expect(fixture.accountOf(tenantId, "customer_investments")).toBe(1_000_00n);
  });

  test.each(["before", "after"] as const)("a debit whose answer is lost %s it took effect", async (when) => {
    const { product, investor } = await world(5_000_00n);
    const idempotencyKey = randomUUID();
    fixture.faults.next("debitWallet", when, "UNAVAILABLE", 20);
    expect((await refusalOf(fixture.apply(investor, product, { idempotencyKey }))).code).toBe("UNAVAILABLE");
    fixture.faults.clear();
    await fixture.apply(investor, product, { idempotencyKey });
    expect(fixture.balanceOf(investor)).toBe(4_000_00n);
  });

  test("a refused debit that is cut off still gives its units back", async () => {
    const { product, investor } = await world(500_00n);
    const idempotencyKey = randomUUID();
    fixture.crashAt("investment.application.refused");
    await refusalOf(fixture.apply(investor, product, { idempotencyKey }));
    const { code } = await refusalOf(fixture.apply(investor, product, { idempotencyKey }));
    expect(code).toBe("INSUFFICIENT_FUNDS");
    expect(await unitsLeft(investor, product)).toBe(1_000n);
  });
});

test("a driver that was refused before the units says so only where no other has taken them meanwhile", async () => {
  const own = await createInvestmentFixture("investment_drivers", { recoverAfterMs: 100 });
  try {
    const tenantId = testTenant();
    const product = await own.product(tenantId);
    const investor = await own.investor({ tenantId, balance: 5_000_00n });
    const rejection = Promise.withResolvers<{ decision: "DECISION_REJECTED" }>();
    own.compliance.next.push(() => rejection.promise);
    const requested = own.apply(investor, product);
    // Its recovery row comes due while it waits for compliance.
    await waitFor(() => own.balanceOf(investor) === 4_000_00n);
    rejection.resolve({ decision: "DECISION_REJECTED" });
    const outcome = await requested.then(
      ({ application }) => application?.status,
      (error: { code: string }) => error.code,
    );
    // Completed by then, or about to be: never refused.
    expect(["COMPLETED", "UNAVAILABLE"]).toContain(outcome);
    await waitFor(async () => (await own.gateway.listHoldings({}, own.calls(investor))).holdings.length === 1);
    await own.agree(tenantId);
    expect(own.accountOf(tenantId, "customer_investments")).toBe(1_000_00n);
  } finally {
    await own.close();
  }
});
