import {
  createWalletFixture,
  eventually,
  refusalOf,
  type Person,
  type WalletFixture,
} from "../../../test/support/wallet-fixture.js";

let wallet: WalletFixture;
beforeAll(async () => {
  wallet = await createWalletFixture("wallet_compliance", { recoverAfterMs: 200 });
});
afterEach(() => {
  wallet.faults.clear();
  wallet.crashAt(undefined);
  wallet.compliance.state.answer = { approved: true };
});
afterAll(() => wallet.close());

async function twoWallets(depositMinor = 50_00n) {
  const payer = wallet.person();
  const payee = wallet.person(payer.tenantId);
  const from = await wallet.wallet(payer, "USD", depositMinor);
  const to = await wallet.wallet(payee, "USD");
  const draft = {
    payableType: "PAYABLE_TYPE_WALLET_CUSTOMER" as const,
    payableId: to.accountId,
    accountId: from.accountId,
    totalCheckoutAmount: "25.00",
    paymentGatewayRef: `ref-${from.accountId}`,
  };
  return { payer, payee, pay: (part = {}) => wallet.pay(payer, { ...draft, ...part }) };
}
/** One per payment: where recovery comes beside a slow handler, both ask about the same. */
const checksOf = (customerId: string) => {
  const all = wallet.compliance.state.checks.filter((one) => one.customerId === customerId);
  return all.filter((one, index) => all.findIndex(({ paymentId }) => paymentId === one.paymentId) === index);
};
const transfersOf = (payer: Person) =>
  wallet.ledger.posted.filter(
    ({ tenantId, transfer }) => tenantId === payer.tenantId && transfer.kind === "wallet_transfer",
  );
const settledOf = async (paymentId: string) => {
  const [rpc] = await eventually("the limit to be settled", () =>
    wallet.compliance.state.settled.find(([, id]) => id === paymentId),
  );
  return rpc;
};

describe("a payment between wallets asks compliance first", () => {
  test("with who pays whom how much; its part of the limit is spent then, and nothing is left to be done", async () => {
    const { payer, payee, pay } = await twoWallets();
    await pay();
    expect(checksOf(payer.customerId)).toMatchObject([
      { payeeCustomerId: payee.customerId, amount: { amountMinor: 25_00n, currency: "USD" }, atOnce: true },
    ]);
    const { tenantId } = payer;
    const due = { tenantId, state: "DUE", kind: { $ne: "event.publish" } };
    const open = await wallet.database.db.collection("outbox").find(due).toArray();
    expect(open).toEqual([]);
  });

  test.each([
    [{ reasonCode: "DAILY_LIMIT_EXCEEDED", message: "the daily limit is 5.00 USD" }, "DAILY_LIMIT_EXCEEDED", "5.00"],
    [{ reasonCode: "CUSTOMER_NOT_CONFIRMED", message: "not confirmed yet" }, "CUSTOMER_NOT_CONFIRMED", "not confirmed"],
    [{ message: "required first: INVOICE", outstandingRequirements: ["INVOICE"] }, "COMPLIANCE_REJECTED", "INVOICE"],
    [{ reasonCode: "RULE_REJECTED", message: "a secret list" }, "COMPLIANCE_REJECTED", "refuses this payment"],
  ])("%j is 422 %s and moves nothing", async (answer, code, message) => {
    const { payer, pay } = await twoWallets();
    wallet.compliance.state.answer = { approved: false, ...answer };
    const refusal = await refusalOf(pay());
    expect([refusal.code, refusal.message]).toEqual([code, expect.stringContaining(message)]);
    // Decided for good, also when compliance would now let it pass.
    wallet.compliance.state.answer = { approved: true };
    expect((await refusalOf(pay())).code).toBe(code);
    expect(checksOf(payer.customerId)).toHaveLength(1);
    expect(transfersOf(payer)).toEqual([]);
  });

  test("what the ledger refuses gives its part of the limit back", async () => {
    const { payer, pay } = await twoWallets(5_00n);
    expect((await refusalOf(pay())).code).toBe("INSUFFICIENT_FUNDS");
    expect(await settledOf(checksOf(payer.customerId)[0]!.paymentId)).toBe("release");
  });

  test("while compliance is away the payment is open and nothing moves; afterwards it ends by itself", async () => {
    const { payer, pay } = await twoWallets();
    wallet.faults.next("checkWalletPayment", "before", "UNAVAILABLE", 3);
    expect((await refusalOf(pay())).code).toBe("UNAVAILABLE");
    expect(transfersOf(payer)).toEqual([]);
    await eventually("the payment", () => transfersOf(payer)[0]);
  });

  test("killed at wallet.payment.checked it ends once", async () => {
    const { payer, pay } = await twoWallets();
    wallet.crashAt("wallet.payment.checked");
    await pay().catch(() => undefined);
    await eventually("the crash", () => wallet.crashedAt("wallet.payment.checked"));
    await eventually("the payment", () => transfersOf(payer)[0]);
    const answered = () =>
      pay().then(
        ({ payment }) => payment,
        () => undefined,
      );
    expect(await eventually("the answer", answered)).toMatchObject({ status: "SUCCESS" });
    expect(transfersOf(payer)).toHaveLength(1);
  });

  test("killed at wallet.payment.settled the part of a refused payment is given back", async () => {
    const { payer, pay } = await twoWallets(5_00n);
    wallet.crashAt("wallet.payment.settled");
    expect((await refusalOf(pay())).code).toBe("INSUFFICIENT_FUNDS");
    await eventually("the crash", () => wallet.crashedAt("wallet.payment.settled"));
    expect(await settledOf(checksOf(payer.customerId)[0]!.paymentId)).toBe("release");
    expect(transfersOf(payer)).toEqual([]);
  });
});
