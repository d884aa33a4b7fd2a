import { randomUUID } from "node:crypto";
import {
  createWalletFixture,
  eventually,
  refusalOf,
  type Person,
  type WalletFixture,
} from "../../../test/support/wallet-fixture.js";
import { createWalletStore } from "../store/index.js";

let wallet: WalletFixture;
beforeAll(async () => {
  wallet = await createWalletFixture("wallet_statuses", { recoverAfterMs: 200 });
});
afterEach(() => {
  wallet.faults.clear();
  wallet.crashAt(undefined);
});
afterAll(() => wallet.close());

const key = () => ({ idempotencyKey: randomUUID() });
const statuses = ["PENDING", "BLOCKED"] as const;
let code = 300_000;

async function scene() {
  const person = wallet.person();
  const { tenantId, customerId } = person;
  const friend = wallet.person(tenantId);
  const cashier = wallet.person(tenantId, "CASHIER");
  const manager = wallet.person(tenantId, "MANAGER");
  const own = await wallet.wallet(person, "USD", 100_00n);
  const naira = await wallet.wallet(person, "NGN");
  const other = await wallet.wallet(friend, "USD", 100_00n);
  const { till } = await wallet.gateway.openTill({ ...key(), currency: "USD", float: "500" }, wallet.calls(cashier));
  const as = (status?: (typeof statuses)[number]) =>
    status === undefined
      ? wallet.compliance.state.statuses.delete(customerId)
      : wallet.compliance.state.statuses.set(customerId, status);
  const password = "correct horse battery";
  const pay = (from: Person, accountId: string, to: string, amount = "5", part = {}) =>
    wallet.pay(from, {
      accountId,
      payableType: "PAYABLE_TYPE_WALLET_CUSTOMER",
      payableId: to,
      totalCheckoutAmount: amount,
      ...part,
    });
  const hold = async (from: Person, accountId: string, payeeAccountId: string) => {
    const requested = { ...key(), accountId, payeeAccountId, amount: "5", password };
    return (await wallet.gateway.createHold(requested, wallet.calls(from))).hold?.holdId ?? "";
  };
  const quote = async () => {
    const requested = { ...key(), fromAccountId: own.accountId, toAccountId: naira.accountId, amount: "5" };
    return (await wallet.gateway.quoteExchange(requested, wallet.calls(person))).quote?.quoteId ?? "";
  };
  const cash = { tillId: till?.tillId ?? "", accountId: own.accountId, amount: "5" };
  const [mineOpen, theirsOpen, quoteId] = [
    await hold(person, own.accountId, other.accountId),
    await hold(friend, other.accountId, own.accountId),
    await quote(),
  ];
  const { payment: received } = await pay(friend, other.accountId, own.accountId, "10");
  const { payment: given } = await pay(person, own.accountId, other.accountId, "10");
  const refund = (paymentId = "") =>
    wallet.gateway.refundPayment({ ...key(), paymentId, amount: "", reason: "sent back" }, wallet.calls(manager));
  const { transaction, id: transactionId, total } = wallet.transaction(person, { principalMinor: 2_000n });
  void [transaction, total];
  const debit = (by: "lending" | "investment") =>
    wallet.clientOf(by).debitWallet(
      {
        ...key(),
        accountId: own.accountId,
        customerId,
        legs: [{ creditAccountId: other.accountId, amountMinor: 1n, kind: "loan_payoff" }],
      },
      wallet.calls({ tenantId }),
    );
  const moves = {
    payment: () => pay(person, own.accountId, other.accountId),
    transaction: () =>
      wallet.pay(person, { accountId: own.accountId, payableId: transactionId, totalCheckoutAmount: "22.69" }),
    hold: () => hold(person, own.accountId, other.accountId),
    "confirmation of a hold": () =>
      wallet.gateway.confirmHold({ ...key(), holdId: mineOpen, amount: "" }, wallet.calls(friend)),
    exchange: () => wallet.gateway.executeExchange({ ...key(), quoteId }, wallet.calls(person)),
    "cash out": () =>
      wallet.gateway.cashOut({ ...key(), ...cash, password, otp: String((code += 1)) }, wallet.calls(cashier)),
    "refund given": () => refund(received?.paymentId),
    "debit for a loan": () => debit("lending"),
    "debit for an investment": () => debit("investment"),
    "top-up": () =>
      wallet.gateway.topUpByCard(
        { ...key(), accountId: own.accountId, amount: "5", cardToken: "tok_test" },
        wallet.calls(person),
      ),
    "cash in": () => wallet.gateway.cashIn({ ...key(), ...cash }, wallet.calls(cashier)),
    "payment received": () => pay(friend, other.accountId, own.accountId),
    "confirmation received": () =>
      wallet.gateway.confirmHold({ ...key(), holdId: theirsOpen, amount: "" }, wallet.calls(manager)),
    "bank credit": () =>
      wallet.operator.recordDeposit(
        { ...key(), accountId: own.accountId, amount: { amountMinor: 5_00n, currency: "USD" }, reference: "B" },
        wallet.calls({ tenantId }),
      ),
    "refund received": async () => {
      const { refund: requested } = await refund(given?.paymentId);
      await wallet.decide(requested?.approvalId ?? "");
      await eventually("the refund", async () => {
        const { refund: now } = await wallet.gateway.getRefund(
          { refundId: requested?.refundId ?? "" },
          wallet.calls(manager),
        );
        return now?.status === "DONE";
      });
    },
  };
  const shown = async () => {
    const { accounts } = await wallet.gateway.listWalletAccounts({}, wallet.calls(person));
    const { availableBalanceMinor = 0n, heldBalanceMinor = 0n } =
      accounts.find(({ accountId }) => accountId === own.accountId) ?? {};
    return { available: availableBalanceMinor, held: heldBalanceMinor };
  };
  const held = async (part = {}) =>
    (await wallet.gateway.listHeldArrivals({ ...part }, wallet.calls(manager))).arrivals;
  return { person, friend, manager, own, other, as, moves, shown, held, pay };
}

type Move = keyof Awaited<ReturnType<typeof scene>>["moves"];

const out = [
  "payment",
  "transaction",
  "hold",
  "confirmation of a hold",
  "exchange",
  "cash out",
  "refund given",
  "debit for a loan",
  "debit for an investment",
] as const satisfies Move[];

test.each(statuses)("who is %s: every way out is refused, and nothing has moved", async (status) => {
  const { person, own, as, moves, shown, held } = await scene();
  const before = await shown();
  as(status);
  const code = status === "PENDING" ? "CUSTOMER_NOT_CONFIRMED" : "COMPLIANCE_REJECTED";
  for (const move of [...out, "top-up"] as const) {
    const refusal = await refusalOf(moves[move]());
    // Others do not learn of it.
    const isOthers = move === "confirmation of a hold" || move === "refund given";
    expect([move, refusal.code]).toEqual([move, isOthers ? "COMPLIANCE_REJECTED" : code]);
    expect(refusal.message).not.toMatch(/block/i);
  }
  expect(await shown()).toEqual(before);
  expect(wallet.ledger.balance(person.tenantId, own.accountId)).toBe(100_00n);
  expect(await held()).toEqual([]);
});

const arriving: [Move, minor: bigint, (typeof statuses)[number][]][] = [
  ["payment received", 5_00n, ["PENDING", "BLOCKED"]],
  ["confirmation received", 5_00n, ["PENDING", "BLOCKED"]],
  ["bank credit", 5_00n, ["PENDING", "BLOCKED"]],
  ["cash in", 5_00n, ["BLOCKED"]],
  ["refund received", 10_00n, ["BLOCKED"]],
];

test.each(arriving.flatMap(([move, minor, all]) => all.map((status) => [move, status, minor] as const)))(
  "%s, for who is %s, arrives and is held until they may have it",
  async (move, status, minor) => {
    const { person, own, as, moves, shown, held } = await scene();
    const before = await shown();
    as(status);
    await moves[move]();
    expect(await shown()).toEqual({ available: before.available, held: before.held + minor });
    const [arrival, ...more] = await held();
    expect(more).toEqual([]);
    expect(arrival).toMatchObject({
      accountId: own.accountId,
      customerId: person.customerId,
      amount: { amountMinor: minor, currency: "USD" },
      status: "HELD",
    });
    as();
    await eventually("the arrival to be free", async () => (await held()).length === 0);
    expect(await shown()).toEqual({ available: before.available + minor, held: before.held });
    expect(await held({ all: true })).toMatchObject([{ status: "RELEASED" }]);
  },
);

test("credits of one id from two tenants' banks are held both", async () => {
  const store = createWalletStore(wallet.database.db);
  const heldId = `credit:${randomUUID()}`;
  const heldAt = new Date();
  const tenants = [wallet.person().tenantId, wallet.person().tenantId];
  for (const [index, tenantId] of tenants.entries()) {
    const amount = { minor: BigInt(index + 1), currency: "USD" };
    const ids = { heldId, accountId: randomUUID(), customerId: randomUUID() };
    await store.transaction(
      async (session) => {
        const arrival = { ...ids, amount, kind: "BANK_CREDIT_RECEIVED", status: "HELD", heldAt } as const;
        await store.forTenant(tenantId).insertHeld(arrival, session);
        return true;
      },
      async () => undefined,
    );
  }
  const found = await Promise.all(tenants.map((tenantId) => store.forTenant(tenantId).findHeld(heldId)));
  expect(found.map((arrival) => arrival?.amount.minor)).toEqual([1n, 2n]);
});

test.each(["before", "after"] as const)(
  "a refund that was let through once ends, whoever is blocked since (the ledger fails %s it has posted)",
  async (when) => {
    const { friend, own, other, as, pay, manager, shown } = await scene();
    const { payment } = await pay(friend, other.accountId, own.accountId, "10");
    const requested = { ...key(), paymentId: payment?.paymentId ?? "", amount: "", reason: "sent back" };
    const { refund } = await wallet.gateway.refundPayment(requested, wallet.calls(manager));
    const { available } = await shown();
    const posts = () => wallet.faults.calledIn(friend.tenantId).filter((rpc) => rpc === "postTransfers").length;
    const before = posts();
    wallet.faults.next("postTransfers", when);
    await wallet.decide(refund?.approvalId ?? "");
    await eventually("the posting", () => posts() > before);
    as("BLOCKED");
    const refundId = refund?.refundId ?? "";
    await eventually("the refund", async () => {
      const { refund: now } = await wallet.gateway.getRefund({ refundId }, wallet.calls(manager));
      return now?.status === "DONE";
    });
    expect((await shown()).available).toBe(available - 10_00n);
    const again = await wallet.gateway.refundPayment(requested, wallet.calls(manager));
    expect(again.refund?.refundId).toBe(refundId);
  },
);

test("while a refund is being booked no other one is, also once a third was refused", async () => {
  const { friend, own, other, pay, manager } = await scene();
  const { payment } = await pay(friend, other.accountId, own.accountId, "10");
  const ask = async () => {
    const requested = { ...key(), paymentId: payment?.paymentId ?? "", amount: "3", reason: "sent back" };
    return (await wallet.gateway.refundPayment(requested, wallet.calls(manager))).refund?.approvalId ?? "";
  };
  const [first, second, third] = [await ask(), await ask(), await ask()];
  wallet.faults.next("postTransfers", "before", "UNAVAILABLE", 1_000);
  await wallet.decide(first);
  await wallet.decide(second, "REFUSED");
  expect((await refusalOf(wallet.decide(third))).code).toBe("UNAVAILABLE");
  wallet.faults.clear();
  await eventually("the first to be booked", async () =>
    wallet.decide(third).then(
      () => true,
      () => false,
    ),
  );
});

test("cash of who is not confirmed yet is not taken, and what comes back to them is theirs", async () => {
  const { as, moves, shown, held } = await scene();
  const { available } = await shown();
  as("PENDING");
  expect((await refusalOf(moves["cash in"]())).code).toBe("CUSTOMER_NOT_CONFIRMED");
  await moves["refund received"]();
  expect((await shown()).available).toBe(available + 10_00n);
  expect(await held()).toEqual([]);
});

test("who pays somebody blocked sees a payment like any other, balance included", async () => {
  const { friend, own, other, as, pay, manager, person } = await scene();
  as("BLOCKED");
  const { payment } = await pay(friend, other.accountId, own.accountId);
  expect(payment).toMatchObject({ status: "SUCCESS", newBalanceMinor: 95_00n });
  for (const by of [person, friend]) {
    const refusal = await refusalOf(wallet.gateway.listHeldArrivals({}, wallet.calls(by)));
    expect(refusal.code).toBe("FORBIDDEN");
  }
  void manager;
});

test.each(["wallet.payment.posted", "wallet.payment.checked"])(
  "a payment to somebody blocked that is cut off at %s is held once",
  async (point) => {
    const { friend, own, other, as, pay, held, shown } = await scene();
    const before = await shown();
    as("BLOCKED");
    wallet.crashAt(point);
    const draft = { paymentGatewayRef: `ref-${randomUUID()}` };
    await pay(friend, other.accountId, own.accountId, "5", draft).catch(() => undefined);
    await eventually("the arrival", async () => (await held()).length === 1);
    expect(await shown()).toEqual({ available: before.available, held: before.held + 5_00n });
  },
);

test("a release that is cut off once the ledger has let go ends once", async () => {
  const { as, moves, held, shown } = await scene();
  const before = await shown();
  as("BLOCKED");
  await moves["bank credit"]();
  wallet.crashAt("wallet.held.released");
  as();
  await eventually("the crash", () => wallet.crashedAt("wallet.held.released"));
  await eventually("the arrival to be free", async () => (await held()).length === 0);
  expect(await shown()).toEqual({ available: before.available + 5_00n, held: before.held });
});

test("while compliance is away nothing begins", async () => {
  const { moves, shown } = await scene();
  const before = await shown();
  wallet.faults.next("checkMoves", "before", "UNAVAILABLE", 100);
  expect((await refusalOf(moves["exchange"]())).code).toBe("UNAVAILABLE");
  expect((await refusalOf(moves["cash in"]())).code).toBe("UNAVAILABLE");
  expect(await shown()).toEqual(before);
});
