import { randomUUID } from "node:crypto";
import { createCounter } from "../../../test/support/counter.js";
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
  wallet.faults.clear();
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
    /** The first of each id: recovery may have asked beside the cashier, under the same one. */
    checked: () =>
      wallet.compliance.state.cash
        .filter(ofOwner)
        .filter(({ cashId }, at, all) => all.findIndex((one) => one.cashId === cashId) === at),
    take: (cashInId: string) => wallet.gateway.takeCashIn({ ...key(), cashInId }, wallet.calls(cashier)),
    cashInStatus: async (cashInId: string) =>
      (await wallet.gateway.getCashIn({ cashInId }, wallet.calls(cashier))).cashIn?.status,
    /** The oldest first. */
    movementsOf: (kind: string) =>
      wallet.database.db.collection("movements").find({ tenantId, kind }).sort({ createdAt: 1 }).toArray(),
    settledCash: () =>
      wallet.compliance.state.settled.filter(([, id]) =>
        wallet.compliance.state.cash.some((one) => ofOwner(one) && one.cashId === id),
      ),
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

describe("cash that the cashier was told nothing of", () => {
  /** Away for everybody until it is there again. */
  const complianceAway = () => wallet.faults.next("checkCash", "before", "UNAVAILABLE", 1_000);

  test.each(["CASH_IN", "CASH_OUT"])("is left once compliance is there again: %s was given back", async (kind) => {
    const { cashIn, cashOut, balances, expected, settledCash, movementsOf } = await desk();
    complianceAway();
    const moved = kind === "CASH_IN" ? cashIn("50") : cashOut("50");
    await expect(moved).rejects.toEqual(expect.objectContaining({ code: "UNAVAILABLE" }));
    wallet.faults.clear();
    await eventually("recovery to leave it", async () => (await movementsOf(kind))[0]?.["status"] === "FAILED");
    expect([balances(), await expected()]).toEqual([[200_00n, 200_00n], 200_00n]);
    await eventually("it to be counted no more", () => settledCash().length === 1);
  });

  test("is taken by a repeat under its key: while it is not left yet, and anew once it is", async () => {
    const { cashIn, balances, movementsOf, expected } = await desk();
    const mine = key();
    for (const again of [false, true]) {
      wallet.crashAt("wallet.movement.recorded");
      await refusalOf(cashIn("50", again ? key() : mine));
      if (again)
        await eventually("it to be left", async () => (await movementsOf("CASH_IN")).at(-1)?.["status"] === "FAILED");
      else await eventually("an answer", () => cashIn("50", mine).catch(() => undefined));
    }
    expect([balances(), await expected()]).toEqual([[250_00n, 250_00n], 250_00n]);
    complianceAway();
    const later = key();
    await refusalOf(cashIn("7", later));
    wallet.faults.clear();
    await eventually("it to be left", async () => (await movementsOf("CASH_IN")).at(-1)?.["status"] === "FAILED");
    await cashIn("7", later);
    expect(balances()).toEqual([257_00n, 257_00n]);
  });

  test("is booked where compliance had decided and the ledger alone was away", async () => {
    const { cashIn, balances } = await desk();
    wallet.faults.next("postTransfers", "before");
    await refusalOf(cashIn("50"));
    await eventually("it to be booked", () => balances()[0] === 250_00n);
  });

  test("a sale of it is left, and the transaction can be sold anew", async () => {
    const { sell, own, inTill, tillNow, stored } = await createCounter(wallet);
    complianceAway();
    const mine = randomUUID();
    expect(await refusalOf(sell("110", own, mine))).toMatchObject({ code: "UNAVAILABLE" });
    wallet.faults.clear();
    await eventually("it to be left", async () => (await tillNow()).moving === 0);
    expect([inTill(), (await tillNow()).expectedMinor]).toEqual([200_00n, 200_00n]);
    expect((await stored("payments"))[0]).toMatchObject({ status: "FAILED" });
    expect((await sell("110", own, mine)).payment).toMatchObject({ status: "SUCCESS" });
    expect(inTill()).toBe(302_69n);
  });

  test("what a manager has allowed may be taken still", async () => {
    const { cashIn, take, cashInStatus, balances } = await desk();
    const { cashIn: waiting } = await cashIn("10000.01");
    await wallet.decide(waiting!.approvalId);
    complianceAway();
    await refusalOf(take(waiting!.cashInId));
    wallet.faults.clear();
    await eventually("it to be left", async () => (await cashInStatus(waiting!.cashInId)) === "APPROVED");
    await take(waiting!.cashInId);
    expect(balances()[0]).toBe(10_200_01n);
  });
});
