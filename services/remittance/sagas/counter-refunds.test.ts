import { randomUUID } from "node:crypto";
import { asCash, cashPoint, handOut, tillOf } from "../../../test/support/cash-point.js";
import { waitFor as waitShortly } from "../../../test/support/index.js";
import { createPayoutWorld, type Paid, type PayoutWorld } from "../../../test/support/payout-fixture.js";
import { fxMarginOf } from "../domain/counted.js";
import { ada, cashier, manager, on, refused } from "../../../test/support/remittance-calls.js";

let world: PayoutWorld;
let tenantId: string;
beforeAll(async () => {
  world = await createPayoutWorld("cash_back");
});
beforeEach(async () => {
  tenantId = await world.tenant();
});
afterEach(() => world.reset());
afterAll(() => world.close());

jest.setTimeout(180_000);

const till = "cash_till:CA1:USD";
const owed = "counter_payable:USD";
const balances = async () => ({ till: await world.balance(tenantId, till), owed: await world.balance(tenantId, owed) });
const settled = () =>
  waitShortly(async () => ((await world.openRows(tenantId)) === 0 ? true : undefined), { timeoutMs: 80_000 });
/** What wallet was told, in order. */
const told = ({ paymentId }: Paid) => world.told.refunded.filter((one) => one.paymentId === paymentId);

test("a sale that is paid out leaves the cash in the till, and owes nobody", async () => {
  const sold = await world.sold(tenantId);
  await world.until(sold, "COMPLETED");
  await settled();
  // Cash is an asset.
  expect(await balances()).toEqual({ till: -102_69n, owed: 0n });
  const { paymentId, transactionId } = sold;
  const completed = world.told.completed.filter((one) => one.transactionId === transactionId);
  expect(completed).toMatchObject([{ paymentId, completedAt: expect.any(Date) }]);
});

test("what a wallet has paid for is not told as completed, and what failed is not either", async () => {
  const [paid, failed] = [
    await world.paid(tenantId),
    await world.sold(tenantId, { behaviour: "REFUSE", reason: "no" }),
  ];
  await world.until(paid, "COMPLETED");
  await world.until(failed, "REFUNDED");
  await settled();
  const told = world.told.completed.map(({ transactionId }) => transactionId);
  for (const { transactionId } of [paid, failed]) expect(told).not.toContain(transactionId);
});

test("a counter is told what of a transaction is principal, fee and margin of the exchange", async () => {
  const transactionId = await world.create(tenantId);
  const found = await world.wallet.findSale({ transactionId }, on(tenantId, cashier));
  expect(found).toMatchObject({ principalMinor: 100_00n, feesMinor: 2_50n, fxMarginMinor: expect.any(BigInt) });
  const { price, terms } = await world.find(tenantId, transactionId);
  expect(found.fxMarginMinor).toBe(fxMarginOf({ price, terms }));
});

test("what the partner refuses is owed in cash with fee and tax, and no till has given anything", async () => {
  const sold = await world.sold(tenantId, { behaviour: "REFUSE", reason: "account closed" });
  const done = await world.until(sold, "REFUNDED");
  expect(done.timeline.at(-1)!.reason).toBe("102.69 USD at a counter, in cash");
  await settled();
  expect(await balances()).toEqual({ till: -102_69n, owed: 102_69n });
  expect(await world.balance(tenantId, "remittance_clearing:USD")).toBe(0n);
  expect(told(sold)).toMatchObject([{ refunded: { amountMinor: 102_69n }, isPart: false }]);
});

test("what is cancelled within 30 minutes is owed once, however often it is cancelled", async () => {
  const sold = await world.sold(tenantId, { behaviour: "HANG", times: 2 });
  await Promise.all([world.cancel(sold), world.cancel(sold), world.cancel(sold)]);
  const { status } = await waitShortly(
    async () => {
      const now = await world.find(tenantId, sold.transactionId);
      return now.status === "REFUNDED" || now.status === "COMPLETED" ? now : undefined;
    },
    { timeoutMs: 80_000 },
  );
  await settled();
  expect((await balances()).owed).toBe(status === "REFUNDED" ? 102_69n : 0n);
});

test("what comes back later is owed less what a bank kept", async () => {
  const sold = await world.sold(tenantId);
  await world.until(sold, "COMPLETED");
  // 4,000.00 NGN at 1600 are 2.50 USD.
  await world.sendBack(sold, "4000.00");
  await world.until(sold, "REFUNDED");
  await settled();
  expect(await balances()).toEqual({ till: -102_69n, owed: 100_19n });
  expect(told(sold)).toMatchObject([{ refunded: { amountMinor: 100_19n } }]);
});

test("a refund on request is owed part by part, out of the organisation's own pocket", async () => {
  const sold = await world.sold(tenantId);
  await world.until(sold, "COMPLETED");
  const { transactionId } = sold;
  for (const [amount, sum] of [
    ["5.00", 5_00n],
    ["7.69", 12_69n],
  ] as const) {
    const request = { transactionId, idempotencyKey: randomUUID(), reason: "late", amount };
    const { refund } = await world.gateway.requestRefund(request, on(tenantId, manager));
    const { refundId, approvalId } = refund!;
    await world.decide(tenantId, { approvalId, status: "APPROVED", decidedBy: "MA2" }, { transactionId, refundId });
    await waitShortly(async () => ((await world.balance(tenantId, owed)) === sum ? true : undefined), {
      timeoutMs: 80_000,
    });
  }
  await settled();
  expect(told(sold).map(({ refunded, isPart }) => [refunded?.amountMinor, isPart])).toEqual([
    [5_00n, true],
    [12_69n, true],
  ]);
  expect(await world.balance(tenantId, "refund_expense:USD")).toBe(-12_69n);
});

test("cash is not handed out by whoever issued its code, and such a try counts for nothing", async () => {
  await world.gateway.putPayoutPoint({ point: cashPoint }, on(tenantId, manager));
  const sold = await world.sold(tenantId, undefined, asCash);
  const { transactionId } = sold;
  const { transactionCode } = await world.until(sold, "READY_FOR_PICKUP");
  const { code } = await world.gateway.issuePickupCode({ transactionId }, on(tenantId, cashier));
  for (const tried of [code, "00000-00000", code]) {
    expect((await refused(handOut(world, tenantId, transactionCode, tried))).code).toBe("FORBIDDEN");
  }
  expect((await world.find(tenantId, transactionId)).pickup?.tries).toBe(0);
  await handOut(world, tenantId, transactionCode, code, { cashierId: "CA2" });
  await world.until(sold, "COMPLETED");
});

test("cancelled while its cash is handed out, it is one of the two", async () => {
  await world.gateway.putPayoutPoint({ point: cashPoint }, on(tenantId, manager));
  const seen = { isHandedOut: 0, isBack: 0 };
  for (let turn = 0; turn < 6; turn += 1) {
    const sold = await world.sold(tenantId, undefined, asCash);
    const { transactionCode } = await world.until(sold, "READY_FOR_PICKUP");
    const { code } = await world.gateway.issuePickupCode({ transactionId: sold.transactionId }, on(tenantId, ada));
    const [cancelled, handedOut] = await Promise.allSettled([
      world.cancel(sold),
      handOut(world, tenantId, transactionCode, code),
    ]);
    expect([cancelled.status, handedOut.status].toSorted()).toEqual(["fulfilled", "rejected"]);
    if (handedOut.status === "fulfilled") seen.isHandedOut += 1;
    else seen.isBack += 1;
    await world.until(sold, handedOut.status === "fulfilled" ? "COMPLETED" : "REFUNDED");
  }
  await settled();
  // Each that was handed out once, each other owed once.
  expect(await world.balance(tenantId, tillOf("CA1"))).toBe(160_000_00n * BigInt(seen.isHandedOut));
  expect((await balances()).owed).toBe(102_69n * BigInt(seen.isBack));
});

test("is cancelled at another counter than it was sold at; what a wallet paid for is not", async () => {
  const colleague = { ...cashier, userId: "CA9" };
  const cancel = ({ transactionId }: { transactionId: string }) =>
    world.gateway.cancelTransaction(
      { transactionId, idempotencyKey: randomUUID(), reason: "" },
      on(tenantId, colleague),
    );
  const sold = await world.sold(tenantId, { behaviour: "STALL" });
  await cancel(sold);
  const fromWallet = await world.paid(tenantId, { behaviour: "STALL" });
  expect((await refused(cancel(fromWallet))).code).toBe("FORBIDDEN");
});

test("is read at any desk; a claim of a till must say that it is cash", async () => {
  const sold = await world.sold(tenantId);
  const { transaction } = await world.gateway.getTransaction(
    { transactionId: sold.transactionId },
    on(tenantId, { ...cashier, userId: "CA9" }),
  );
  expect(transaction?.transactionId).toBe(sold.transactionId);
  const transactionId = await world.create(tenantId);
  const ask = { transactionId, paymentId: randomUUID(), customerId: "c1", tillId: "till-1" };
  const totalAmount = { amountMinor: 102_69n, currency: "USD" };
  const refusal = await refused(
    world.wallet.claimTransaction({ ...ask, totalAmount, funding: "WALLET" }, on(tenantId)),
  );
  expect(refusal.details?.errors).toEqual([expect.objectContaining({ path: "funding" })]);
  const found = await world.wallet.findSale({ transactionId }, on(tenantId, cashier));
  expect(found).toMatchObject({ transactionId, customerId: "c1", total: totalAmount });
  const again = await refused(world.wallet.findSale({ transactionId: sold.transactionId }, on(tenantId, cashier)));
  expect(again.code).toBe("PAYABLE_ALREADY_PAID");
});
