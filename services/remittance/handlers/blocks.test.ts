import { randomUUID } from "node:crypto";
import { handOut } from "../../../test/support/cash-point.js";
import type { ApprovalEffect } from "../../../proto/gen/identity/v1/approvals.js";
import { Decision } from "../../../proto/gen/compliance/v1/compliance.js";
import { waitFor as waitShortly } from "../../../test/support/index.js";
import { createPayoutWorld, type Paid, type PayoutWorld } from "../../../test/support/payout-fixture.js";
import { ada, manager, on, refused } from "../../../test/support/remittance-calls.js";
import { effectFromWire, effectText } from "../../platform/approvals/approval-effects.js";

let world: PayoutWorld;
let tenantId: string;
beforeAll(async () => void (world = await createPayoutWorld("blocks", { PAYOUT_BATCH_S: "60" })));
beforeEach(async () => void (tenantId = await world.tenant()));
afterEach(() => world.reset());
afterAll(() => world.close());

jest.setTimeout(180_000);

const waitFor = <T>(ask: () => T | Promise<T>) => waitShortly(ask, { timeoutMs: 90_000 });
const block = (blockId: string, part: object = { customerId: "c1" }) =>
  world.compliance.blockTransactions({ blockId, ...part }, on(tenantId));
const release = (blockId: string, outcome: string) =>
  world.compliance.releaseBlockedTransactions({ blockId, outcome }, on(tenantId));
const statusOf = async ({ transactionId }: { transactionId: string }) =>
  (await world.find(tenantId, transactionId)).status;
const stalled = async () => {
  const paid = await world.paid(tenantId, { behaviour: "STALL" });
  await waitFor(async () => (await world.atPartner(paid)) === "ACCEPTED");
  return paid;
};
/** What was paid is in clearing and with nobody else. */
async function expectUntouched(...paid: Paid[]): Promise<void> {
  for (const one of paid) {
    const { short, partner, clearing } = await world.money(one);
    expect({ short, partner, clearing }).toEqual({
      short: 102_69n,
      partner: 0n,
      clearing: 100_00n * BigInt(paid.length),
    });
  }
}
async function expectRefunded(paid: Paid): Promise<void> {
  await world.until(paid, "REFUNDED");
  const { short, clearing, partner } = await world.money(paid);
  expect({ short, clearing, partner }).toEqual({ short: 0n, clearing: 0n, partner: 0n });
}

test("only compliance may block and release", async () => {
  for (const client of [world.gateway, world.wallet, world.operator]) {
    const calls = [
      client.blockTransactions({ blockId: "b", customerId: "c1" }, on(tenantId, manager)),
      client.releaseBlockedTransactions({ blockId: "b", outcome: "REFUND" }, on(tenantId, manager)),
    ];
    const refusals = await Promise.all(calls.map(refused));
    expect(refusals.map(({ code }) => code)).toEqual(["CALLER_NOT_ALLOWED", "CALLER_NOT_ALLOWED"]);
  }
});

test("422 names the field: no block, nothing that is meant, too many, an outcome that is none", async () => {
  const path = async (work: Promise<unknown>) => (await refused(work)).details?.errors?.[0]?.path;
  expect(await path(block(""))).toBe("blockId");
  expect(await path(block("b", {}))).toBe("customerId");
  expect(await path(block("b", { recipientCode: "B-NGOZI" }))).toBe("customerId");
  expect(await path(block("b", { transactionIds: Array.from({ length: 1_001 }, () => "t") }))).toBe("transactionIds");
  expect(await path(release("b", "KEEP"))).toBe("outcome");
});

describe("what is on its way", () => {
  test("is recalled at the partner; its money stays in clearing, and goes back when the block is released", async () => {
    for (const outcome of ["CONTINUE", "REFUND"]) {
      const paid = await stalled();
      expect(await block(`b-${outcome}`)).toMatchObject({ blocked: 1, underWay: 1, tooLate: [] });
      await waitFor(async () => (await block(`b-${outcome}`)).underWay === 0);
      expect([await statusOf(paid), await world.atPartner(paid)]).toEqual(["BLOCKED", "RECALLED"]);
      await expectUntouched(paid);
      expect(await release(`b-${outcome}`, outcome)).toMatchObject({ released: 1 });
      await expectRefunded(paid);
      expect(await release(`b-${outcome}`, outcome)).toMatchObject({ released: 1 });
      expect(world.told.givenBack.filter((id) => id === paid.transactionId)).toHaveLength(1);
    }
  });

  test("and paid out before the recall is told as too late, and stays completed", async () => {
    world.callbacks.lose(true);
    const paid = await world.paid(tenantId, { behaviour: "ACCEPT", settleMs: 0 });
    await waitFor(async () => (await world.atPartner(paid)) === "PAID");
    await block("b-late");
    await world.until(paid, "COMPLETED");
    expect(await block("b-late")).toMatchObject({ blocked: 0, underWay: 0, tooLate: [paid.transactionId] });
    // Should the bank send it back, it is stopped there.
    await world.sendBack(paid, "0");
    await world.until(paid, "BLOCKED");
    expect(await block("b-late")).toMatchObject({ blocked: 1, tooLate: [] });
    const textsOf = ({ effects }: { effects: ApprovalEffect[] }) => effects.map(effectFromWire).map(effectText);
    const foresee = (outcome: string) =>
      world.compliance.foreseeBlockRelease({ blockId: "b-late", outcome }, on(tenantId));
    const sentBack = [`TRANSACTION_SENT_BACK transaction:${paid.transactionId} 102.69 USD`];
    // What came back goes back, whichever way it is let go.
    for (const outcome of ["CONTINUE", "REFUND"]) expect(textsOf(await foresee(outcome))).toEqual(sentBack);
    expect(textsOf(await release("b-late", "REFUND"))).toEqual(sentBack);
    await world.until(paid, "REFUNDED");
    expect(textsOf(await release("b-late", "REFUND"))).toEqual(sentBack);
    expect((await world.money(paid)).short).toBe(0n);
  });

  test("waits for a partner that is away, and tells so", async () => {
    const paid = await stalled();
    await world.force({ account: tenantId, behaviour: "AWAY" });
    expect(await block("b-away")).toMatchObject({ blocked: 1, underWay: 1 });
    await world.unforce();
    await waitFor(async () => (await block("b-away")).underWay === 0);
    await expectUntouched(paid);
  });

  test("before its batch goes out: the partner never hears of it, and released it goes out once", async () => {
    const part = { processingMode: "PROCESSING_MODE_AGGREGATION" as const };
    const [stopped, goes] = [await world.paid(tenantId, undefined, part), await world.paid(tenantId, undefined, part)];
    const joined = async ({ transactionId }: Paid) => {
      await waitFor(async () => (await world.find(tenantId, transactionId)).payout?.batchId !== undefined);
    };
    for (const one of [stopped, goes]) await joined(one);
    expect(await block("b-batch", { transactionIds: [stopped.transactionId] })).toMatchObject({
      blocked: 1,
      underWay: 0,
    });
    world.pass(61_000);
    await world.until(goes, "COMPLETED");
    expect(await world.atPartner(stopped)).toBe("404");
    await release("b-batch", "CONTINUE");
    await joined(stopped);
    world.pass(61_000);
    await world.until(stopped, "COMPLETED");
    const lines = await world.statement(tenantId);
    expect(lines.filter(({ reference }) => reference === stopped.transactionId)).toHaveLength(1);
  });

  test("into a wallet of the organisation: stays out of it, goes on into it, or back", async () => {
    world.told.statuses.set("c2", "BLOCKED");
    const { accountId, part } = await world.recipientWallet(tenantId);
    const [one, two] = [await world.paid(tenantId, undefined, part), await world.paid(tenantId, undefined, part)];
    for (const paid of [one, two]) await world.until(paid, "PROCESSING");
    for (const { transactionId } of [one, two]) await block(`b-${transactionId}`, { transactionIds: [transactionId] });
    world.told.statuses.delete("c2");
    // A credit that was on its way may still arrive for a minute.
    world.pass(61_000);
    for (const { transactionId } of [one, two]) {
      await waitFor(
        async () => (await block(`b-${transactionId}`, { transactionIds: [transactionId] })).underWay === 0,
      );
    }
    expect(await world.balance(tenantId, accountId)).toBe(0n);
    await expectUntouched(one, two);
    await release(`b-${one.transactionId}`, "CONTINUE");
    await world.until(one, "COMPLETED");
    await release(`b-${two.transactionId}`, "REFUND");
    await world.until(two, "REFUNDED");
    expect(await world.balance(tenantId, accountId)).toBe(160_000_00n);
    expect((await world.money(two)).clearing).toBe(0n);
  });

  test("a refusal of the partner stays where it is: refunded once the block is released", async () => {
    const paid = await stalled();
    await block("b-refused");
    await waitFor(async () => (await block("b-refused")).underWay === 0);
    await world.callback(paid, "REFUSED");
    expect(await statusOf(paid)).toBe("BLOCKED");
    await release("b-refused", "REFUND");
    await expectRefunded(paid);
  });
});

describe("what is not paid for", () => {
  test("cannot be paid under a block, by the words of a review; released it can, within a new window", async () => {
    const transactionId = await world.create(tenantId);
    expect(await block("b-1", { customerId: "c1", recipientCode: "B-NGOZI" })).toMatchObject({
      blocked: 1,
      underWay: 0,
    });
    const early = await refused(world.debit(tenantId, transactionId));
    expect([early.code, early.message]).toEqual(["TRANSACTION_NOT_PAYABLE", "the transaction waits for compliance"]);
    world.told.decision = Decision.DECISION_REVIEW;
    const inReview = await refused(world.debit(tenantId, await world.create(tenantId)));
    expect([inReview.code, inReview.message, inReview.details]).toEqual([early.code, early.message, early.details]);
    world.pass(31 * 60_000);
    await release("b-1", "CONTINUE");
    const paid = await world.debit(tenantId, transactionId);
    await world.markPaid(paid);
    await world.until(paid, "COMPLETED");
  });

  test("is cancelled where the block ends with REFUND, and its share of the limit given back", async () => {
    const transactionId = await world.create(tenantId);
    expect(await block("block-with-refund")).toMatchObject({ blocked: 1, transactionIds: [transactionId] });
    const transactions = [{ transactionId, status: "CANCELLED" }];
    const sentBack = `TRANSACTION_SENT_BACK transaction:${transactionId} 102.69 USD`;
    for (const _again of [1, 2]) {
      const { effects, ...released } = await release("block-with-refund", "REFUND");
      expect(released).toEqual({ released: 1, transactions });
      expect(effects.map(effectFromWire).map(effectText)).toEqual([sentBack]);
    }
    expect(await statusOf({ transactionId })).toBe("CANCELLED");
    // Its owner reads as of any that is cancelled, and no word of why.
    const { transaction } = await world.gateway.getTransaction({ transactionId }, on(tenantId, ada));
    expect(transaction!.timeline.at(-1)).toMatchObject({ status: "CANCELLED", actor: "remittance", reason: "" });
    const text = JSON.stringify(transaction, (_key, value: unknown) => (typeof value === "bigint" ? "" : value));
    expect(text).not.toMatch(/block|release|hit|screen|refund:/i);
    await waitFor(() => world.told.released.includes(transactionId));
  });

  test("to another recipient is left alone", async () => {
    const transactionId = await world.create(tenantId);
    expect(await block("b-3", { customerId: "c1", recipientCode: "B-OTHER" })).toMatchObject({ blocked: 0 });
    expect(await statusOf({ transactionId })).toBe("AWAITING_PAYMENT");
  });

  test("and waits for compliance: what is decided meanwhile counts once the block is released", async () => {
    world.told.decision = Decision.DECISION_REVIEW;
    const transactionId = await world.create(tenantId);
    await block("b-4");
    const decision = { transactionId, decision: Decision.DECISION_APPROVED, policyVersion: 1 };
    await world.compliance.decideTransaction(decision, on(tenantId));
    expect(await statusOf({ transactionId })).toBe("BLOCKED");
    await release("b-4", "CONTINUE");
    expect(await statusOf({ transactionId })).toBe("AWAITING_PAYMENT");
  });

  test("what was payable waits for a person behind the block where new names are looked at", async () => {
    const transactionId = await world.create(tenantId);
    await block("b-6");
    const decide = (decision: Decision) =>
      world.compliance.decideTransaction({ transactionId, decision, policyVersion: 1 }, on(tenantId));
    await decide(Decision.DECISION_REVIEW);
    expect(await statusOf({ transactionId })).toBe("BLOCKED");
    await release("b-6", "CONTINUE");
    expect(await statusOf({ transactionId })).toBe("AWAITING_COMPLIANCE");
    await decide(Decision.DECISION_APPROVED);
    expect(await statusOf({ transactionId })).toBe("AWAITING_PAYMENT");
  });

  test("503 while one of them is still being created: whoever comes again finds it", async () => {
    const transactionId = await world.create(tenantId);
    const transactions = world.db.collection("transactions");
    const made = await transactions.findOne({ tenantId, transactionId });
    const { compliance } = made as unknown as { compliance: object };
    await transactions.updateOne(
      { tenantId, transactionId },
      { $set: { status: "AWAITING_COMPLIANCE" }, $unset: { compliance: 1 } },
    );
    expect((await refused(block("b-5"))).code).toBe("UNAVAILABLE");
    await transactions.updateOne({ tenantId, transactionId }, { $set: { compliance } });
    expect(await block("b-5")).toMatchObject({ blocked: 1 });
  });
});

test("a payment under way ends first: paid for it rests in clearing, and failed it waits", async () => {
  const [paid, failed] = [
    await world.debit(tenantId, await world.create(tenantId)),
    await world.debit(tenantId, await world.create(tenantId)),
  ];
  expect(await block("b-paying")).toMatchObject({ blocked: 2, underWay: 2, tooLate: [] });
  await world.markPaid(paid);
  const { transactionId, paymentId } = failed;
  await world.wallet.releaseTransaction({ transactionId, paymentId, reason: "refused" }, on(tenantId));
  expect(await block("b-paying")).toMatchObject({ blocked: 2, underWay: 0, tooLate: [] });
  expect([await statusOf(paid), await statusOf(failed)]).toEqual(["BLOCKED", "BLOCKED"]);
  // The wallet may tell again.
  await world.markPaid(paid);
  await world.wallet.releaseTransaction({ transactionId, paymentId, reason: "refused" }, on(tenantId));
  await waitFor(() => world.told.confirmed.includes(paid.transactionId));
  expect(await release("b-paying", "CONTINUE")).toMatchObject({ released: 2 });
  await world.until(paid, "COMPLETED");
  expect(await statusOf(failed)).toBe("AWAITING_PAYMENT");
});

describe("a cancellation under a block", () => {
  test("of what is paid for is answered as any other and moves nothing; it counts once the block is released", async () => {
    const paid = await stalled();
    await block("b-wish");
    expect((await world.cancel(paid)).transaction).toMatchObject({ status: "CANCELLING" });
    await waitFor(async () => (await block("b-wish")).underWay === 0);
    expect((await world.cancel(paid)).transaction).toMatchObject({ status: "CANCELLING" });
    await expectUntouched(paid);
    await release("b-wish", "CONTINUE");
    await expectRefunded(paid);
  });

  test("of what is not paid for ends it, as in every review", async () => {
    const transactionId = await world.create(tenantId);
    await block("b-unpaid");
    expect((await world.cancel({ tenantId, transactionId })).transaction).toMatchObject({ status: "CANCELLED" });
    expect(await release("b-unpaid", "CONTINUE")).toMatchObject({ released: 1 });
    expect(await statusOf({ transactionId })).toBe("CANCELLED");
  });

  test("a refund that is asked for is refused by the status that is shown", async () => {
    const paid = await stalled();
    const ask = () =>
      world.gateway.requestRefund(
        { idempotencyKey: randomUUID(), transactionId: paid.transactionId, reason: "r" },
        on(tenantId, manager),
      );
    const before = await refused(ask());
    await block("b-refund");
    const after = await refused(ask());
    expect([after.code, after.message]).toEqual([before.code, before.message]);
  });
});

test("cash of our own is not handed out under a block, and again after it", async () => {
  const creditParty = [
    { key: "payoutpointid", value: "LAG-1" },
    { key: "recipientname", value: "Ngozi Okafor" },
  ];
  const limits = { minimumMinor: 1_000_00n, maximumMinor: 1_000_000_00n, enabled: true };
  const about = {
    code: "LAG-1",
    name: "Lagos",
    type: "PAYOUT_POINT_TYPE_CASH" as const,
    country: "NG",
    currency: "NGN",
  };
  await world.gateway.putPayoutPoint({ point: { ...about, ...limits } }, on(tenantId, manager));
  const paid = await world.paid(tenantId, undefined, { type: "DELIVERY_METHOD_CASH_PICKUP", creditParty });
  const { transactionCode } = await world.until(paid, "READY_FOR_PICKUP");
  const { transactionId } = paid;
  const { code } = await world.gateway.issuePickupCode({ transactionId }, on(tenantId, ada));
  const handOutNow = () => handOut(world, tenantId, transactionCode, code);
  expect(await block("b-cash")).toMatchObject({ blocked: 1, underWay: 0 });
  const refusal = await refused(handOutNow());
  expect([refusal.code, refusal.message]).toEqual(["STATE_CONFLICT", "the transaction is PROCESSING"]);
  expect((await refused(world.gateway.issuePickupCode({ transactionId }, on(tenantId, ada)))).message).toBe(
    "the transaction is PROCESSING",
  );
  await expectUntouched(paid);
  await release("b-cash", "CONTINUE");
  expect(await handOutNow()).toMatchObject({ transactionCode });
});
