import { randomUUID } from "node:crypto";
import { createCounter } from "../../../test/support/counter.js";
import {
  createWalletFixture,
  eventually,
  refusalOf,
  type WalletFixture,
} from "../../../test/support/wallet-fixture.js";

let wallet: WalletFixture;
beforeAll(async () => {
  wallet = await createWalletFixture("wallet_counter_sales", { recoverAfterMs: 150 });
});
afterEach(() => {
  wallet.faults.clear();
  wallet.crashAt(undefined);
});
afterAll(() => wallet.close());

const refused = (code: string) => expect.objectContaining({ code });

describe("a transfer of 102.69 that is sold over the counter", () => {
  test("moves till +102.69, clearing 100.00, fee 2.50 and tax 0.19, and is a line of the till; 110.00 gives 7.31 back", async () => {
    const { sell, own, inTill, ofLedger, tillNow, transaction, transactionId, tenantId } = await createCounter(wallet);
    const { payment } = await sell("110");
    expect(payment).toMatchObject({
      status: "SUCCESS",
      payableType: "PAYABLE_TYPE_TRANSACTION",
      payableId: transactionId,
      accountId: "",
      accountNumber: "",
      tillId: own.tillId,
      totalCheckoutAmount: { amountMinor: 102_69n, currency: "USD" },
      receivedMinor: 110_00n,
      changeMinor: 7_31n,
      newBalanceMinor: 0n,
      payableStatus: "PAID",
      transactionCode: "MNL-TEST",
    });
    expect(inTill()).toBe(200_00n + 102_69n);
    expect(["remittance_clearing", "fee_income", "tax_payable"].map((code) => ofLedger(`${code}:USD`))).toEqual([
      100_00n,
      2_50n,
      19n,
    ]);
    expect(ofLedger("counter_payable:USD")).toBe(0n);
    const { expectedMinor, moving, lines } = await tillNow();
    expect([expectedMinor, moving]).toEqual([302_69n, 0]);
    const line = { kind: "SALE", amountMinor: 102_69n, movementId: payment?.paymentId, movedBy: own.by.userId };
    expect(lines.at(-1)).toMatchObject({ ...line, transactionCode: "MNL-TEST" });
    // Recovery may have claimed again, the same way.
    const { status, fundings, tills, debited } = transaction;
    expect([status, ...new Set(fundings), ...new Set(tills), ...new Set(debited)]).toEqual([
      "PAID",
      "CASH",
      own.tillId,
      "",
    ]);
    const manager = wallet.person(tenantId, "MANAGER");
    const sum = { kind: "SALE", cashierId: own.by.userId, role: "CASHIER", count: 1, totalMinor: 102_69n, approved: 0 };
    const { sums } = await wallet.gateway.sumCash({ date: "" }, wallet.calls(manager));
    expect(sums).toEqual([expect.objectContaining({ ...sum, currency: "USD" })]);
  });

  test("received 100.00 is 422 before anything moves, and stays so under its key", async () => {
    const { sell, own, inTill, tillNow, transaction, stored } = await createCounter(wallet);
    const key = randomUUID();
    const tooLittle = {
      code: "RECEIVED_TOO_LITTLE",
      details: { figures: { totalAmount: "102.69", received: "100.00", currency: "USD" } },
    };
    expect(await refusalOf(sell("100.00", own, key))).toMatchObject(tooLittle);
    expect(await refusalOf(sell("100", own, key))).toMatchObject(tooLittle);
    expect(inTill()).toBe(200_00n);
    expect(await tillNow()).toMatchObject({ expectedMinor: 200_00n, moving: 0 });
    expect([transaction.status, transaction.fundings, await stored("payments")]).toEqual([
      "AWAITING_PAYMENT",
      undefined,
      [],
    ]);
  });

  test("survives a reload: the same key gives the same answer, and the payment is read by any cashier", async () => {
    const { sell, own, sender, tenantId, inTill } = await createCounter(wallet);
    const key = randomUUID();
    const first = await sell("102.69", own, key);
    expect(await sell("102.690", own, key)).toEqual(first);
    await expect(sell("103", own, key)).rejects.toEqual(refused("IDEMPOTENCY_KEY_REUSED"));
    const { paymentId = "" } = first.payment ?? {};
    const read = async (by = own.by) => (await wallet.gateway.getPayment({ paymentId }, wallet.calls(by))).payment;
    for (const by of [own.by, wallet.person(tenantId, "CASHIER"), sender])
      expect(await read(by)).toEqual(first.payment);
    await expect(read(wallet.person(tenantId))).rejects.toEqual(refused("FORBIDDEN"));
    expect(inTill()).toBe(302_69n);
  });

  test("is sold once, of fifty at once under keys of their own and fifty under one", async () => {
    const { sell, own, inTill, tillNow, stored } = await createCounter(wallet);
    const key = randomUUID();
    const asked = Array.from({ length: 100 }, (_, at) => sell("102.69", own, at % 2 === 0 ? key : randomUUID()));
    const codes = (await Promise.allSettled(asked)).map((one) =>
      one.status === "fulfilled" ? one.value.payment?.paymentId : (one.reason as { code: string }).code,
    );
    const paid = new Set(codes.filter((code) => code?.includes("-")));
    expect(paid.size).toBe(1);
    const others = codes.filter((code) => !code?.includes("-"));
    expect(
      others.filter((code) => !/^(TRANSACTION_NOT_PAYABLE|PAYABLE_ALREADY_PAID|IDEMPOTENCY_IN_FLIGHT)$/.test(code!)),
    ).toEqual([]);
    await eventually("nothing to move", async () => (await tillNow()).moving === 0);
    expect(await tillNow()).toMatchObject({ expectedMinor: 302_69n });
    expect([inTill(), (await stored("payments", { status: "SUCCESS" })).length]).toEqual([302_69n, 1]);
    expect((await tillNow()).lines.filter(({ kind }) => kind === "SALE")).toHaveLength(1);
  });

  test("is sold by a colleague at another till, and by nobody at a till that is not theirs", async () => {
    const { sell, own, till, inTill } = await createCounter(wallet);
    const other = await till();
    await expect(sell("102.69", { ...own, by: other.by })).rejects.toEqual(refused("FORBIDDEN"));
    await expect(sell("102.69", { ...own, tillId: randomUUID() })).rejects.toEqual(refused("NOT_FOUND"));
    await sell("102.69", other);
    expect([inTill(), inTill(other)]).toEqual([200_00n, 302_69n]);
  });
});

describe("a sale is refused, and the till has what it had", () => {
  test.each([
    ["PENDING", "CUSTOMER_NOT_CONFIRMED"],
    ["BLOCKED", "COMPLIANCE_REJECTED"],
  ] as const)("where the sender is %s", async (status, code) => {
    const { sell, customerId, tillNow, transaction } = await createCounter(wallet);
    wallet.compliance.state.statuses.set(customerId, status);
    await expect(sell()).rejects.toEqual(refused(code));
    expect(await tillNow()).toMatchObject({ expectedMinor: 200_00n, moving: 0 });
    expect(transaction.fundings).toBeUndefined();
  });

  test("where the transparency policy asks more of what is paid in cash", async () => {
    const transaction = { missingForCash: ["IDENTITY_DOCUMENT"] };
    const { sell, tillNow, inTill } = await createCounter(wallet, { transaction });
    expect(await refusalOf(sell())).toMatchObject({
      code: "TRANSPARENCY_INCOMPLETE",
      details: { errors: [{ path: "IDENTITY_DOCUMENT" }] },
    });
    expect([inTill(), (await tillNow()).moving]).toEqual([200_00n, 0]);
  });

  test("where its time is over, it is unknown, or in another currency", async () => {
    const late = await createCounter(wallet, { transaction: { status: "EXPIRED" } });
    await expect(late.sell()).rejects.toEqual(refused("TRANSACTION_EXPIRED"));
    await expect(late.sell("200", late.own, randomUUID(), randomUUID())).rejects.toEqual(
      refused("TRANSACTION_NOT_FOUND"),
    );
    expect(await late.tillNow()).toMatchObject({ expectedMinor: 200_00n, moving: 0 });
    const naira = await createCounter(wallet, { transaction: { currency: "NGN" } });
    await expect(naira.sell()).rejects.toEqual(refused("CURRENCY_MISMATCH"));
  });

  test.each(["", "0", "-1", "1.001", "abc", "9223372036854775808"])(
    "where received is %p, naming it",
    async (received) => {
      const { sell, tillNow } = await createCounter(wallet);
      const refusal = await refusalOf(sell(received));
      expect(["INVALID_INPUT", "AMOUNT_NOT_POSITIVE", "AMOUNT_TOO_LARGE"]).toContain(refusal.code);
      expect(await tillNow()).toMatchObject({ expectedMinor: 200_00n, moving: 0 });
    },
  );

  test("where the till is closed, or is to hold no more", async () => {
    const closed = await createCounter(wallet);
    const { tillId, by } = closed.own;
    await wallet.gateway.closeTill({ idempotencyKey: randomUUID(), tillId, counted: "200" }, wallet.calls(by));
    await expect(closed.sell()).rejects.toEqual(refused("TILL_NOT_OPEN"));
    const full = await createCounter(wallet, { float: "1000000" });
    await expect(full.sell()).rejects.toEqual(refused("AMOUNT_OUT_OF_LIMITS"));
    expect(await full.tillNow()).toMatchObject({ moving: 0 });
  });

  test("where an agent asks and the organisation has not said that they may", async () => {
    const { sell, own, tenantId, customerId, sender } = await createCounter(wallet, { role: "AGENT" });
    await expect(sell()).rejects.toEqual(refused("FORBIDDEN"));
    wallet.identity.sellingAgents.add(tenantId);
    await expect(sell()).rejects.toEqual(refused("FORBIDDEN"));
    const { userId } = sender;
    wallet.identity.customers.set(customerId, { tenantId, userId, agentId: own.by.userId });
    expect((await sell()).payment).toMatchObject({ status: "SUCCESS", tillId: own.tillId });
  });
});

test.each(["recorded", "claimed", "posted", "marked", "succeeded"])(
  "cut off at wallet.payment.%s it ends once, whoever drives it on",
  async (step) => {
    const { sell, own, tillNow, inTill, transaction } = await createCounter(wallet);
    const key = randomUUID();
    wallet.crashAt(`wallet.payment.${step}`);
    await refusalOf(sell("110", own, key));
    wallet.crashAt(undefined);
    await eventually("the sale to be over", async () => (await tillNow()).moving === 0);
    expect((await sell("110", own, key)).payment).toMatchObject({ status: "SUCCESS", changeMinor: 7_31n });
    expect([inTill(), transaction.status]).toEqual([302_69n, "PAID"]);
    expect(await tillNow()).toMatchObject({ expectedMinor: 302_69n, moving: 0 });
    expect((await tillNow()).lines.filter(({ kind }) => kind === "SALE")).toHaveLength(1);
  },
);
