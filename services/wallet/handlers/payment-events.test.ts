import { randomUUID } from "node:crypto";
import { readerOf } from "../../platform/events/shapes/codec.js";
import { StoredPayment } from "../../platform/events/shapes/payment-shape.js";
import { parseJson, printJson } from "../../kernel/json.js";
import {
  createWalletFixture,
  eventually,
  refusalOf,
  type Person,
  type WalletFixture,
} from "../../../test/support/wallet-fixture.js";

let wallet: WalletFixture;
beforeAll(async () => void (wallet = await createWalletFixture("wallet_told", { recoverAfterMs: 150 })));
afterEach(() => {
  wallet.faults.clear();
  wallet.crashAt(undefined);
  Object.assign(wallet.events.state, { faults: [], isAway: false });
});
afterAll(() => wallet.close());

const rows = () => wallet.database.db.collection("outbox");
const unpublished = ({ tenantId }: Person) => rows().countDocuments({ tenantId, kind: "event.publish" });
const allPublished = (person: Person) =>
  eventually("all events to be told", async () => (await unpublished(person)) === 0);
const ofTenant = ({ tenantId }: Person) => wallet.events.state.published.filter((one) => one.tenantId === tenantId);
const typesOf = (person: Person) => ofTenant(person).map(({ type }) => type);

async function scene(minor = 500_00n) {
  const payer = wallet.person();
  const from = await wallet.wallet(payer, "USD", minor);
  const payee = wallet.person(payer.tenantId);
  const to = await wallet.wallet(payee, "USD");
  const draft = {
    payableType: "PAYABLE_TYPE_WALLET_CUSTOMER" as const,
    payableId: to.accountId,
    accountId: from.accountId,
    totalCheckoutAmount: "10",
  };
  return { payer, from, payee, to, draft };
}

describe("how a payment ended is told", () => {
  test("once, as its payer reads it", async () => {
    const { payer, draft } = await scene();
    const { payment } = await wallet.pay(payer, draft);
    await allPublished(payer);
    const { payment: read } = await wallet.gateway.getPayment({ paymentId: payment!.paymentId }, wallet.calls(payer));
    const [published, ...others] = ofTenant(payer);
    expect(others).toEqual([]);
    expect(published).toMatchObject({
      type: "payment.succeeded",
      subjectId: payment!.paymentId,
      customerId: payer.customerId,
      isConfidential: false,
    });
    expect(printJson(parseJson(published!.dataJson))).toBe(printJson(readerOf(StoredPayment)(read)));
  });

  test("of many at once, each once", async () => {
    const { payer, draft } = await scene();
    const paid = await Promise.all(Array.from({ length: 16 }, () => wallet.pay(payer, draft)));
    await allPublished(payer);
    const ids = paid.map(({ payment }) => payment!.paymentId).toSorted();
    expect(
      ofTenant(payer)
        .map(({ subjectId }) => subjectId)
        .toSorted(),
    ).toEqual(ids);
    expect(new Set(typesOf(payer))).toEqual(new Set(["payment.succeeded"]));
  });

  test("where it did not come about, without saying why", async () => {
    const { payer, draft } = await scene(1n);
    expect((await refusalOf(wallet.pay(payer, draft))).code).toBe("INSUFFICIENT_FUNDS");
    await allPublished(payer);
    expect(typesOf(payer)).toEqual(["payment.failed"]);
    expect(parseJson(ofTenant(payer)[0]!.dataJson)).toMatchObject({ status: "FAILED" });
    expect(ofTenant(payer)[0]!.dataJson).not.toContain("INSUFFICIENT");
  });

  test.each(["wallet.payment.posted", "wallet.payment.succeeded"])(
    "once where the process dies at %s",
    async (point) => {
      const { payer, draft } = await scene();
      wallet.crashAt(point);
      await wallet.pay(payer, draft).catch(() => undefined);
      await eventually("the payment to be told", () => ofTenant(payer).length > 0);
      await allPublished(payer);
      expect(wallet.crashedAt(point)).toBe(true);
      expect(typesOf(payer)).toEqual(["payment.succeeded"]);
    },
  );

  test.each(["REFUSED", "LOST"] as const)("again under the same id where it is %s", async (fault) => {
    const { payer, draft } = await scene();
    wallet.events.state.faults.push(fault, fault);
    await wallet.pay(payer, draft);
    await allPublished(payer);
    const [{ eventId } = { eventId: "" }, ...others] = ofTenant(payer);
    expect(others).toEqual([]);
    expect(wallet.events.state.requested.filter((one) => one.eventId === eventId).length).toBeGreaterThan(1);
  });

  test("to nobody where the payer was erased before", async () => {
    const { payer, draft } = await scene();
    wallet.events.state.isAway = true;
    await wallet.pay(payer, draft);
    expect(await unpublished(payer)).toBe(1);
    await wallet.erase({ tenantId: payer.tenantId, customerId: payer.customerId!, userId: payer.userId }, "AT_ONCE");
    expect(await unpublished(payer)).toBe(0);
  });
});

test("what came back of a payment is told part by part, behind its end", async () => {
  const payer = wallet.person();
  const { accountId } = await wallet.wallet(payer, "USD", 500_00n);
  const { id: transactionId, total } = wallet.transaction(payer);
  const draft = { payableId: transactionId, accountId, totalCheckoutAmount: total, paymentGatewayRef: randomUUID() };
  const { payment } = await wallet.pay(payer, draft);
  const { paymentId } = payment!;
  const tell = (amountMinor: bigint, isPart: boolean) =>
    wallet
      .clientOf("remittance")
      .markPaymentRefunded(
        { paymentId, transactionId, refunded: { amountMinor, currency: "USD" }, refundedAt: new Date(), isPart },
        wallet.calls({ tenantId: payer.tenantId }),
      );
  await Promise.all([tell(2_69n, true), tell(2_69n, true)]);
  await tell(102_69n, true);
  await tell(102_69n, false);
  await tell(102_69n, false);
  await allPublished(payer);
  expect(wallet.events.typesOf(paymentId)).toEqual([
    "payment.succeeded",
    "payment.refunded",
    "payment.refunded",
    "payment.refunded",
  ]);
  const amounts = wallet.events.of(paymentId).map(({ dataJson }) => parseJson(dataJson) as Record<string, unknown>);
  expect(amounts.map((data) => [data["status"], data["refundedAmount"]])).toEqual([
    ["SUCCESS", "0.00"],
    ["PARTIALLY_REFUNDED", "2.69"],
    ["PARTIALLY_REFUNDED", "102.69"],
    ["REFUNDED", "102.69"],
  ]);
});

test("a refund that a second person approved is told once", async () => {
  const { payer, draft } = await scene();
  const { payment } = await wallet.pay(payer, draft);
  const manager = wallet.calls(wallet.person(payer.tenantId, "MANAGER"));
  const ask = { idempotencyKey: randomUUID(), paymentId: payment!.paymentId, amount: "4.00", reason: "late" };
  const { refund } = await wallet.gateway.refundPayment(ask, manager);
  await wallet.decide(refund!.approvalId);
  await eventually("the refund to be told", () => wallet.events.of(payment!.paymentId).length > 1);
  await allPublished(payer);
  expect(wallet.events.typesOf(payment!.paymentId)).toEqual(["payment.succeeded", "payment.refunded"]);
  expect(parseJson(wallet.events.of(payment!.paymentId)[1]!.dataJson)).toMatchObject({ refundedAmount: "4.00" });
});

describe("a frozen account is told as its owner is shown it", () => {
  const freeze = ({ tenantId, customerId }: Person, blockId: string, frozen: boolean) =>
    wallet
      .clientOf("compliance")
      .setCustomerWalletsFrozen({ customerId: customerId!, blockId, frozen }, wallet.calls({ tenantId }));
  const staff = (person: Person, accountId: string, frozen: boolean) =>
    wallet.gateway.setWalletAccountFrozen(
      { accountId, frozen, reason: "asked by the police" },
      wallet.calls(wallet.person(person.tenantId, "MANAGER")),
    );

  test("by staff or by a block alike, and only when it becomes frozen", async () => {
    const { payer, from } = await scene();
    await staff(payer, from.accountId, true);
    await staff(payer, from.accountId, true);
    await freeze(payer, "hit-1", true);
    await freeze(payer, "hit-1", false);
    await staff(payer, from.accountId, false);
    await freeze(payer, "hit-2", true);
    await allPublished(payer);
    const published = wallet.events.of(from.accountId);
    expect(published.map(({ type }) => type)).toEqual(["wallet.frozen", "wallet.frozen"]);
    const data = { accountId: from.accountId, currency: "USD", status: "FROZEN" };
    for (const { dataJson } of published) {
      expect(parseJson(dataJson)).toMatchObject(data);
      expect(dataJson).not.toMatch(/hit|police|STAFF/);
    }
  });

  test("also where it was opened under a block", async () => {
    const person = wallet.person();
    await freeze(person, "hit-3", true);
    const { accountId } = await wallet.wallet(person, "USD");
    await allPublished(person);
    expect(wallet.events.typesOf(accountId)).toEqual(["wallet.frozen"]);
  });
});
