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
  fixture = await createInvestmentFixture("investment_waiting");
});
afterAll(() => fixture?.close());
afterEach(async () => {
  fixture.crashAt(undefined);
  fixture.faults.clear();
  fixture.compliance.answer = { decision: "DECISION_APPROVED" };
  for (const tenantId of tenants.splice(0)) await fixture.agree(tenantId);
});

const review = { decision: "DECISION_REVIEW" as const, reasonCode: "RULE", message: "secret" };
const usd = (amountMinor: bigint) => ({ amountMinor, currency: "USD" });

/**
 * An application of 10 units of 100.00 that compliance looks at, by a customer who has 5,000.00.
 */
async function waiting(given: Parameters<InvestmentFixture["product"]>[1] = {}, answer = review) {
  const tenantId = testTenant();
  tenants.push(tenantId);
  const product = await fixture.product(tenantId, given);
  const investor = await fixture.investor({ tenantId, balance: 5_000_00n });
  fixture.compliance.answer = answer;
  const idempotencyKey = randomUUID();
  const apply = async () => (await fixture.apply(investor, product, { idempotencyKey })).application!;
  const requested = await apply();
  return { tenantId, product, investor, apply, requested, applicationId: requested.applicationId };
}

const ended = (investor: Investor, applicationId: string) =>
  waitFor(
    async () => {
      const application = await fixture.applicationOf(investor, applicationId);
      return ["AWAITING_COMPLIANCE", "PENDING"].includes(application.status) ? undefined : application;
    },
    { timeoutMs: 20_000, what: "the application to end" },
  );
const unitsLeft = async (tenantId: string, productId: string) =>
  (await fixture.operator.getProduct({ productId }, fixture.calls({ tenantId }))).product!.unitsLeft;
const withdraw = (investor: Investor, applicationId: string, idempotencyKey: string = randomUUID()) =>
  fixture.gateway.withdrawApplication({ idempotencyKey, applicationId }, fixture.calls(investor));

describe("an application that compliance looks at", () => {
  test("is answered so, takes nothing, and is bought on the day that it is approved", async () => {
    const { tenantId, product, investor, apply, requested, applicationId } = await waiting();
    expect(requested).toMatchObject({
      status: "AWAITING_COMPLIANCE",
      complianceDecision: "REVIEW",
      outstandingRequirements: [],
      waitsUntil: "2025-01-31",
      holdingId: "",
      customerName: "Amina Okafor",
      total: usd(1_000_00n),
    });
    expect(JSON.stringify(requested, (_key, value: unknown) => String(value))).not.toContain("secret");
    expect(await apply()).toEqual(requested);
    expect(fixture.balanceOf(investor)).toBe(5_000_00n);
    expect(await unitsLeft(tenantId, product.productId)).toBe(1_000n);
    await fixture.agree(tenantId);

    await fixture.passDays(tenantId, 10);
    fixture.compliance.answer = { decision: "DECISION_APPROVED" };
    const bought = await ended(investor, applicationId);
    expect(bought).toMatchObject({
      status: "COMPLETED",
      holdingId: applicationId,
      maturityDate: "2026-01-11",
      expectedReturn: usd(60_00n),
    });
    expect(fixture.balanceOf(investor)).toBe(4_000_00n);
    expect(await unitsLeft(tenantId, product.productId)).toBe(990n);
    const { holding } = await fixture.gateway.getHolding({ holdingId: applicationId }, fixture.calls(investor));
    expect(holding?.purchasedOn).toBe("2025-01-11");
    // The key's answer is the first one, for ever.
    expect(await apply()).toEqual(requested);
  });

  test("shows what the customer is to show first, as it is now", async () => {
    const missing = (...outstandingRequirements: string[]) => ({
      decision: "DECISION_PENDING" as const,
      reasonCode: "",
      message: "",
      outstandingRequirements,
    });
    const { investor, requested, applicationId } = await waiting({}, missing("SOURCE_OF_FUNDS", "SELFIE") as never);
    expect(requested).toMatchObject({
      complianceDecision: "PENDING",
      outstandingRequirements: ["SOURCE_OF_FUNDS", "SELFIE"],
    });
    fixture.compliance.answer = missing("SELFIE");
    const shown = async () => (await fixture.applicationOf(investor, applicationId)).outstandingRequirements;
    await waitFor(async () => (await shown()).length === 1, { timeoutMs: 10_000, what: "what is missing" });
    await withdraw(investor, applicationId);
  });

  test("is refused when compliance rejects it", async () => {
    const { investor, applicationId } = await waiting();
    fixture.compliance.answer = { decision: "DECISION_REJECTED", reasonCode: "REVIEW_REJECTED", message: "secret" };
    const refused = await ended(investor, applicationId);
    expect(refused).toMatchObject({ status: "REFUSED", refusalCode: "COMPLIANCE_REJECTED" });
    expect(refused.refusalMessage).not.toContain("secret");
    expect(fixture.balanceOf(investor)).toBe(5_000_00n);
  });

  test.each([
    ["UNITS_SOLD_OUT", { unitsOffered: 10n }, 5_000_00n],
    ["INSUFFICIENT_FUNDS", {}, 0n],
  ])("is refused with %s where that is so by then", async (code, given, others) => {
    const { tenantId, product, investor, applicationId } = await waiting(given);
    const rival = await fixture.investor({ tenantId, balance: others });
    fixture.compliance.of.set(applicationId, review);
    fixture.compliance.answer = { decision: "DECISION_APPROVED" };
    if (others > 0n) await fixture.apply(rival, product);
    else fixture.ledger.account(tenantId, investor.walletId)!.debits += 4_500_00n;
    fixture.compliance.of.delete(applicationId);
    expect(await ended(investor, applicationId)).toMatchObject({ status: "REFUSED", refusalCode: code });
    const { holdings } = await fixture.gateway.listHoldings({}, fixture.calls(investor));
    expect(holdings).toEqual([]);
  });

  test("can be withdrawn, once, by its customer alone, and compliance hears of it", async () => {
    const { tenantId, investor, applicationId } = await waiting();
    const neighbour = await fixture.investor({ tenantId });
    const stranger = await fixture.investor();
    expect((await refusalOf(withdraw(neighbour, applicationId))).code).toBe("FORBIDDEN");
    expect((await refusalOf(withdraw(stranger, applicationId))).code).toBe("NOT_FOUND");
    expect((await refusalOf(fixture.applicationOf(neighbour, applicationId))).code).toBe("FORBIDDEN");
    expect((await refusalOf(fixture.applicationOf(stranger, applicationId))).code).toBe("NOT_FOUND");
    const key = randomUUID();
    const first = await withdraw(investor, applicationId, key);
    expect(first.application).toMatchObject({ status: "WITHDRAWN", applicationId });
    expect(await withdraw(investor, applicationId, key)).toEqual(first);
    expect((await refusalOf(withdraw(investor, applicationId))).code).toBe("STATE_CONFLICT");
    fixture.compliance.answer = { decision: "DECISION_APPROVED" };
    await fixture.settled(tenantId);
    expect(fixture.compliance.released).toContain(applicationId);
    expect(await ended(investor, applicationId)).toMatchObject({ status: "WITHDRAWN" });
    expect(fixture.balanceOf(investor)).toBe(5_000_00n);
  });

  test("that is being bought at this moment is not withdrawn, which the key does not keep", async () => {
    const { investor, applicationId } = await waiting();
    fixture.faults.next("debitWallet", "before", "UNAVAILABLE", 3);
    fixture.compliance.answer = { decision: "DECISION_APPROVED" };
    fixture.compliance.of.delete(applicationId);
    await waitFor(async () => (await fixture.applicationOf(investor, applicationId)).status === "PENDING", {
      timeoutMs: 20_000,
      everyMs: 5,
      what: "the purchase to begin",
    });
    const key = randomUUID();
    const now = await refusalOf(withdraw(investor, applicationId, key));
    expect(now).toMatchObject({ code: "STATE_CONFLICT", details: { retryAfterS: 1 } });
    expect(await ended(investor, applicationId)).toMatchObject({ status: "COMPLETED" });
    const then = await refusalOf(withdraw(investor, applicationId, key));
    expect([then.code, then.details]).toEqual(["STATE_CONFLICT", undefined]);
  });

  test("waits for 30 days", async () => {
    const { tenantId, investor, applicationId } = await waiting();
    await fixture.passDays(tenantId, 31);
    expect(await ended(investor, applicationId)).toMatchObject({ status: "EXPIRED" });
    await fixture.settled(tenantId);
    expect(fixture.compliance.released).toContain(applicationId);
  });

  test("is listed with the others, newest first; staff see it by their customer", async () => {
    const { tenantId, product, investor, applicationId } = await waiting();
    await withdraw(investor, applicationId);
    fixture.compliance.answer = { decision: "DECISION_APPROVED" };
    const { application } = await fixture.apply(investor, product);
    const list = async (person: { tenantId: string; token: string }, customerId = "") =>
      (await fixture.gateway.listApplications({ customerId }, fixture.calls(person))).applications;
    const mine = await list(investor);
    expect(mine.map(({ applicationId: id, status }) => [id, status])).toEqual([
      [application!.applicationId, "COMPLETED"],
      [applicationId, "WITHDRAWN"],
    ]);
    expect(mine[0]!.customerName).toBe("Amina Okafor");
    expect(await list(fixture.staff(tenantId), investor.customerId)).toEqual(mine);
    const agent = fixture.staff(tenantId, "AGENT");
    expect((await refusalOf(list(agent, investor.customerId))).code).toBe("FORBIDDEN");
    const neighbour = await fixture.investor({ tenantId });
    expect((await refusalOf(list(neighbour, investor.customerId))).code).toBe("FORBIDDEN");
  });
});

describe("cut off in the middle", () => {
  test("after it was set aside: the retry is answered, and it goes on", async () => {
    const tenantId = testTenant();
    tenants.push(tenantId);
    const product = await fixture.product(tenantId);
    const investor = await fixture.investor({ tenantId, balance: 5_000_00n });
    fixture.compliance.answer = review;
    fixture.crashAt("investment.application.waiting");
    const idempotencyKey = randomUUID();
    await refusalOf(fixture.apply(investor, product, { idempotencyKey }));
    expect(fixture.crashedAt("investment.application.waiting")).toBe(true);
    const { application } = await fixture.apply(investor, product, { idempotencyKey });
    expect(application?.status).toBe("AWAITING_COMPLIANCE");
    fixture.compliance.answer = { decision: "DECISION_APPROVED" };
    expect(await ended(investor, application!.applicationId)).toMatchObject({ status: "COMPLETED" });
    expect(fixture.balanceOf(investor)).toBe(4_000_00n);
  });

  test.each([
    "waiting.asked",
    "waiting.resumed",
    "application.reserved",
    "application.debited",
    "application.completed",
  ])("after %s: it is bought once", async (point) => {
    const { tenantId, product, investor, applicationId } = await waiting();
    fixture.crashAt(`investment.${point}`);
    fixture.compliance.answer = { decision: "DECISION_APPROVED" };
    expect(await ended(investor, applicationId)).toMatchObject({ status: "COMPLETED" });
    expect(fixture.crashedAt(`investment.${point}`)).toBe(true);
    expect(fixture.balanceOf(investor)).toBe(4_000_00n);
    expect(await unitsLeft(tenantId, product.productId)).toBe(990n);
  });
});

describe("names", () => {
  test("are not kept: who asks again hears the name that is on file then", async () => {
    const { tenantId, investor, apply } = await waiting();
    const rows = tenantCollection<{ tenantId: string }>(fixture.database.db, collections.applications);
    const answers = tenantCollection<{ tenantId: string; answer: { bytes: { buffer: Uint8Array } } }>(
      fixture.database.db,
      "idempotency",
    );
    const stored = [...(await rows.forTenant(tenantId).find({})), ...(await answers.forTenant(tenantId).find({}))];
    expect(stored.length).toBeGreaterThan(1);
    const text = JSON.stringify(stored, (_key, value: unknown) => (typeof value === "bigint" ? `${value}` : value));
    expect(text).not.toContain("Okafor");
    const [answered] = await answers.forTenant(tenantId).find({});
    expect(Buffer.from(answered!.answer.bytes.buffer).includes("Okafor")).toBe(false);
    const customer = fixture.customers.get(investor.customerId)!;
    Object.assign(customer, { firstName: "", lastName: "" });
    expect((await apply()).customerName).toBe("");
    await withdraw(investor, (await apply()).applicationId);
  });
});
