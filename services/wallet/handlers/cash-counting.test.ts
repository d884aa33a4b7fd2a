import { randomUUID } from "node:crypto";
import { testTenant } from "../../../test/support/index.js";
import { rightPassword as password } from "../../../test/support/stand-in-identity.js";
import {
  createWalletFixture,
  eventually,
  refusalOf,
  type WalletFixture,
} from "../../../test/support/wallet-fixture.js";

let wallet: WalletFixture;
beforeAll(async () => {
  wallet = await createWalletFixture("wallet_cash_counting", { recoverAfterMs: 150, cacheMs: 0 });
});
afterEach(() => {
  wallet.crashAt(undefined);
  wallet.compliance.state.cashAnswer = { approved: true };
});
afterAll(() => wallet.close());

const key = () => ({ idempotencyKey: randomUUID() });
let code = 700_000;

/** A till of 200.00 in a currency, and a customer with a wallet in it. */
async function desk(currency = "USD", depositMinor = 200_00n) {
  const tenantId = testTenant();
  const [cashier, owner] = [wallet.person(tenantId, "CASHIER"), wallet.person(tenantId)];
  const { accountId } = await wallet.wallet(owner, currency, depositMinor);
  const { till } = await wallet.gateway.openTill({ ...key(), currency, float: "200" }, wallet.calls(cashier));
  const { tillId } = till!;
  const ofOwner = ({ customerId }: { customerId: string }) => customerId === owner.customerId;
  return {
    tenantId,
    cashIn: (amount: string, part: object = {}) =>
      wallet.gateway.cashIn({ ...key(), tillId, accountId, amount, ...part }, wallet.calls(cashier)),
    cashOut: (amount: string) =>
      wallet.gateway.cashOut(
        { ...key(), tillId, accountId, amount, password, otp: String((code += 1)) },
        wallet.calls(cashier),
      ),
    checked: () => wallet.compliance.state.cash.filter(ofOwner),
    givenBack: (cashId: string) => wallet.compliance.state.settled.some(([, paymentId]) => paymentId === cashId),
    balances: () => [
      wallet.ledger.balance(tenantId, accountId),
      -wallet.ledger.balance(tenantId, `cash_till:${cashier.userId}:${currency}`),
    ],
    expected: async () => (await wallet.gateway.listTills({}, wallet.calls(cashier))).tills[0]!.expectedMinor,
  };
}

test("cash in and out is checked under its own id, in base currency, before it is booked", async () => {
  const { cashIn, cashOut, checked, balances } = await desk();
  const { movement } = await cashIn("50");
  await cashOut("20");
  expect(checked()).toMatchObject([
    {
      cashId: movement!.movementId,
      kind: "CASH_IN",
      amount: { amountMinor: 50_00n },
      baseAmount: { amountMinor: 50_00n },
    },
    { kind: "CASH_OUT", amount: { amountMinor: 20_00n, currency: "USD" } },
  ]);
  expect(balances()).toEqual([230_00n, 230_00n]);
});

test("another currency is counted at the middle rate, either way round and rounded up; without one it has none", async () => {
  // 1 USD is 0.79 GBP: 50.00 GBP are 63.2911… USD.
  for (const [currency, base] of [
    ["GBP", { amountMinor: 63_30n, currency: "USD" }],
    ["EUR", undefined],
  ] as const) {
    const { cashIn, checked } = await desk(currency);
    await cashIn("50");
    expect(checked()[0]?.baseAmount).toEqual(base);
  }
  const { tenantId, cashIn, checked } = await desk();
  wallet.identity.baseCurrencies.set(tenantId, "NGN");
  await cashIn("50");
  expect(checked()[0]?.baseAmount).toEqual({ amountMinor: 76_287_50n, currency: "NGN" });
});

test("what compliance refuses is not taken, and the till has what it had; the same key hears the same", async () => {
  const { cashIn, cashOut, balances, expected } = await desk();
  wallet.compliance.state.cashAnswer = { approved: false, reasonCode: "RULE_REJECTED", message: "no" };
  const mine = key();
  for (const refusal of [await refusalOf(cashIn("50", mine)), await refusalOf(cashOut("50"))]) {
    expect(refusal).toMatchObject({ code: "COMPLIANCE_REJECTED", message: "compliance refuses this payment" });
  }
  wallet.compliance.state.cashAnswer = { approved: true };
  expect(await refusalOf(cashIn("50", mine))).toMatchObject({ code: "COMPLIANCE_REJECTED" });
  expect([balances(), await expected()]).toEqual([[200_00n, 200_00n], 200_00n]);
  expect((await cashIn("50")).movement).toBeDefined();
});

test("cash that the ledger refuses is counted no more", async () => {
  const { cashOut, checked, givenBack, balances, expected } = await desk("USD", 100_00n);
  expect(await refusalOf(cashOut("100.01"))).toMatchObject({ code: "INSUFFICIENT_FUNDS" });
  const [{ cashId } = { cashId: "" }] = checked();
  await eventually("it to be given back", () => givenBack(cashId));
  expect([balances(), await expected()]).toEqual([[100_00n, 200_00n], 200_00n]);
  await cashOut("100");
  // Recovery may have asked beside the cashier: under the same id.
  const ids = [...new Set(checked().map((one) => one.cashId))];
  expect(ids.map(givenBack)).toEqual([true, false]);
});

test.each(["recorded", "posted", "ended"])(
  "cut off at %s it is checked under one id, and booked once",
  async (step) => {
    const { cashIn, checked, balances } = await desk();
    const mine = key();
    wallet.crashAt(`wallet.movement.${step}`);
    await cashIn("50", mine).catch(() => undefined);
    await eventually("the answer", () => cashIn("50", mine).catch(() => undefined));
    expect(wallet.crashedAt(`wallet.movement.${step}`)).toBe(true);
    expect(new Set(checked().map(({ cashId }) => cashId)).size).toBe(1);
    expect(balances()).toEqual([250_00n, 250_00n]);
  },
);
