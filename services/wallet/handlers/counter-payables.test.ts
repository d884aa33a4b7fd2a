import { randomUUID } from "node:crypto";
import { createCounter, passport } from "../../../test/support/counter.js";
import {
  createWalletFixture,
  eventually,
  refusalOf,
  type WalletFixture,
} from "../../../test/support/wallet-fixture.js";

let wallet: WalletFixture;
beforeAll(async () => {
  wallet = await createWalletFixture("wallet_counter_payables", { recoverAfterMs: 150 });
});
afterEach(() => {
  wallet.faults.clear();
  wallet.crashAt(undefined);
});
afterAll(() => wallet.close());

const refused = (code: string) => expect.objectContaining({ code });

/** A sale of 102.69 that came back whole, with a code for its sender. */
async function cameBack(options: Parameters<typeof createCounter>[1] = {}) {
  const counter = await createCounter(wallet, options);
  await counter.sell();
  await counter.comesBack(102_69n);
  const [payable] = await counter.payables();
  const payableId = payable?.payableId ?? "";
  return { ...counter, payableId, payable, right: await counter.code(payableId) };
}

describe("what comes back of a counter sale", () => {
  test("is owed to its sender in cash, and any till in its currency gives it once, against code and document", async () => {
    const {
      payable,
      payableId,
      right,
      pay,
      till,
      inTill,
      ofLedger,
      tillNow,
      payables,
      sender,
      tenantId,
      transactionId,
    } = await cameBack();
    expect(payable).toMatchObject({
      status: "OPEN",
      transactionId,
      transactionCode: "MNL-TEST",
      customerId: sender.customerId,
      amount: { amountMinor: 102_69n, currency: "USD" },
      codeValid: false,
    });
    expect(ofLedger("counter_payable:USD")).toBe(102_69n);
    const other = await till();
    const key = randomUUID();
    const { payable: paid } = await pay(payableId, right.toLowerCase(), other, { key });
    const document = { documentType: "PASSPORT", documentEnding: "4567", documentOnFile: false };
    expect(paid).toMatchObject({ status: "PAID", paidBy: other.by.userId, tillId: other.tillId, ...document });
    expect(await pay(payableId, "OTHER", other, { key })).toEqual({ payable: paid });
    await expect(pay(payableId, right)).rejects.toEqual(refused("STATE_CONFLICT"));
    expect([inTill(other), inTill(), ofLedger("counter_payable:USD")]).toEqual([97_31n, 302_69n, 0n]);
    const { expectedMinor, moving, lines } = await tillNow(other);
    expect([expectedMinor, moving]).toEqual([97_31n, 0]);
    const line = { kind: "COUNTER_PAYABLE", amountMinor: -102_69n, transactionCode: "MNL-TEST" };
    expect(lines.at(-1)).toMatchObject(line);
    const manager = wallet.person(tenantId, "MANAGER");
    expect(await payables(manager, { transactionCode: "mnl-test", status: "PAID" })).toMatchObject([
      { payableId, ...document },
    ]);
    expect(await payables(manager, { status: "OPEN" })).toEqual([]);
    const { sums } = await wallet.gateway.sumCash({ date: "" }, wallet.calls(manager));
    expect(sums).toContainEqual(
      expect.objectContaining({ kind: "COUNTER_PAYABLE", cashierId: other.by.userId, totalMinor: 102_69n }),
    );
  });

  test("part after part is one payable each, never more than came back", async () => {
    const counter = await createCounter(wallet);
    await counter.sell();
    await Promise.all([counter.comesBack(2_69n, true), counter.comesBack(2_69n, true)]);
    await counter.comesBack(50_00n, true, 47_31n);
    await counter.comesBack(102_69n, false, 52_69n);
    await counter.comesBack(102_69n, false, 0n).catch(() => undefined);
    const amounts = (await counter.payables()).map(({ amount }) => amount?.amountMinor);
    expect(amounts.toSorted((one, other) => Number(one) - Number(other))).toEqual([2_69n, 47_31n, 52_69n]);
  });

  test("has nothing to do with what a wallet paid", async () => {
    const counter = await createCounter(wallet);
    const { accountId } = await wallet.wallet(counter.sender, "USD", 500_00n);
    await wallet.pay(counter.sender, { accountId, payableId: counter.transactionId, totalCheckoutAmount: "102.69" });
    const { paymentId = "" } = counter.transaction;
    const refund = {
      paymentId,
      transactionId: counter.transactionId,
      refunded: { amountMinor: 102_69n, currency: "USD" },
    };
    await wallet.clientOf("remittance").markPaymentRefunded(refund, wallet.calls({ tenantId: counter.tenantId }));
    expect(await counter.payables()).toEqual([]);
  });

  test("its sender reads it and gets a code for it; other customers and tenants do not", async () => {
    const { payableId, payables, sender, tenantId, code, pay, right } = await cameBack();
    expect(await payables(sender)).toMatchObject([{ payableId, codeValid: true }]);
    const newer = await code(payableId, sender);
    await expect(pay(payableId, right)).rejects.toEqual(refused("PICKUP_CODE_WRONG"));
    const stranger = wallet.person(tenantId);
    expect(await payables(stranger)).toEqual([]);
    await expect(code(payableId, stranger)).rejects.toEqual(refused("FORBIDDEN"));
    await expect(code(payableId, wallet.person(undefined, "CASHIER"))).rejects.toEqual(refused("NOT_FOUND"));
    await pay(payableId, newer);
    await expect(code(payableId)).rejects.toEqual(refused("STATE_CONFLICT"));
  });
});

test("is not paid by whoever issued its code: they could take it alone", async () => {
  const { payableId, code, pay, payables, own, till, tenantId } = await cameBack();
  const issued = await code(payableId, own.by);
  for (const said of [issued, "WRONG"]) await expect(pay(payableId, said)).rejects.toEqual(refused("FORBIDDEN"));
  const manager = wallet.person(tenantId, "MANAGER");
  const ofManager = await code(payableId, manager);
  // No try was counted, and the code of a second person is good for the first.
  expect(await payables(manager)).toMatchObject([{ codeValid: true, codeIssuedBy: manager.userId }]);
  const key = randomUUID();
  const again = await code(payableId, own.by);
  await expect(pay(payableId, again, own, { key })).rejects.toEqual(refused("FORBIDDEN"));
  await expect(pay(payableId, ofManager, own, { key })).rejects.toEqual(refused("FORBIDDEN"));
  const colleague = await till();
  expect((await pay(payableId, again, colleague)).payable).toMatchObject({ paidBy: colleague.by.userId });
});

describe("a try of the code", () => {
  test("is not counted where the till is short, closed, another's or in another currency", async () => {
    const { payableId, right, pay, till, own, payables } = await cameBack();
    const poor = await till("USD", "102.68");
    const naira = await till("NGN", "200");
    for (let turn = 0; turn < 6; turn += 1) {
      await expect(pay(payableId, "WRONG", poor)).rejects.toEqual(refused("TILL_SHORT"));
    }
    await expect(pay(payableId, "WRONG", naira)).rejects.toEqual(refused("CURRENCY_MISMATCH"));
    await expect(pay(payableId, "WRONG", { ...own, by: poor.by })).rejects.toEqual(refused("FORBIDDEN"));
    expect(await payables()).toMatchObject([{ codeValid: true }]);
    await pay(payableId, right);
  });

  test("that is wrong is counted before it is said, the fifth locks, and a new code unlocks", async () => {
    const { payableId, right, pay, code, own } = await cameBack();
    const key = randomUUID();
    const left: unknown[] = [];
    for (let turn = 0; turn < 5; turn += 1) {
      const { details } = await refusalOf(pay(payableId, "WRONG", own, { key }));
      left.push((details as { figures: { triesLeft: string } }).figures.triesLeft);
    }
    expect(left).toEqual(["4", "3", "2", "1", "0"]);
    await expect(pay(payableId, right, own, { key })).rejects.toEqual(refused("PICKUP_CODE_LOCKED"));
    const newer = await code(payableId);
    expect((await pay(payableId, newer, own, { key })).payable).toMatchObject({ status: "PAID" });
  });

  test("with a document that is none of the sender's is refused and counted; one of theirs passes, however it is written", async () => {
    const { payableId, right, pay, own, customerId } = await cameBack();
    wallet.identity.documents.set(customerId, [{ type: "PASSPORT", number: "a01234567" }]);
    const other = { type: "PASSPORT", number: "A01234568" };
    expect(await refusalOf(pay(payableId, right, own, { document: other }))).toMatchObject({
      code: "DOCUMENT_MISMATCH",
      details: { figures: { triesLeft: "4" } },
    });
    const { payable } = await pay(payableId, right, own, { document: passport });
    expect(payable).toMatchObject({ documentOnFile: true, documentEnding: "4567" });
  });

  test.each([
    [{ type: "LETTER", number: "A01234567" }, "document.type"],
    [{ type: "PASSPORT", number: "A1" }, "document.number"],
  ])("with %p names what is wrong of it", async (document, path) => {
    const { payableId, right, pay, own } = await cameBack();
    expect(await refusalOf(pay(payableId, right, own, { document }))).toMatchObject({
      details: { errors: [{ path }] },
    });
  });

  test("of a sender who is blocked gives nothing; of one who is to be confirmed anew it does", async () => {
    const { payableId, right, pay, own, customerId, tillNow } = await cameBack();
    const key = randomUUID();
    wallet.compliance.state.statuses.set(customerId, "BLOCKED");
    await expect(pay(payableId, right, own, { key })).rejects.toEqual(refused("COMPLIANCE_REJECTED"));
    expect(await tillNow()).toMatchObject({ expectedMinor: 302_69n, moving: 0 });
    wallet.compliance.state.statuses.set(customerId, "PENDING");
    expect((await pay(payableId, right, own, { key })).payable).toMatchObject({ status: "PAID" });
  });
});

test("of two tills that give one at once, one does", async () => {
  const { payableId, right, pay, till, own, inTill, tillNow, ofLedger } = await cameBack();
  const other = await till();
  const both = await Promise.allSettled(
    Array.from({ length: 20 }, (_, at) => pay(payableId, right, at % 2 === 0 ? own : other)),
  );
  expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const one of both) {
    if (one.status === "rejected") expect(one.reason).toEqual(refused("STATE_CONFLICT"));
  }
  expect(inTill() + inTill(other)).toBe(302_69n + 200_00n - 102_69n);
  expect([(await tillNow()).moving, (await tillNow(other)).moving, ofLedger("counter_payable:USD")]).toEqual([
    0,
    0,
    0n,
  ]);
});

test("keeps no code in MongoDB", async () => {
  const { payableId, right, pay, stored } = await cameBack();
  await pay(payableId, right);
  const names = (await wallet.database.db.listCollections()).map(({ name }) => name);
  const all = JSON.stringify(await Promise.all(names.map((name) => stored(name))), (_key, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  );
  expect(all).toContain(payableId);
  for (const secret of [right, right.replace("-", ""), passport.number, "A01234567"]) expect(all).not.toContain(secret);
});

test.each(["opened", "recorded", "posted", "ended"])(
  "cut off at wallet.counter-payable.%s it is paid once",
  async (step) => {
    const counter = await createCounter(wallet);
    await counter.sell();
    if (step === "opened") {
      wallet.crashAt("wallet.counter-payable.opened");
      await refusalOf(counter.comesBack(102_69n));
      wallet.crashAt(undefined);
    }
    await counter.comesBack(102_69n);
    const all = await counter.payables();
    expect(all).toHaveLength(1);
    const { payableId } = all[0]!;
    const right = await counter.code(payableId);
    const key = randomUUID();
    if (step !== "opened") {
      wallet.crashAt(`wallet.counter-payable.${step}`);
      await refusalOf(counter.pay(payableId, right, counter.own, { key }));
      wallet.crashAt(undefined);
      await eventually("it to be over", async () => (await counter.tillNow()).moving === 0);
    }
    expect((await counter.pay(payableId, right, counter.own, { key })).payable).toMatchObject({ status: "PAID" });
    expect([counter.inTill(), counter.ofLedger("counter_payable:USD")]).toEqual([200_00n, 0n]);
    expect((await counter.tillNow()).lines.filter(({ kind }) => kind === "COUNTER_PAYABLE")).toHaveLength(1);
  },
);
