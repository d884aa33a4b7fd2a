import { MakePaymentResponse } from "../../../proto/gen/wallet/v1/wallet.js";
import { declaredCrashPoints } from "../../../test/support/crash-points.js";
import {
  createWalletFixture,
  eventually,
  refusalOf,
  type PaymentDraft,
  type WalletFixture,
} from "../../../test/support/wallet-fixture.js";

// Each point is passed by a throw here, with everything of the process still there; test/faults
// kills the process for real.
const all = declaredCrashPoints("wallet");
const paying = ["recorded", "claimed", "posted", "marked", "succeeded"].map((step) => `wallet.payment.${step}`);
const refusing = ["recorded", "claimed", "refused", "released"].map((step) => `wallet.payment.${step}`);
const depositing = ["recorded", "posted", "ended"].map((step) => `wallet.deposit.${step}`);
const opening = ["recorded", "created", "activated"].map((step) => `wallet.account.${step}`);
// Payments between wallets: passed in compliance.test.ts.
const asking = ["checked", "settled"].map((step) => `wallet.payment.${step}`);

// Movements: passed in handlers/debit-wallet.test.ts.
const moving = ["recorded", "posted", "ended"].map((step) => `wallet.movement.${step}`);
// Top-ups and what arrives at the bank: passed in handlers/money-in.test.ts.
const arriving = [
  ...["recorded", "charged", "posted", "ended"].map((step) => `wallet.top-up.${step}`),
  ...["taken", "posted", "booked"].map((step) => `wallet.credit.${step}`),
];
// Withdrawals: passed in handlers/payables.test.ts.
const sending = ["decided", "asked", "posted", "ended", "returned"].map((step) => `wallet.withdrawal.${step}`);

// What is held: passed in statuses.test.ts.
const holding = ["wallet.held.released"];

// Pickups that a cashier pays out: passed in handlers/tills.test.ts.
const handing = ["recorded", "claimed", "ended"].map((step) => `wallet.pickup.${step}`);

// Cash between vaults: passed in handlers/cash-orders.test.ts.
const ordering = ["kept", "recorded", "posted", "ended"].map((step) => `wallet.cash-order.${step}`);
// Tills that are counted: passed in handlers/till-closings.test.ts.
const closing = ["wallet.till-closing.kept"];

// What came back of counter sales: passed in handlers/counter-payables.test.ts.
const givingBack = ["opened", "recorded", "posted", "ended"].map((step) => `wallet.counter-payable.${step}`);

// Blocks of compliance: passed in handlers/customer-freeze.test.ts.
const freezing = ["noted", "set", "ended"].map((step) => `wallet.freeze.${step}`);

// Of agents: passed in handlers/commissions.test.ts, agent-payouts.test.ts and
// agent-settlements.test.ts; test/faults/agent-settlement-kills.test.ts holds their list.
const isOfAgents = (name: string) => /^wallet\.(commission|agent-pickup|agent-settlement)\./.test(name);

test("these tests pass every crash point that the wallet declares", () => {
  const inWallets = [paying, refusing, depositing, opening, asking, moving, sending, arriving, holding, freezing];
  const atDesks = [handing, ordering, closing, givingBack];
  expect(new Set([...inWallets, ...atDesks].flat())).toEqual(new Set(all.filter((name) => !isOfAgents(name))));
});

let wallet: WalletFixture;
afterAll(() => wallet.close());

async function scene(depositMinor: bigint) {
  const person = wallet.person();
  const { tenantId } = person;
  const { accountId } = await wallet.wallet(person, "USD", depositMinor);
  const { id, transaction, total } = wallet.transaction(person);
  const draft: PaymentDraft = { accountId, payableId: id, totalCheckoutAmount: total, paymentGatewayRef: "ref-1" };
  const payments = wallet.database.db.collection("payments");
  const rows = wallet.database.db.collection("outbox");
  return {
    person,
    transaction,
    draft,
    balance: () => wallet.ledger.balance(tenantId, accountId),
    ended: async () => (await payments.findOne({ tenantId, status: { $ne: "PENDING" } })) ?? undefined,
    isQuiet: async () => (await rows.countDocuments({ tenantId, state: { $in: ["DUE", "PARKED"] } })) === 0,
  };
}

const isQuiet = async (quiet: () => Promise<unknown>) => eventually("the outbox to be done", async () => quiet());

describe("recovery, when nobody asks again", () => {
  afterEach(() => wallet.faults.clear());
  beforeAll(async () => {
    wallet = await createWalletFixture("wallet_recovery", { recoverAfterMs: 150 });
  });

  test.each(paying)("a payment cut off at %s ends paid, once", async (point) => {
    const { person, transaction, draft, balance, ended, isQuiet: quiet } = await scene(50_000n);
    wallet.crashAt(point);
    const answer = await wallet.pay(person, draft, { interactionId: "cut-off" }).catch(() => undefined);
    await eventually("the payment to end", () => transaction.status === "PAID");
    await isQuiet(quiet);
    expect(wallet.crashedAt(point)).toBe(true);
    expect(await ended()).toMatchObject({ status: "SUCCESS" });
    expect(balance()).toBe(39_731n);
    for (const entry of wallet.ledger.ofTenant(person.tenantId).slice(1)) {
      expect(entry).toMatchObject({ interactionId: "cut-off", createdBy: person.userId });
    }
    const retried = await wallet.pay(person, draft);
    expect(retried.payment).toMatchObject({ status: "SUCCESS", newBalanceMinor: 39_731n, interactionId: "cut-off" });
    if (answer) expect(retried).toEqual(answer);
  });

  test("a payment that was told late and cut off then is told again and shown as PAID", async () => {
    const { person, transaction, draft, balance, ended, isQuiet: quiet } = await scene(50_000n);
    wallet.faults.next("markTransactionPaid", "before", "DEADLINE_EXCEEDED");
    wallet.crashAt("wallet.payment.marked");
    const first = await wallet.pay(person, draft);
    await eventually("the transaction to be PAID", () => transaction.status === "PAID");
    await isQuiet(quiet);
    expect(wallet.crashedAt("wallet.payment.marked")).toBe(true);
    expect(await ended()).toMatchObject({ status: "SUCCESS", ending: { payableStatus: "PAYING" }, isToldSince: true });
    expect(await wallet.pay(person, draft)).toEqual(first);
    expect(balance()).toBe(39_731n);
  });

  test.each(refusing)(
    "a payment that must be refused, cut off at %s, ends refused and gives the claim back",
    async (point) => {
      const { person, transaction, draft, balance, ended, isQuiet: quiet } = await scene(1n);
      wallet.crashAt(point);
      await refusalOf(wallet.pay(person, draft));
      await eventually("the payment to end", ended);
      await isQuiet(quiet);
      expect(wallet.crashedAt(point)).toBe(true);
      expect(transaction).toMatchObject({ status: "AWAITING_PAYMENT" });
      expect(balance()).toBe(1n);
      expect((await refusalOf(wallet.pay(person, draft))).code).toBe("INSUFFICIENT_FUNDS");
    },
  );

  test.each(["claimTransaction", "postTransfers"])("waits for as long as %s cannot be done", async (rpc) => {
    const { person, transaction, draft, balance, ended, isQuiet: quiet } = await scene(50_000n);
    wallet.faults.next(rpc, "after", "UNAVAILABLE", 3);
    expect((await refusalOf(wallet.pay(person, draft))).code).toBe("UNAVAILABLE");
    expect(await ended()).toBeUndefined();
    await eventually("the payment to end", () => transaction.status === "PAID");
    await isQuiet(quiet);
    expect(balance()).toBe(39_731n);
  });

  test("a payable that does not exist leaves nothing behind, also by recovery", async () => {
    const { person, draft, ended, isQuiet: quiet } = await scene(50_000n);
    wallet.crashAt("wallet.payment.recorded");
    const request = { ...draft, idempotencyKey: "k1" };
    await refusalOf(wallet.pay(person, { ...request, payableId: "no-such-transaction" }));
    await eventually("the payment to end", ended);
    await isQuiet(quiet);
    await expect(wallet.pay(person, request)).resolves.toMatchObject({ payment: { status: "SUCCESS" } });
  });

  test.each(depositing)("a deposit cut off at %s arrives once", async (point) => {
    const { person, balance, draft, isQuiet: quiet } = await scene(0n);
    const { tenantId } = person;
    const amount = { amountMinor: 700n, currency: "USD" };
    const request = { idempotencyKey: "d1", accountId: draft.accountId ?? "", amount, reference: "B1" };
    wallet.crashAt(point);
    await refusalOf(wallet.operator.recordDeposit(request, wallet.calls({ tenantId })));
    await isQuiet(quiet);
    expect(balance()).toBe(700n);
    expect(await wallet.operator.recordDeposit(request, wallet.calls({ tenantId }))).toMatchObject({
      newBalanceMinor: 700n,
    });
    expect(balance()).toBe(700n);
  });

  test.each(opening)("an account whose opening is cut off at %s opens once", async (point) => {
    const { tenantId, customerId } = wallet.person();
    const request = { idempotencyKey: "o1", customerId, currency: "GBP" };
    const list = () => wallet.operator.listWalletAccounts({ customerId }, wallet.calls({ tenantId }));
    wallet.crashAt(point);
    await refusalOf(wallet.operator.openWalletAccount(request, wallet.calls({ tenantId })));
    const account = await eventually("the account", async () => (await list()).accounts[0]);
    expect(await wallet.operator.openWalletAccount(request, wallet.calls({ tenantId }))).toEqual({ account });
  });
});

describe("a client's retry, when recovery is far away", () => {
  afterEach(() => wallet.faults.clear());
  let patient: WalletFixture;
  let before: WalletFixture;
  beforeAll(async () => {
    patient = await createWalletFixture("wallet_retry", { recoverAfterMs: 60_000 });
    before = wallet;
    wallet = patient;
  });
  afterAll(async () => {
    await patient.close();
    wallet = before;
  });

  test.each(paying)("drives a payment cut off at %s to its end itself", async (point) => {
    const { person, transaction, draft, balance } = await scene(50_000n);
    wallet.crashAt(point);
    expect((await refusalOf(wallet.pay(person, draft))).code).toBe("INTERNAL");
    const { payment } = await wallet.pay(person, draft);
    expect(payment).toMatchObject({ status: "SUCCESS", newBalanceMinor: 39_731n });
    expect(balance()).toBe(39_731n);
    await eventually("the transaction to be PAID", () => transaction.status === "PAID");
  });

  test.each(refusing)("ends a payment that must be refused, cut off at %s", async (point) => {
    const { person, transaction, draft } = await scene(1n);
    wallet.crashAt(point);
    expect((await refusalOf(wallet.pay(person, draft))).code).toBe("INTERNAL");
    expect((await refusalOf(wallet.pay(person, draft))).code).toBe("INSUFFICIENT_FUNDS");
    await eventually("the transaction to be AWAITING_PAYMENT", () => transaction.status === "AWAITING_PAYMENT");
  });

  test("goes on with the first payment, also under another key with the same reference", async () => {
    const { person, draft, balance } = await scene(50_000n);
    wallet.faults.next("postTransfers", "after", "DEADLINE_EXCEEDED");
    const first = await refusalOf(wallet.pay(person, { ...draft, idempotencyKey: "k1" }));
    expect(first.code).toBe("DEADLINE_EXCEEDED");
    const second = await wallet.pay(person, { ...draft, idempotencyKey: "k2" });
    const third = await wallet.pay(person, { ...draft, idempotencyKey: "k1" });
    expect(MakePaymentResponse.encode(third).finish()).toEqual(MakePaymentResponse.encode(second).finish());
    expect(balance()).toBe(39_731n);
  });

  test("twenty retries of a payment that was cut off have one effect and one answer", async () => {
    const { person, draft, balance } = await scene(50_000n);
    wallet.crashAt("wallet.payment.posted");
    await refusalOf(wallet.pay(person, draft));
    const retry = async (): Promise<string> => {
      for (;;) {
        try {
          return Buffer.from(MakePaymentResponse.encode(await wallet.pay(person, draft)).finish()).toString("hex");
        } catch (error) {
          if ((error as { code?: string }).code !== "IDEMPOTENCY_IN_FLIGHT") throw error;
        }
      }
    };
    const answers = await Promise.all(Array.from({ length: 20 }, retry));
    expect(new Set(answers).size).toBe(1);
    expect(balance()).toBe(39_731n);
  });

  test("does not fail a payment whose claim is refused after its money moved", async () => {
    const { person, transaction, draft, balance, ended } = await scene(50_000n);
    wallet.crashAt("wallet.payment.posted");
    await refusalOf(wallet.pay(person, draft));
    const { paymentId = "" } = transaction;
    transaction.paymentId = "somebody else's";
    expect((await refusalOf(wallet.pay(person, draft))).code).toBe("INTERNAL");
    expect(await ended()).toBeUndefined();
    transaction.paymentId = paymentId;
    await wallet.pay(person, draft);
    expect(balance()).toBe(39_731n);
  });
});
