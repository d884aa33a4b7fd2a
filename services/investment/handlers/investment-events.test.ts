import { randomUUID } from "node:crypto";
import {
  createInvestmentFixture,
  type InvestmentFixture,
  type Investor,
} from "../../../test/support/investment-fixture.js";
import { testTenant, waitFor } from "../../../test/support/index.js";
import { readerOf } from "../../platform/events/shapes/codec.js";
import { Investment } from "../../platform/events/shapes/investment-shape.js";
import { parseJson, printJson } from "../../kernel/json.js";

jest.setTimeout(120_000);

let fixture: InvestmentFixture;
beforeAll(async () => void (fixture = await createInvestmentFixture("investment_told")));
afterEach(() => Object.assign(fixture.events.state, { faults: [], isAway: false }));
afterAll(() => fixture.close());

const published = async (holdingId: string, types: string[]) => {
  await waitFor(async () => fixture.events.of(holdingId).length >= types.length);
  expect(fixture.events.typesOf(holdingId)).toEqual(types);
};

/** Events are back: nobody waits for the pause after a failed try. */
async function back(tenantId: string): Promise<void> {
  fixture.events.state.isAway = false;
  await fixture.database.db
    .collection("outbox")
    .updateMany({ tenantId, kind: "event.publish" }, { $set: { dueAt: new Date(0) } });
}

async function holding(given: Parameters<InvestmentFixture["product"]>[1] = {}) {
  const tenantId = testTenant();
  const product = await fixture.product(tenantId, given);
  const investor = await fixture.investor({ tenantId, balance: 10_000_00n });
  const { application } = await fixture.apply(investor, product, { units: 100n });
  return { tenantId, product, investor, holdingId: application!.holdingId };
}
const redeem = (investor: Investor, holdingId: string, units: bigint, idempotencyKey: string = randomUUID()) =>
  fixture.gateway.redeemHolding({ idempotencyKey, holdingId, units }, fixture.calls(investor));
const read = async (investor: Investor, holdingId: string) => {
  const { holding: found } = await fixture.gateway.getHolding({ holdingId }, fixture.calls(investor));
  return printJson(readerOf(Investment)(found));
};
const lastOf = (holdingId: string) => printJson(parseJson(fixture.events.of(holdingId).at(-1)!.dataJson));

test("a purchase is accepted once, as its owner reads it", async () => {
  const { tenantId, investor, holdingId } = await holding();
  await published(holdingId, ["investment.accepted"]);
  expect(fixture.events.of(holdingId)[0]).toMatchObject({ tenantId, customerId: investor.customerId });
  expect(lastOf(holdingId)).toBe(await read(investor, holdingId));
});

test("each redemption is told once in its order, also where events were away and the key came twice", async () => {
  const { investor, holdingId } = await holding({ lockInDays: 0 });
  fixture.events.state.isAway = true;
  const key = randomUUID();
  await redeem(investor, holdingId, 40n, key);
  await redeem(investor, holdingId, 40n, key);
  await redeem(investor, holdingId, 60n);
  await back(investor.tenantId);
  await published(holdingId, ["investment.accepted", "investment.redeemed", "investment.redeemed"]);
  const [, first] = fixture.events.of(holdingId);
  expect(JSON.parse(first!.dataJson)).toMatchObject({ numberOfUnits: 60, status: "ACTIVE" });
  expect(lastOf(holdingId)).toBe(await read(investor, holdingId));
});

test("a holding whose term is over has matured", async () => {
  const { tenantId, investor, holdingId } = await holding({ reinvestment: "NONE" });
  await fixture.passDays(tenantId, 366);
  await waitFor(async () => {
    await fixture.workOfDay(tenantId);
    return fixture.events.typesOf(holdingId).includes("investment.matured");
  });
  await published(holdingId, ["investment.accepted", "investment.matured"]);
  expect(lastOf(holdingId)).toBe(await read(investor, holdingId));
});

test("a share of a dividend is told to its holding with what it brought, once", async () => {
  const { tenantId, product, holdingId } = await holding();
  await fixture.passDays(tenantId, 31);
  const manager = fixture.staff(tenantId);
  const request = {
    idempotencyKey: randomUUID(),
    productId: product.productId,
    from: "2025-01-01",
    to: "2025-02-01",
    amount: { amountMinor: 100_00n, currency: "USD" },
  };
  const { dividend } = await fixture.gateway.declareDividend(request, fixture.calls(manager));
  await fixture.gateway.declareDividend(request, fixture.calls(manager));
  await published(holdingId, ["investment.accepted", "investment.dividend_paid"]);
  const { dividend: paid } = JSON.parse(fixture.events.of(holdingId)[1]!.dataJson) as { dividend: object };
  expect(paid).toMatchObject({ dividendId: dividend!.dividendId, amount: "100.00", currency: "USD" });
});
