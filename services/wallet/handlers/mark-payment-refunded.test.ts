import { randomUUID } from "node:crypto";
import { createWalletFixture, type Person, type WalletFixture } from "../../../test/support/wallet-fixture.js";

let wallet: WalletFixture;
beforeAll(async () => {
  wallet = await createWalletFixture("wallet_refunds");
});
afterEach(() => wallet.faults.clear());
afterAll(() => wallet.close());

const refundedAt = new Date("2026-05-02T12:00:00Z");
const usd = (amountMinor: bigint) => ({ amountMinor, currency: "USD" });
const refused = (code: string) => expect.objectContaining({ code });

async function paid(person: Person = wallet.person()) {
  const { accountId } = await wallet.wallet(person, "USD", 500_00n);
  const { id: transactionId, total } = wallet.transaction(person);
  const draft = { payableId: transactionId, accountId, totalCheckoutAmount: total, paymentGatewayRef: randomUUID() };
  const answer = await wallet.pay(person, draft);
  return { person, draft, answer, paymentId: answer.payment!.paymentId, transactionId };
}

const tell = ({ tenantId }: Person, request: object, as: "remittance" | "gateway" = "remittance") =>
  wallet.clientOf(as).markPaymentRefunded({ refundedAt, ...request }, wallet.calls({ tenantId }));

const stored = ({ tenantId }: Person, paymentId: string) =>
  wallet.database.db.collection("payments").findOne({ _id: paymentId as never, tenantId });

describe("MarkPaymentRefunded", () => {
  test("notes it once; the payment's one answer stays what it was", async () => {
    const { person, draft, answer, paymentId, transactionId } = await paid();
    const report = { paymentId, transactionId, refunded: usd(102_69n) };
    await Promise.all([tell(person, report), tell(person, report), tell(person, report)]);
    await tell(person, report);
    const row = await stored(person, paymentId);
    expect(row).toMatchObject({ status: "REFUNDED", refund: { transactionId, refundedAt } });
    expect(await wallet.pay(person, draft)).toEqual(answer);
  });

  test("ends a payment first that remittance was told of and that was cut off before its end", async () => {
    const person = wallet.person();
    const { accountId } = await wallet.wallet(person, "USD", 500_00n);
    const { id: transactionId, transaction, total } = wallet.transaction(person);
    const draft = { payableId: transactionId, accountId, totalCheckoutAmount: total, paymentGatewayRef: randomUUID() };
    wallet.crashAt("wallet.payment.marked");
    await expect(wallet.pay(person, draft)).rejects.toEqual(refused("INTERNAL"));
    const paymentId = transaction.paymentId!;
    expect(await stored(person, paymentId)).toMatchObject({ status: "PENDING" });
    await tell(person, { paymentId, transactionId, refunded: usd(102_69n) });
    expect(await stored(person, paymentId)).toMatchObject({ status: "REFUNDED" });
    const { payment } = await wallet.pay(person, draft);
    expect(payment).toMatchObject({ status: "SUCCESS", payableStatus: "PAID", newBalanceMinor: 397_31n });
  });

  test("takes less than what was paid, where a bank kept something", async () => {
    const { person, paymentId, transactionId } = await paid();
    await tell(person, { paymentId, transactionId, refunded: usd(100_19n) });
    expect((await stored(person, paymentId))!["refund"].amount).toMatchObject({ minor: 100_19n, currency: "USD" });
  });

  test("takes part after part, each time all that came back; what comes late or again changes nothing", async () => {
    const { person, paymentId, transactionId } = await paid();
    const part = (minor: bigint) => tell(person, { paymentId, transactionId, refunded: usd(minor), isPart: true });
    const known = async () => {
      const { status, refund } = (await stored(person, paymentId))!;
      return [status, refund.amount.minor] as const;
    };
    await part(2_69n);
    expect(await known()).toEqual(["PARTIALLY_REFUNDED", 2_69n]);
    await Promise.all([part(50_00n), part(50_00n), part(2_69n)]);
    expect(await known()).toEqual(["PARTIALLY_REFUNDED", 50_00n]);
    const whole = { paymentId, transactionId, refunded: usd(102_69n) };
    await tell(person, whole);
    await tell(person, whole);
    await part(50_00n);
    expect(await known()).toEqual(["REFUNDED", 102_69n]);
    await expect(tell(person, { ...whole, refunded: usd(50_00n) })).rejects.toEqual(refused("STATE_CONFLICT"));
    const shown = await wallet.gateway.getPayment({ paymentId }, wallet.calls(person));
    expect(shown.payment).toMatchObject({ status: "REFUNDED", refundedMinor: 102_69n });
  });

  test("409 for another transaction, more than was paid, another currency or a second amount; 404; 403", async () => {
    const { person, paymentId, transactionId } = await paid();
    const conflict = refused("STATE_CONFLICT");
    const report = { paymentId, transactionId, refunded: usd(102_69n) };
    await expect(tell(person, { ...report, transactionId: "other" })).rejects.toEqual(conflict);
    await expect(tell(person, { ...report, refunded: usd(102_70n) })).rejects.toEqual(conflict);
    await expect(tell(person, { ...report, refunded: { amountMinor: 1n, currency: "EUR" } })).rejects.toEqual(conflict);
    await tell(person, report);
    await expect(tell(person, { ...report, refunded: usd(1n) })).rejects.toEqual(conflict);
    await expect(tell(person, { ...report, paymentId: "unknown" })).rejects.toEqual(refused("NOT_FOUND"));
    await expect(tell(wallet.person(), report)).rejects.toEqual(refused("NOT_FOUND"));
    await expect(tell(person, report, "gateway")).rejects.toEqual(refused("CALLER_NOT_ALLOWED"));
  });

  test("409 for a payment that failed", async () => {
    const person = wallet.person();
    const { accountId } = await wallet.wallet(person, "USD", 1_00n);
    const { id: transactionId, total } = wallet.transaction(person);
    const draft = { payableId: transactionId, accountId, totalCheckoutAmount: total, paymentGatewayRef: randomUUID() };
    await expect(wallet.pay(person, draft)).rejects.toEqual(refused("INSUFFICIENT_FUNDS"));
    const failed = await wallet.database.db
      .collection("payments")
      .findOne({ tenantId: person.tenantId, payableId: transactionId });
    const report = { paymentId: String(failed!._id), transactionId, refunded: usd(102_69n) };
    await expect(tell(person, report)).rejects.toEqual(refused("STATE_CONFLICT"));
  });
});

describe("TakeBackDelivery", () => {
  const ask = ({ tenantId }: Person, request: object, as: "remittance" | "gateway" = "remittance") =>
    wallet.clientOf(as).takeBackDelivery({ key: `return:${randomUUID()}`, ...request }, wallet.calls({ tenantId }));

  test("takes nothing but what was delivered into the very wallet, and only remittance may ask", async () => {
    const { person, draft, paymentId } = await paid();
    const { accountId } = draft;
    const request = { accountId, deliveryKey: `payment:${paymentId}:principal` };
    const posts = () => wallet.faults.calledIn(person.tenantId).filter((rpc) => rpc === "postTransfers").length;
    const before = posts();
    await expect(ask(person, request)).rejects.toEqual(refused("STATE_CONFLICT"));
    await expect(ask(person, { ...request, deliveryKey: "none" })).rejects.toEqual(refused("TRANSFER_NOT_FOUND"));
    await expect(ask(person, { ...request, accountId: "w-nobody" })).rejects.toEqual(refused("ACCOUNT_NOT_FOUND"));
    await expect(ask(person, request, "gateway")).rejects.toEqual(refused("CALLER_NOT_ALLOWED"));
    expect(posts()).toBe(before);
  });
});
