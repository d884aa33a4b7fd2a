import { randomUUID } from "node:crypto";
import { testTenant } from "../../../test/support/index.js";
import {
  createWalletFixture,
  eventually,
  refusalOf,
  type Person,
  type WalletFixture,
} from "../../../test/support/wallet-fixture.js";

let wallet: WalletFixture;
beforeAll(async () => {
  wallet = await createWalletFixture("wallet_cash_orders", { recoverAfterMs: 150 });
});
afterEach(() => wallet.crashAt(undefined));
afterAll(() => wallet.close());

const key = () => ({ idempotencyKey: randomUUID() });
const refused = (code: string) => expect.objectContaining({ code });
const [lagos, abuja] = ["LAG-1", "ABJ-2"] as const;

/** Two branches with a cashier each, a house without any, and two managers. */
async function vaults() {
  const tenantId = testTenant();
  for (const code of [lagos, abuja]) wallet.remittance.branches.set(`${tenantId} ${code}`, true);
  const [manager, second] = [wallet.person(tenantId, "MANAGER"), wallet.person(tenantId, "MANAGER")];
  const [inLagos, inAbuja, atHouse] = [1, 2, 3].map(() => wallet.person(tenantId, "CASHIER")) as [
    Person,
    Person,
    Person,
  ];
  for (const [{ userId }, branchCode] of [
    [inLagos, lagos],
    [inAbuja, abuja],
  ] as const) {
    await wallet.gateway.putBranchAssignment({ userId, branchCode }, wallet.calls(manager));
  }
  const held = (accountId: string): bigint => {
    const { debits = 0n, credits = 0n } = wallet.ledger.account(tenantId, accountId) ?? {};
    return debits - credits;
  };
  const ask = (by: Person = manager, part: object = {}) =>
    wallet.gateway
      .requestCashOrder(
        { ...key(), fromBranchCode: "", toBranchCode: lagos, currency: "USD", amount: "500", ...part },
        wallet.calls(by),
      )
      .then(({ order }) => order!);
  const send = (orderId: string, by: Person = manager, part: object = key()) =>
    wallet.gateway.sendCashOrder({ ...key(), orderId, ...part }, wallet.calls(by)).then(({ order }) => order!);
  const end = (orderId: string, by: Person, part: object = {}) =>
    wallet.gateway
      .endCashOrder({ ...key(), orderId, outcome: "RECEIVED", counted: "500", ...part }, wallet.calls(by))
      .then(({ order }) => order!);
  return {
    tenantId,
    manager,
    second,
    inLagos,
    inAbuja,
    atHouse,
    held,
    ask,
    send,
    end,
    cancel: (orderId: string, by: Person) =>
      wallet.gateway.cancelCashOrder({ ...key(), orderId }, wallet.calls(by)).then(({ order }) => order!),
    listed: async (by: Person, part: object = {}) => {
      const { orders } = await wallet.gateway.listCashOrders({ pageSize: 100, ...part }, wallet.calls(by));
      return orders.map(({ orderId }) => orderId);
    },
    statusOf: async (orderId: string) => {
      const { orders } = await wallet.gateway.listCashOrders({ pageSize: 100 }, wallet.calls(manager));
      return orders.find((one) => one.orderId === orderId)?.status;
    },
    /** In the ledger: the house's vault, Lagos's, in transit from the house, short and over. */
    books: () => ["cash_vault:USD", "cash_vault:LAG-1:USD", "cash_in_transit:USD", "cash_difference:USD"].map(held),
  };
}

test("cash is the sender's in transit until the receiver has counted it into their vault", async () => {
  const { inLagos, ask, send, end, books, listed, manager } = await vaults();
  const mine = key();
  const order = await ask(inLagos, {
    ...mine,
    amount: "",
    denominations: [
      { value: "100", count: 4 },
      { value: "50", count: 2 },
    ],
  });
  expect(order).toMatchObject({ status: "REQUESTED", amount: { amountMinor: 500_00n }, toBranchCode: lagos });
  expect(books()).toEqual([0n, 0n, 0n, 0n]);
  const first = key();
  const sent = await send(order.orderId, manager, first);
  expect(sent).toMatchObject({ status: "SENT", sentBy: manager.userId });
  expect(await send(order.orderId, manager, first)).toEqual(sent);
  expect(books()).toEqual([-500_00n, 0n, 500_00n, 0n]);
  const got = key();
  const received = await end(order.orderId, inLagos, got);
  expect(received).toMatchObject({ status: "RECEIVED", endedBy: inLagos.userId, countedMinor: 500_00n });
  expect(await end(order.orderId, inLagos, got)).toEqual(received);
  expect(books()).toEqual([-500_00n, 500_00n, 0n, 0n]);
  await expect(end(order.orderId, inLagos)).rejects.toEqual(refused("STATE_CONFLICT"));
  expect([await listed(manager), await listed(manager, { openOnly: true })]).toEqual([[order.orderId], []]);
});

test.each([
  ["short", "499.50", "RECEIVED", [-500_00n, 499_50n, 0n, 50n]],
  ["over", "500.25", "RECEIVED", [-500_00n, 500_25n, 0n, -25n]],
  ["short when it comes back", "499.50", "RETURNED", [-50n, 0n, 0n, 50n]],
  ["whole when it comes back", "500", "RETURNED", [0n, 0n, 0n, 0n]],
] as const)("counted %s it is booked whole, and a difference has a reason", async (_name, counted, outcome, after) => {
  const { manager, second, ask, send, end, books } = await vaults();
  const { orderId } = await ask();
  await send(orderId);
  const by = outcome === "RECEIVED" || counted !== "500" ? second : manager;
  const mine = { ...key(), outcome, counted };
  if (counted !== "500") {
    const error = await refusalOf(end(orderId, by, mine));
    expect(error).toMatchObject({ code: "DIFFERENCE_UNEXPLAINED", details: { errors: [{ path: "reason" }] } });
    expect(books()).toEqual([-500_00n, 0n, 500_00n, 0n]);
  }
  const ended = await end(orderId, by, { ...mine, reason: "A note was torn" });
  expect(ended).toMatchObject({ status: outcome, reason: "A note was torn" });
  expect(books()).toEqual(after);
});

test("above the organisation's amount a manager decides: refused it is in transit still, approved it is booked", async () => {
  const { inLagos, manager, ask, send, end, books, statusOf } = await vaults();
  const { orderId } = await ask();
  await send(orderId);
  const lost = { ...key(), counted: "0", reason: "The van was robbed" };
  const waiting = await end(orderId, inLagos, lost);
  expect(waiting).toMatchObject({ status: "WAITING", differenceMinor: -500_00n });
  expect(await end(orderId, inLagos, lost)).toEqual(waiting);
  // Whoever sent it short neither reads nor decides about it.
  const asked = wallet.identity.state.approvals.find(({ approval }) => approval.approvalId === waiting.approvalId);
  expect(asked?.concernedUserId).toBe(manager.userId);
  await expect(end(orderId, inLagos)).rejects.toEqual(refused("STATE_CONFLICT"));
  await wallet.decide(waiting.approvalId, "REFUSED");
  expect([await statusOf(orderId), books()]).toEqual(["SENT", [-500_00n, 0n, 500_00n, 0n]]);
  const again = await end(orderId, inLagos, { counted: "300", reason: "Two hundred are missing" });
  const foreseen = await wallet.decide(again.approvalId);
  await eventually("the end", async () => (await statusOf(orderId)) === "RECEIVED");
  expect(books()).toEqual([-500_00n, 300_00n, 0n, 200_00n]);
  const effects = JSON.stringify(foreseen, (_name, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  );
  for (const account of ["cash_vault:LAG-1:USD", "cash_in_transit:USD", "cash_difference:USD"]) {
    expect(effects).toContain(account);
  }
  // What was decided about is over: the older question does nothing any more.
  await wallet.decide(waiting.approvalId).catch(() => undefined);
  expect(books()).toEqual([-500_00n, 300_00n, 0n, 200_00n]);
});

test("is counted anew where the ledger does not book what a manager has approved", async () => {
  const { tenantId, inLagos, ask, send, end, books, statusOf } = await vaults();
  const { orderId } = await ask();
  await send(orderId);
  const lost = { ...key(), counted: "0", reason: "The van was robbed" };
  const waiting = await end(orderId, inLagos, lost);
  wallet.ledger.close(tenantId, "cash_in_transit:USD");
  await wallet.decide(waiting.approvalId);
  await eventually("the order to be on its way", async () => (await statusOf(orderId)) === "SENT");
  expect(await end(orderId, inLagos, lost)).toMatchObject({ approvalId: waiting.approvalId });
  wallet.ledger.reopen(tenantId, "cash_in_transit:USD");
  expect(await end(orderId, inLagos)).toMatchObject({ status: "RECEIVED" });
  expect(books()).toEqual([-500_00n, 500_00n, 0n, 0n]);
});

test("nobody has back less than they sent by their own count", async () => {
  const { inLagos, manager, ask, send, end, books } = await vaults();
  const { orderId } = await ask(manager, { fromBranchCode: lagos, toBranchCode: abuja });
  await send(orderId, inLagos);
  const back = { outcome: "RETURNED", counted: "499.99", reason: "A coin rolled away" };
  await expect(end(orderId, inLagos, back)).rejects.toEqual(refused("FORBIDDEN"));
  expect(books()).toEqual([0n, -500_00n, 0n, 0n]);
  expect(await end(orderId, manager, back)).toMatchObject({ status: "RETURNED", differenceMinor: -1n });
});

test("what somebody counts short in a day is one sum: a manager decides once it is above the amount", async () => {
  const { inLagos, ask, send, end, second } = await vaults();
  const short = async (counted: string, by = inLagos) => {
    const { orderId } = await ask();
    await send(orderId);
    return { order: await end(orderId, by, { counted, reason: "Torn" }), orderId };
  };
  expect((await short("440")).order).toMatchObject({ status: "RECEIVED" });
  expect((await short("459.99")).order).toMatchObject({ status: "WAITING", differenceMinor: -40_01n });
  expect((await short("460")).order).toMatchObject({ status: "RECEIVED" });
  expect((await short("440", second)).order).toMatchObject({ status: "RECEIVED" });
});

test("two orders that one person counts short at once: a manager decides about one of them", async () => {
  const { inLagos, ask, send, end } = await vaults();
  const ids = [(await ask()).orderId, (await ask()).orderId];
  for (const id of ids) await send(id);
  const short = (id: string) => {
    const requested = { ...key(), counted: "440", reason: "Torn" };
    return eventually("an answer", () => end(id, inLagos, requested).catch(() => undefined));
  };
  const ended = await Promise.all(ids.map(short));
  expect(ended.map(({ status }) => status).toSorted()).toEqual(["RECEIVED", "WAITING"]);
});

test.each(["killed", "without identity"])("it is in transit again where who counted it is %s", async (how) => {
  const { inLagos, ask, send, end, books, statusOf, tenantId } = await vaults();
  const { orderId } = await ask();
  await send(orderId);
  const lost = { ...key(), counted: "0", reason: "The van was robbed" };
  if (how === "killed") wallet.crashAt("wallet.cash-order.kept");
  else wallet.identity.state.takesNoQuestion = "UNAVAILABLE";
  try {
    await refusalOf(end(orderId, inLagos, lost));
  } finally {
    wallet.identity.state.takesNoQuestion = undefined;
  }
  expect(await statusOf(orderId)).toBe("WAITING");
  await wallet.rowsAreDue(tenantId, "forget-unasked-ending");
  await eventually("the order to be SENT", async () => (await statusOf(orderId)) === "SENT");
  await expect(end(orderId, inLagos, lost)).rejects.toEqual(refused("STATE_CONFLICT"));
  expect(await end(orderId, inLagos)).toMatchObject({ status: "RECEIVED" });
  expect(books()).toEqual([-500_00n, 500_00n, 0n, 0n]);
});

test("who asks, sends, receives and has back is of the branch it is about, and nobody receives what they sent", async () => {
  const { manager, second, inLagos, inAbuja, atHouse, ask, send, end, cancel, listed, tenantId } = await vaults();
  const between = { fromBranchCode: lagos, toBranchCode: abuja };
  for (const by of [inAbuja, atHouse]) await expect(ask(by)).rejects.toEqual(refused("FORBIDDEN"));
  await expect(ask(wallet.person(tenantId, "AGENT"))).rejects.toEqual(refused("FORBIDDEN"));
  const { orderId } = await ask(inAbuja, between);
  const ofHouse = await ask();
  expect([await listed(inLagos), await listed(inAbuja), await listed(atHouse)]).toEqual([
    [ofHouse.orderId, orderId],
    [orderId],
    [],
  ]);
  expect(await listed(inLagos, { branchCode: abuja })).toEqual([orderId]);
  for (const by of [inAbuja, atHouse]) await expect(send(orderId, by)).rejects.toEqual(refused("FORBIDDEN"));
  await expect(send(ofHouse.orderId, inLagos)).rejects.toEqual(refused("FORBIDDEN"));
  await expect(cancel(ofHouse.orderId, inAbuja)).rejects.toEqual(refused("FORBIDDEN"));
  await send(orderId, inLagos);
  for (const by of [inLagos, atHouse]) await expect(end(orderId, by)).rejects.toEqual(refused("FORBIDDEN"));
  await expect(end(orderId, inAbuja, { outcome: "RETURNED" })).rejects.toEqual(refused("FORBIDDEN"));
  expect(await end(orderId, inAbuja)).toMatchObject({ status: "RECEIVED" });
  await send(ofHouse.orderId, manager);
  await expect(end(ofHouse.orderId, manager)).rejects.toEqual(refused("FORBIDDEN"));
  expect(await end(ofHouse.orderId, second)).toMatchObject({ status: "RECEIVED" });
  const strange = wallet.person(undefined, "MANAGER");
  await expect(send(orderId, strange)).rejects.toEqual(refused("NOT_FOUND"));
  expect(await listed(strange)).toEqual([]);
});

test("refuses what is not there, too much or nothing, naming the field, before anything is kept", async () => {
  const { manager, ask, end, send, listed, cancel } = await vaults();
  for (const [part, path] of [
    [{ toBranchCode: "" }, "toBranchCode"],
    [{ toBranchCode: "NONE" }, "toBranchCode"],
    [{ fromBranchCode: "NONE" }, "fromBranchCode"],
    [{ currency: "ZZZ" }, "currency"],
    [{ amount: "" }, "amount"],
    [{ amount: "1.001" }, "amount"],
    [{ amount: "500", denominations: [{ value: "100", count: 4 }] }, "amount"],
    [{ denominations: [{ value: "3", count: 1 }] }, "denominations.0.value"],
  ] as const) {
    expect(await refusalOf(ask(manager, part))).toMatchObject({
      code: "INVALID_INPUT",
      details: { errors: [{ path }] },
    });
  }
  await expect(ask(manager, { amount: "0" })).rejects.toEqual(refused("AMOUNT_NOT_POSITIVE"));
  await expect(ask(manager, { amount: "92233720368547758.07" })).rejects.toEqual(refused("AMOUNT_ABOVE_CEILING"));
  expect(await listed(manager)).toEqual([]);
  const { orderId } = await ask();
  await expect(end(orderId, manager)).rejects.toEqual(refused("STATE_CONFLICT"));
  expect(await cancel(orderId, manager)).toMatchObject({ status: "CANCELLED" });
  await expect(send(orderId)).rejects.toEqual(refused("STATE_CONFLICT"));
  await expect(cancel(orderId, manager)).rejects.toEqual(refused("STATE_CONFLICT"));
});

test("a branch that is switched off is asked for cash still, and gets none any more but what was sent", async () => {
  const { tenantId, manager, second, ask, send, end, cancel, books } = await vaults();
  const [sent, requested] = [await ask(), await ask()];
  await send(sent.orderId);
  wallet.remittance.branches.set(`${tenantId} ${lagos}`, false);
  const off = expect.objectContaining({
    code: "INVALID_INPUT",
    details: { errors: [{ path: "toBranchCode", message: "is a branch that is switched off" }] },
  });
  await expect(ask()).rejects.toEqual(off);
  await expect(send(requested.orderId)).rejects.toEqual(off);
  expect(await cancel(requested.orderId, manager)).toMatchObject({ status: "CANCELLED" });
  expect(await end(sent.orderId, second)).toMatchObject({ status: "RECEIVED" });
  const back = await ask(manager, { fromBranchCode: lagos, toBranchCode: "" });
  await send(back.orderId);
  expect(await end(back.orderId, second)).toMatchObject({ status: "RECEIVED" });
  expect(books()).toEqual([0n, 0n, 0n, 0n]);
});

test("sent and cancelled, received and had back at once: one is heard, and no cash is lost", async () => {
  const { manager, second, ask, send, end, cancel, books } = await vaults();
  for (let times = 0; times < 3; times += 1) {
    const { orderId } = await ask();
    const [before] = [books()];
    const begun = await Promise.allSettled([send(orderId), send(orderId, second), cancel(orderId, manager)]);
    const heard = begun.filter(({ status }) => status === "fulfilled");
    expect(heard).toHaveLength(1);
    if (begun[2].status === "fulfilled") {
      expect(books()).toEqual(before);
      continue;
    }
    const receiver = begun[0].status === "fulfilled" ? second : manager;
    const ends = await Promise.allSettled([
      end(orderId, receiver),
      end(orderId, manager, { outcome: "RETURNED" }),
      end(orderId, receiver, { counted: "499", reason: "Torn" }),
    ]);
    expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(books()[2]).toBe(0n);
  }
  const sum = books().reduce((all, one) => all + one, 0n);
  expect(sum).toBe(0n);
});

test.each(["recorded", "posted", "ended"])("cut off at %s it is in one vault or the other, once", async (step) => {
  const { second, ask, send, end, books } = await vaults();
  const { orderId } = await ask();
  for (const [run, after] of [
    [(mine: object) => send(orderId, undefined, mine), [-500_00n, 0n, 500_00n, 0n]],
    [(mine: object) => end(orderId, second, mine), [-500_00n, 500_00n, 0n, 0n]],
  ] as const) {
    const mine = key();
    wallet.crashAt(`wallet.cash-order.${step}`);
    await run(mine).catch(() => undefined);
    await eventually("the answer", () => run(mine).catch(() => undefined));
    expect(wallet.crashedAt(`wallet.cash-order.${step}`)).toBe(true);
    expect(books()).toEqual(after);
    wallet.crashAt(undefined);
  }
});
