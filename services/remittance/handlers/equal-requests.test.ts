import { ada, cashier, manager, on } from "../../../test/support/remittance-calls.js";
import { createWorld, type World } from "../../../test/support/remittance-fixture.js";
import { beneficiary, openTenant, order } from "../../../test/support/remittance-samples.js";
import { Refusal } from "../../kernel/refusal.js";
import { pause } from "../../../test/support/time.js";

// Without Redis nothing keeps an equal request back until it meets the other one in MongoDB.
let world: World;
let tenantId: string;
beforeAll(async () => {
  world = await createWorld("equal_requests", { redisUrl: "redis://127.0.0.1:1" });
  tenantId = await openTenant(world);
});
afterEach(() => world.reset());
afterAll(() => world.close());

jest.setTimeout(120_000);

const idempotencyKey = "the-same";
const records = (operation: string) =>
  world.db.collection("idempotency").countDocuments({ tenantId, operation, key: idempotencyKey });

async function created(change: object = {}): Promise<{ transactionId: string; transactionCode: string }> {
  const { transaction } = await world.gateway.createTransaction(order(), on(tenantId, ada));
  const { transactionId, transactionCode } = transaction!;
  await world.db.collection("transactions").updateOne({ tenantId, transactionId }, { $set: change });
  return { transactionId, transactionCode };
}

/** What to ask twice, by the operation of its key. */
const operations: Record<string, () => Promise<() => Promise<unknown>>> = {
  async "create-quote"() {
    const type = "DELIVERY_METHOD_ACCOUNTPAYMENT" as const;
    const question = { idempotencyKey, sendAmount: "100.00", receivingCountry: "NG", type };
    return () => world.gateway.createQuote(question, on(tenantId, ada));
  },
  async "cancel-transaction"() {
    const { transactionId } = await created();
    return () => world.gateway.cancelTransaction({ idempotencyKey, transactionId, reason: "" }, on(tenantId, ada));
  },
  async "update-transaction-status"() {
    const { transactionId } = await created();
    const request = { idempotencyKey, transactionId, status: "EXPIRED", reason: "by hand" };
    return () => world.gateway.updateTransactionStatus(request, on(tenantId, manager));
  },
  async "request-refund"() {
    const payout = { interactionId: "i", outcome: "PAID", settledAt: new Date() };
    const { transactionId } = await created({ status: "COMPLETED", paidAt: new Date(), payout });
    const request = { idempotencyKey, transactionId, amount: "1.00", reason: "goodwill" };
    return () => world.gateway.requestRefund(request, on(tenantId, manager));
  },
  async "hand-out-cash"() {
    const paid = { paidAt: new Date(), payout: { interactionId: "i" }, pickup: { pointId: "p", tries: 0 } };
    const { transactionId } = await created({ status: "READY_FOR_PICKUP", ...paid });
    const { code: pickupCode } = await world.gateway.issuePickupCode({ transactionId }, on(tenantId, ada));
    const request = { idempotencyKey, transactionId, cashierId: cashier.userId, pickupCode };
    return () => world.wallet.handOutCash(request, on(tenantId));
  },
  async "create-beneficiary"() {
    const request = { ...beneficiary, idempotencyKey, code: "B-TWICE" };
    return () => world.gateway.createBeneficiary(request, on(tenantId, ada));
  },
  async "change-beneficiary"() {
    const request = { ...beneficiary, idempotencyKey, code: "B-TWICE", relationship: "cousin" };
    return () => world.gateway.changeBeneficiary(request, on(tenantId, ada));
  },
  async "remove-beneficiary"() {
    return () => world.gateway.removeBeneficiary({ idempotencyKey, code: "B-TWICE" }, on(tenantId, ada));
  },
};

test.each(Object.keys(operations))("two equal requests of %s at once get the same answer", async (operation) => {
  const ask = await operations[operation]!();
  const [first, second] = await Promise.all([ask(), ask()]);
  expect(second).toEqual(first);
  expect(await ask()).toEqual(first);
  expect(await records(operation)).toBe(1);
});

test("two equal requests of create-transaction at once make one transaction and get the same answer", async () => {
  const request = order({ idempotencyKey });
  const before = await world.db.collection("transactions").countDocuments({ tenantId });
  const ask = () => asLongAsItRuns(() => world.gateway.createTransaction(request, on(tenantId, ada)));
  const [first, second] = await Promise.all([ask(), ask()]);
  expect(second).toEqual(first);
  expect(await records("create-transaction")).toBe(1);
  expect(await world.db.collection("transactions").countDocuments({ tenantId })).toBe(before + 1);
});

test("two equal orders of one quote at once use it once", async () => {
  const type = "DELIVERY_METHOD_ACCOUNTPAYMENT" as const;
  const question = { sendAmount: "100.00", receivingCountry: "NG", type };
  const { quote } = await world.gateway.createQuote(question, on(tenantId, ada));
  const request = order({ dynamicFields: { quoteId: quote!.quoteId } });
  const ask = () => asLongAsItRuns(() => world.gateway.createTransaction(request, on(tenantId, ada)));
  const [first, second] = await Promise.all([ask(), ask()]);
  expect(second).toEqual(first);
  expect(first.transaction!.quoteId).toBe(quote!.quoteId);
});

test("one payment's claims at once, and its reports that it paid, get the same answer", async () => {
  const { transactionId } = await created();
  const totalAmount = { amountMinor: 102_69n, currency: "USD" };
  const claim = () =>
    world.wallet.claimTransaction({ transactionId, paymentId: "p-1", customerId: "c1", totalAmount }, on(tenantId));
  const [first, second] = await Promise.all([claim(), claim()]);
  expect(second).toEqual(first);
  const paid = { transactionId, paymentId: "p-1", paidAt: world.now() };
  const report = () => world.wallet.markTransactionPaid(paid, on(tenantId));
  expect(await Promise.all([report(), report()])).toEqual([{}, {}]);
  const rows = await world.db.collection("outbox").countDocuments({ tenantId, kind: "payout.drive" });
  expect(rows).toBe(1);
});

/** As a client that asks again while the other request runs. */
async function asLongAsItRuns<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== "IDEMPOTENCY_IN_FLIGHT") throw error;
      await pause(20);
    }
  }
}
