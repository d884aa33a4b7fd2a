import { asCash, cashPoint, handOut } from "../../../test/support/cash-point.js";
import { waitFor as waitShortly } from "../../../test/support/index.js";
import { createPayoutWorld, type Paid, type PayoutWorld } from "../../../test/support/payout-fixture.js";
import { ada, manager, on, refused } from "../../../test/support/remittance-calls.js";
import { nothingFor } from "../../../test/support/time.js";

let world: PayoutWorld;
let tenantId: string;
beforeAll(async () => void (world = await createPayoutWorld("holds", { PAYOUT_BATCH_S: "60" })));
beforeEach(async () => void (tenantId = await world.tenant()));
afterEach(() => world.reset());
afterAll(() => world.close());

jest.setTimeout(180_000);

const waitFor = <T>(ask: () => T | Promise<T>) => waitShortly(ask, { timeoutMs: 90_000 });
const find = ({ transactionId }: { transactionId: string }) => world.find(tenantId, transactionId);
const held = (paid: Paid) => waitFor(async () => (await find(paid)).payout?.heldAt !== undefined);
const resume = (customerId = "c1") => world.compliance.resumeHeldPayouts({ customerId }, on(tenantId));
const payouts = async () => (await world.statement(tenantId)).filter(({ kind }) => kind === "PAYOUT");

/** What was paid is in clearing, and the partner has never heard of it. */
async function expectUntouched(paid: Paid, status = "PAID"): Promise<void> {
  const { clearing, partner } = await world.money(paid);
  expect([(await find(paid)).status, clearing, partner, await world.atPartner(paid)]).toEqual([
    status,
    100_00n,
    0n,
    "404",
  ]);
}

/** How often compliance was asked about payouts of the tenant, and about how many. */
const requested = () => world.told.payoutChecks.filter((one) => one.tenantId === tenantId).map(({ count }) => count);

/** Until something is true; what waits for a time of its own finds it come meanwhile. */
const whileTimePasses = (isIt: () => boolean | Promise<boolean>) =>
  waitShortly(
    async () => {
      if (await isIt()) return true;
      world.pass(10 * 60_000);
      return false;
    },
    { timeoutMs: 90_000, everyMs: 200 },
  );

/**
 * Until payouts were looked at again by themselves: what was made of the first answer
 * is over at the second question.
 */
async function polledAgain(): Promise<void> {
  const before = requested().length;
  await whileTimePasses(() => requested().length >= before + 2);
}
/** Past the end of a batch or a window. */
const closeWindow = () => world.pass(61_000);

describe("a hit that came after the approval", () => {
  test.each(["c1/B-NGOZI", "c1"])(
    "of %s: what was paid for is not handed over, and goes on when no hit stands",
    async (of) => {
      world.told.hits.add(of);
      const paid = await world.paid(tenantId);
      await held(paid);
      await polledAgain();
      await expectUntouched(paid);
      world.told.hits.clear();
      await whileTimePasses(async () => (await find(paid)).status === "COMPLETED");
      expect((await payouts()).map(({ reference }) => reference)).toEqual([paid.transactionId]);
      expect((await find(paid)).payout).not.toHaveProperty("heldAt");
      expect(await resume()).toEqual({ resumed: 0 });
    },
  );

  test("of another recipient or customer holds nothing", async () => {
    for (const one of ["c1/B-OTHER", "c2", "c2/B-NGOZI"]) world.told.hits.add(one);
    await world.until(await world.paid(tenantId), "COMPLETED");
  });

  test("is looked at ever more seldom, and at once when compliance says that it is over", async () => {
    world.told.hits.add("c1");
    const paid = await world.paid(tenantId);
    await held(paid);
    await polledAgain();
    const seen = requested();
    world.told.hits.clear();
    await nothingFor(500);
    expect(requested()).toEqual(seen);
    await expectUntouched(paid);
    expect(await resume("c2")).toEqual({ resumed: 0 });
    expect(await resume()).toEqual({ resumed: 1 });
    await world.until(paid, "COMPLETED");
  });

  test("nothing tells whoever sent it: no change of status, no reason, no word", async () => {
    world.told.hits.add("c1/B-NGOZI");
    const paid = await world.paid(tenantId);
    await held(paid);
    await polledAgain();
    const { transactionId } = paid;
    for (const user of [ada, manager]) {
      const { transaction } = await world.gateway.getTransaction({ transactionId }, on(tenantId, user));
      expect(transaction).toMatchObject({ status: "PAID" });
      const text = JSON.stringify(transaction, (_key, value: unknown) =>
        typeof value === "bigint" ? `${value}` : value,
      );
      expect(text).not.toMatch(/held|\bhits?\b|screen/i);
    }
    expect((await find(paid)).timeline.map(({ status }) => status)).toEqual([
      "AWAITING_COMPLIANCE",
      "AWAITING_PAYMENT",
      "PAYING",
      "PAID",
    ]);
  });

  test("its sender may cancel it, and has the money again", async () => {
    world.told.hits.add("c1/B-NGOZI");
    const paid = await world.paid(tenantId);
    await held(paid);
    await world.cancel(paid);
    await world.until(paid, "REFUNDED");
    expect((await world.money(paid)).short).toBe(0n);
    expect(await resume()).toEqual({ resumed: 0 });
  });

  test("confirmed it is blocked where it stands; released it goes on only when no other hit stands", async () => {
    world.told.hits.add("c1/B-NGOZI");
    const paid = await world.paid(tenantId);
    await held(paid);
    const block = { blockId: "b-held", customerId: "c1", recipientCode: "B-NGOZI" };
    expect(await world.compliance.blockTransactions(block, on(tenantId))).toMatchObject({ blocked: 1, underWay: 0 });
    await expectUntouched(paid, "BLOCKED");
    await world.compliance.releaseBlockedTransactions({ blockId: "b-held", outcome: "CONTINUE" }, on(tenantId));
    await polledAgain();
    await expectUntouched(paid);
    world.told.hits.clear();
    await resume();
    await world.until(paid, "COMPLETED");
  });
});

describe("asked right before it is handed over", () => {
  test("what has begun and never reached the partner is asked about once more", async () => {
    await world.force({ account: tenantId, behaviour: "AWAY" });
    const paid = await world.paid(tenantId);
    await world.until(paid, "PROCESSING");
    world.told.hits.add("c1/B-NGOZI");
    // What compliance said before counts for five seconds.
    world.pass(6_000);
    await world.unforce();
    await held(paid);
    await polledAgain();
    await expectUntouched(paid, "PROCESSING");
    world.told.hits.clear();
    await resume();
    await world.until(paid, "COMPLETED");
    expect(await payouts()).toHaveLength(1);
  });

  test("what the partner has stays there", async () => {
    const paid = await world.paid(tenantId, { behaviour: "STALL" });
    await waitFor(async () => (await find(paid)).payout?.acceptedAt !== undefined);
    world.told.hits.add("c1");
    await world.force({ reference: paid.transactionId, behaviour: "ACCEPT", settleMs: 0 });
    expect(await resume()).toEqual({ resumed: 0 });
    expect(await world.atPartner(paid)).toBe("ACCEPTED");
    expect((await find(paid)).payout).not.toHaveProperty("heldAt");
    await world.cancel(paid);
    await world.until(paid, "REFUNDED");
  });

  test("while compliance is away nothing goes out, and then it does", async () => {
    world.told.complianceIsAway = true;
    const paid = await world.paid(tenantId);
    await polledAgain();
    await expectUntouched(paid);
    world.told.complianceIsAway = false;
    await whileTimePasses(async () => (await find(paid)).status === "COMPLETED");
  });

  test("a batch asks once about all of it; who is held leaves it and the others go out", async () => {
    const part = { processingMode: "PROCESSING_MODE_AGGREGATION" as const };
    const code = "B-HIT";
    const recipient = { ...world.beneficiary, idempotencyKey: code, code };
    await world.operator.createBeneficiary(recipient, on(tenantId));
    world.told.hits.add(`c1/${code}`);
    const [stopped, ...others] = [
      await world.paid(tenantId, undefined, { ...part, recipientCustomerCode: code }),
      await world.paid(tenantId, undefined, part),
      await world.paid(tenantId, undefined, part),
    ];
    const batchIds = await waitFor(async () => {
      const ids = (await Promise.all([stopped, ...others].map(find))).map(({ payout }) => payout?.batchId);
      return ids.includes(undefined) ? undefined : ids;
    });
    expect(new Set(batchIds).size).toBe(1);
    closeWindow();
    for (const one of others) await world.until(one, "COMPLETED");
    await held(stopped);
    expect(requested().filter((count) => count > 1)).toEqual([3]);
    expect(await world.atPartner(stopped)).toBe("404");
    expect((await find(stopped)).payout).not.toHaveProperty("batchId");
    world.told.hits.clear();
    await resume();
    await waitFor(async () => (await find(stopped)).payout?.batchId !== undefined);
    closeWindow();
    await world.until(stopped, "COMPLETED");
    expect(await payouts()).toHaveLength(3);
  });

  test("what missed its window waits for the next one", async () => {
    world.told.hits.add("c1");
    const part = { processingMode: "PROCESSING_MODE_NONE_AGGREGATION" as const };
    const paid = await world.paid(tenantId, undefined, part);
    await held(paid);
    expect((await find(paid)).payout).not.toHaveProperty("windowAt");
    world.told.hits.clear();
    await resume();
    await waitFor(async () => (await find(paid)).payout?.windowAt !== undefined);
    closeWindow();
    await world.until(paid, "COMPLETED");
  });

  test("into a wallet of the organisation: not before no hit stands against who sends it", async () => {
    const { accountId, part } = await world.recipientWallet(tenantId);
    // Begun, and held for its recipient's sake.
    world.told.statuses.set("c2", "BLOCKED");
    const paid = await world.paid(tenantId, undefined, part);
    await waitFor(async () => (await find(paid)).payout?.acceptedAt !== undefined);
    world.told.hits.add("c1");
    world.told.statuses.clear();
    world.pass(6_000);
    await held(paid);
    expect(await world.balance(tenantId, accountId)).toBe(0n);
    world.told.hits.clear();
    await resume();
    await world.until(paid, "COMPLETED");
    expect(await world.balance(tenantId, accountId)).toBe(160_000_00n);
  });
});

describe("cash that our own cashiers hand out", () => {
  const handItOut = (transactionCode: string, pickupCode: string) =>
    handOut(world, tenantId, transactionCode, pickupCode);
  beforeEach(async () => void (await world.gateway.putPayoutPoint({ point: cashPoint }, on(tenantId, manager))));

  test("does not lie ready while a hit stands", async () => {
    world.told.hits.add("c1");
    const paid = await world.paid(tenantId, undefined, asCash);
    await held(paid);
    await polledAgain();
    await expectUntouched(paid);
    world.told.hits.clear();
    await resume();
    await world.until(paid, "READY_FOR_PICKUP");
  });

  test("is handed out to nobody while a hit stands or compliance is away, in words that tell nothing", async () => {
    const paid = await world.paid(tenantId, undefined, asCash);
    const { transactionCode } = await world.until(paid, "READY_FOR_PICKUP");
    const { code } = await world.gateway.issuePickupCode({ transactionId: paid.transactionId }, on(tenantId, ada));
    world.told.hits.add("c1/B-NGOZI");
    // More often than wrong codes are let through.
    for (let tries = 0; tries < 6; tries += 1) {
      expect(await refused(handItOut(transactionCode, code))).toMatchObject({
        code: "STATE_CONFLICT",
        message: "the transaction was handed out or changed at this moment",
      });
    }
    world.told.hits.clear();
    world.told.complianceIsAway = true;
    expect((await refused(handItOut(transactionCode, code))).code).toBe("UNAVAILABLE");
    world.told.complianceIsAway = false;
    expect(await handItOut(transactionCode, code)).toMatchObject({ transactionCode });
  });
});

test("only compliance tells that a hit is over, and of a customer", async () => {
  for (const client of [world.gateway, world.wallet, world.operator]) {
    const work = client.resumeHeldPayouts({ customerId: "c1" }, on(tenantId, manager));
    expect((await refused(work)).code).toBe("CALLER_NOT_ALLOWED");
  }
  expect((await refused(resume(""))).details?.errors?.[0]?.path).toBe("customerId");
});
