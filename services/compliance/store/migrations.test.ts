import {
  createComplianceWorld,
  manager,
  on,
  question,
  usd,
  type ComplianceWorld,
} from "../../../test/support/compliance-fixture.js";
import { waitFor } from "../../../test/support/index.js";
import { moveGuards } from "./guards.js";
import { tellStatuses } from "./statuses.js";

let world: ComplianceWorld;
beforeAll(async () => {
  world = await createComplianceWorld("migrations");
});
afterAll(() => world.close());

const day = "2026-05-01";
const factsOf = (transactionId: string, minor: bigint, currency = "USD") => ({
  transactionId,
  customerId: "c1",
  amount: { minor, currency },
  originCountry: "USA",
  receivingCountry: "NGA",
  receivingCurrency: "NGN",
  remittancePurpose: "family",
  sourceOfFunds: "salary",
});

/** A tenant as the first version left it: guards per currency, decisions without what was added since. */
async function ofFirstVersion(): Promise<string> {
  const tenantId = await world.openTenant({ dailyLimits: [{ amount: usd(1_000_00n) }] });
  const decision = (facts: ReturnType<typeof factsOf>, kind: string, reservation: string) => ({
    tenantId,
    transactionId: facts.transactionId,
    policyVersion: 1,
    decision: kind,
    reasonCode: "",
    message: "",
    outstandingRequirements: [],
    matchedRules: [],
    inputs: {
      facts,
      customerStatus: "CONFIRMED",
      day,
      timeZone: "UTC",
      usage: { reservedMinor: 0n, usedMinor: 0n },
    },
    reservation,
    decidedAt: new Date(`${day}T10:00:00Z`),
    interactionId: "i-1",
  });
  await world.db
    .collection("decisions")
    .insertMany([
      decision(factsOf(`${tenantId}-held`, 300_00n), "APPROVED", "HELD"),
      decision(factsOf(`${tenantId}-paid`, 200_00n), "APPROVED", "CONFIRMED"),
      decision(factsOf(`${tenantId}-yen`, 5_000n, "JPY"), "APPROVED", "CONFIRMED"),
      decision(factsOf(`${tenantId}-gone`, 400_00n), "APPROVED", "RELEASED"),
      decision(factsOf(`${tenantId}-waits`, 50_00n), "REVIEW", "NONE"),
    ]);
  const guard = { tenantId, customerId: "c1", day };
  await world.db.collection("limit_guards").insertMany([
    { ...guard, currency: "USD", reservedMinor: 300_00n, usedMinor: 200_00n },
    { ...guard, currency: "JPY", usedMinor: 5_000n },
  ]);
  return tenantId;
}

test("guards of the first version become days, once, and what they held is confirmed and released there", async () => {
  const tenantId = await ofFirstVersion();
  await moveGuards(world.db);
  await moveGuards(world.db);
  const days = () => world.store.forTenant(tenantId).listDays("c1", day, day);
  const [moved] = await days();
  expect(moved!.usage.toSorted((a, b) => a.currency.localeCompare(b.currency))).toEqual([
    { currency: "JPY", reservedMinor: 0n, usedMinor: 5_000n },
    { currency: "USD", reservedMinor: 300_00n, usedMinor: 200_00n },
  ]);
  expect(moved!.cells.map(({ currency, count, sumMinor }) => [currency, count, sumMinor]).toSorted()).toEqual([
    ["JPY", 1, 5_000n],
    ["USD", 2, 500_00n],
  ]);
  expect(await world.db.collection("limit_guards").countDocuments({ tenantId })).toBe(0);

  // 500 of 1,000 are taken.
  const over = await world.remittance.checkTransaction(question({ amount: usd(500_01n) }), on(tenantId));
  expect(over.reasonCode).toBe("DAILY_LIMIT_EXCEEDED");
  await world.remittance.releaseReservation({ transactionId: `${tenantId}-held` }, on(tenantId));
  const [after] = await days();
  expect(after!.usage.find(({ currency }) => currency === "USD")).toMatchObject({
    reservedMinor: 0n,
    usedMinor: 200_00n,
  });
  await world.remittance.giveBackReservation({ transactionId: `${tenantId}-paid` }, on(tenantId));
  const fits = await world.remittance.checkTransaction(question({ amount: usd(1_000_00n) }), on(tenantId));
  expect(fits.decision).toBe("DECISION_APPROVED");
});

test("what waited then can be decided on by a person", async () => {
  const tenantId = await ofFirstVersion();
  await moveGuards(world.db);
  const transactionId = `${tenantId}-waits`;
  const { reviews } = await world.gateway.listReviews({}, on(tenantId, manager));
  expect(reviews.map((review) => review.transactionId)).toEqual([transactionId]);
  const word = { transactionId, approve: true, reason: "known" };
  expect((await world.gateway.decideReview(word, on(tenantId, manager))).decision).toBe("DECISION_APPROVED");
});

test("identity is told the latest status of customers of whom it had not heard, once", async () => {
  const tenantId = await world.openTenant({}, { confirm: false });
  const told = () => world.state.noted.filter(({ customerId }) => customerId === "c3").map(({ sequence }) => sequence);
  const rows = () => world.db.collection("outbox").find({ tenantId, aggregate: "customer-status:c3" }).toArray();
  const areDone = async (count: number) => {
    const found = await rows();
    return found.length === count && found.every((row) => row["state"] === "DONE");
  };
  for (const [index, status] of (["CUSTOMER_STATUS_CONFIRMED", "CUSTOMER_STATUS_BLOCKED"] as const).entries()) {
    await world.operator.setCustomerStatus({ customerId: "c3", status, reason: "seen" }, on(tenantId));
    // A row that meets the one before it still at work is looked at again a second later, by a clock that stands still here.
    await waitFor(() => areDone(index + 1));
  }
  expect(told()).toEqual([1, 2]);
  // As the version left it that told nobody.
  await world.db.collection("outbox").deleteMany({ tenantId });
  world.state.noted.length = 0;
  await tellStatuses(world.db);
  await tellStatuses(world.db);
  expect(await rows()).toHaveLength(1);
  await waitFor(() => told().length > 0);
  const note = world.state.noted.find(({ customerId }) => customerId === "c3");
  expect(note).toMatchObject({ customerId: "c3", status: "BLOCKED", sequence: 2 });
  expect(note!.at).toBeInstanceOf(Date);
  await waitFor(() => areDone(1));
  expect(told()).toEqual([2]);
});
