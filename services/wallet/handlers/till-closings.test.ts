import { randomUUID } from "node:crypto";
import {
  createWalletFixture,
  eventually,
  refusalOf,
  type Person,
  type WalletFixture,
} from "../../../test/support/wallet-fixture.js";

let wallet: WalletFixture;
beforeAll(async () => {
  wallet = await createWalletFixture("wallet_till_closings", { recoverAfterMs: 150 });
});
afterEach(() => wallet.crashAt(undefined));
afterAll(() => wallet.close());

const key = () => ({ idempotencyKey: randomUUID() });
const refused = (code: string) => expect.objectContaining({ code });

/** A cashier with an open till of 200.00 USD, a manager, and a customer. */
async function desk({ isBlind = false } = {}) {
  const customer = wallet.person();
  const { tenantId } = customer;
  if (isBlind) wallet.identity.blindTenants.add(tenantId);
  const { accountId } = await wallet.wallet(customer, "USD", 100_00n);
  const [cashier, manager] = [wallet.person(tenantId, "CASHIER"), wallet.person(tenantId, "MANAGER")];
  const opened = await wallet.gateway.openTill({ ...key(), currency: "USD", float: "200" }, wallet.calls(cashier));
  const tillId = opened.till!.tillId;
  return {
    customer,
    cashier,
    manager,
    tillId,
    /** The same holder's next. */
    async reopen() {
      const { till } = await wallet.gateway.openTill(
        { ...key(), currency: "USD", float: "200" },
        wallet.calls(cashier),
      );
      const next = till!.tillId;
      return {
        tillId: next,
        close: (part: object) =>
          wallet.gateway.closeTill({ ...key(), tillId: next, ...part }, wallet.calls(cashier)).then((one) => one.till!),
      };
    },
    cashIn: (amount: string) => wallet.gateway.cashIn({ ...key(), tillId, accountId, amount }, wallet.calls(cashier)),
    count: (part: object) =>
      wallet.gateway.countTill({ ...key(), tillId, ...part }, wallet.calls(cashier)).then(({ till }) => till!),
    close: (part: object) =>
      wallet.gateway.closeTill({ ...key(), tillId, ...part }, wallet.calls(cashier)).then(({ till }) => till!),
    till: async (by: Person = manager) => (await wallet.gateway.listTills({}, wallet.calls(by))).tills[0]!,
    lines: (by: Person = manager, part = {}) => wallet.gateway.listTillLines({ tillId, ...part }, wallet.calls(by)),
    counts: async () => (await wallet.gateway.listTillCounts({ tillId }, wallet.calls(manager))).counts,
    inLedger: () => -wallet.ledger.balance(tenantId, `cash_till:${cashier.userId}:USD`),
  };
}

describe("the movements of a till", () => {
  test("are its float and what came and went; together they are what is expected, and what the ledger has", async () => {
    const { cashIn, lines, till, inLedger, close, cashier } = await desk();
    for (const amount of ["50", "0.01", "7.5"]) await cashIn(amount);
    const { lines: all } = await lines(cashier);
    expect(all.map(({ number, kind, amountMinor, balanceMinor }) => [number, kind, amountMinor, balanceMinor])).toEqual(
      [
        [1, "FLOAT", 200_00n, 200_00n],
        [2, "CASH_IN", 50_00n, 250_00n],
        [3, "CASH_IN", 1n, 250_01n],
        [4, "CASH_IN", 7_50n, 257_51n],
      ],
    );
    expect([(await till()).expectedMinor, inLedger()]).toEqual([257_51n, 257_51n]);
    await close({ counted: "250", reason: "Gave a note too many" });
    const behind = await lines(cashier, { cursor: "4" });
    expect(behind.lines.map(({ kind, amountMinor, balanceMinor }) => [kind, amountMinor, balanceMinor])).toEqual([
      ["DIFFERENCE", -7_51n, 250_00n],
      ["CLOSING", -250_00n, 0n],
    ]);
    expect(inLedger()).toBe(0n);
  });

  test("come in pages, and are their holder's and managers' alone", async () => {
    const { cashIn, lines, customer, tillId } = await desk();
    await cashIn("1");
    const first = await lines(undefined, { pageSize: 1 });
    expect(first).toMatchObject({ lines: [{ kind: "FLOAT" }], nextCursor: "1" });
    const second = await lines(undefined, { pageSize: 1, cursor: first.nextCursor });
    expect(second).toMatchObject({ lines: [{ kind: "CASH_IN" }], nextCursor: "" });
    await expect(lines(wallet.person(customer.tenantId, "CASHIER"))).rejects.toEqual(refused("FORBIDDEN"));
    await expect(lines(wallet.person(undefined, "MANAGER"))).rejects.toEqual(refused("NOT_FOUND"));
    expect(await refusalOf(lines(undefined, { cursor: "x" }))).toMatchObject({
      details: { errors: [{ path: "cursor" }] },
    });
    const stranger = wallet.person(undefined, "MANAGER");
    await expect(wallet.gateway.listTillCounts({ tillId }, wallet.calls(stranger))).rejects.toEqual(
      refused("NOT_FOUND"),
    );
  });
});

test("what was counted before cash moved is shown to nobody as what is in the till, and stays among the counts", async () => {
  const { cashIn, till, count, counts } = await desk();
  expect(await count({ counted: "190" })).toMatchObject({ countedMinor: 190_00n, differenceMinor: -10_00n });
  await cashIn("50");
  const now = { expectedMinor: 250_00n, countedMinor: undefined, differenceMinor: undefined };
  expect(await till()).toMatchObject(now);
  expect((await counts())[0]).toMatchObject({ countedMinor: 190_00n, differenceMinor: -10_00n });
});

describe("notes and coins", () => {
  const piece = (value: string, count: number) => ({ value, count });

  test("come to what was counted, and are kept with the count", async () => {
    const { count, counts } = await desk();
    const denominations = [piece("100", 1), piece("20", 4), piece("0.25", 3)];
    expect(await count({ denominations })).toMatchObject({ countedMinor: 180_75n, differenceMinor: -19_25n });
    expect(await count({ counted: "180.75", denominations })).toMatchObject({ countedMinor: 180_75n });
    expect((await counts())[0]).toMatchObject({
      countedMinor: 180_75n,
      expectedMinor: 200_00n,
      denominations: [piece("100.00", 1), piece("20.00", 4), piece("0.25", 3)],
    });
  });

  test.each([
    ["a note that is none", { denominations: [piece("5", 1), piece("3", 1)] }, "denominations.1.value"],
    ["a value twice", { denominations: [piece("5", 1), piece("5.00", 2)] }, "denominations.1.value"],
    ["fewer than none", { denominations: [piece("5", -1)] }, "denominations.0.count"],
    ["a value beyond the currency's decimals", { denominations: [piece("0.001", 1)] }, "denominations.0.value"],
    ["another sum than the amount", { counted: "6", denominations: [piece("5", 1)] }, "counted"],
    ["neither sum nor amount", { denominations: [] }, "counted"],
  ])("are refused where there is %s", async (_what, part, path) => {
    const { count } = await desk();
    expect(await refusalOf(count(part))).toMatchObject({ code: "INVALID_INPUT", details: { errors: [{ path }] } });
  });
});

test("whoever holds a till counts it before they see what should be in it, each time that cash has moved; a manager sees all", async () => {
  const { cashIn, till, lines, count, counts, cashier, manager } = await desk({ isBlind: true });
  await cashIn("50");
  const seen = async (by: Person) => {
    const { expectedMinor, differenceMinor } = await till(by);
    return [expectedMinor, differenceMinor, (await lines(by)).lines.at(-1)?.balanceMinor];
  };
  expect(await seen(cashier)).toEqual([undefined, undefined, undefined]);
  expect(await seen(manager)).toEqual([250_00n, undefined, 250_00n]);
  expect(await count({ counted: "240" })).toMatchObject({ expectedMinor: 250_00n, differenceMinor: -10_00n });
  expect(await seen(cashier)).toEqual([250_00n, -10_00n, 250_00n]);
  await count({ counted: "250" });
  expect((await counts()).map(({ countedMinor }) => countedMinor)).toEqual([250_00n, 240_00n]);
  await cashIn("1");
  expect(await seen(cashier)).toEqual([undefined, undefined, undefined]);
});

describe("a till that is closed with a difference", () => {
  test("asks for a reason; what was counted before that is kept, and the reason comes under the same key", async () => {
    const { close, counts, till, inLedger } = await desk();
    const requested = key();
    expect(await refusalOf(close({ counted: "199", ...requested }))).toMatchObject({
      code: "DIFFERENCE_UNEXPLAINED",
      details: { errors: [{ path: "reason" }] },
    });
    expect([(await till()).status, inLedger()]).toEqual(["OPEN", 200_00n]);
    const closed = await close({ counted: "199", reason: "A coin rolled away", ...requested });
    expect(closed).toMatchObject({ status: "CLOSED", differenceMinor: -1_00n, reason: "A coin rolled away" });
    expect((await counts()).map(({ closing, reason }) => [closing, reason])).toEqual([
      [true, "A coin rolled away"],
      [true, ""],
    ]);
  });

  test("waits for a manager above the amount: nothing moves meanwhile, and it is booked once they agreed", async () => {
    const { close, cashIn, till, counts, cashier, inLedger, customer } = await desk();
    const requested = { ...key(), counted: "99.99", reason: "Robbed" };
    const waiting = await close(requested);
    expect(waiting).toMatchObject({ status: "WAITING", differenceMinor: -100_01n });
    expect(await close(requested)).toEqual(waiting);
    await expect(cashIn("1")).rejects.toEqual(refused("TILL_NOT_OPEN"));
    await expect(close({ counted: "200" })).rejects.toEqual(refused("TILL_NOT_OPEN"));
    expect(inLedger()).toBe(200_00n);
    const { noted } = await wallet.decide(waiting.approvalId);
    expect(noted).toEqual([`TILL_CLOSED till:${waiting.tillId} -100.01 USD`]);
    await eventually("the till to be closed", async () => (await till()).status === "CLOSED");
    await wallet.decide(waiting.approvalId);
    expect(inLedger()).toBe(0n);
    const off = wallet.ledger.balance(customer.tenantId, "cash_difference:USD");
    expect([off, (await counts()).length]).toEqual([-100_01n, 1]);
    expect(await till(cashier)).toMatchObject({ reason: "Robbed", countedMinor: 99_99n });
  });

  test("is a part of what its holder may take alone in a day, over all of their tills", async () => {
    const { close, reopen, till, customer, manager, tillId } = await desk();
    await close({ counted: "140", reason: "Sixty are missing" });
    const second = await reopen();
    // Each alone is below the amount; together they are above it, short or over.
    const asked = await second.close({ counted: "240.01", reason: "Forty too many" });
    expect(asked).toMatchObject({ status: "WAITING", differenceMinor: 40_01n });
    await wallet.decide(asked.approvalId);
    await eventually("the till to be closed", async () => (await till()).status === "CLOSED");
    // What a manager has looked at is not in the sum: forty are left of the day.
    const third = await reopen();
    expect(await third.close({ counted: "160", reason: "Forty are missing" })).toMatchObject({ status: "CLOSED" });
    const fourth = await reopen();
    expect(await fourth.close({ counted: "199.99", reason: "A coin" })).toMatchObject({ status: "WAITING" });
    expect(tillId).not.toBe(fourth.tillId);
    const other = wallet.person(customer.tenantId, "CASHIER");
    const theirs = await wallet.gateway.openTill({ ...key(), currency: "USD", float: "200" }, wallet.calls(other));
    const ended = { ...key(), tillId: theirs.till!.tillId, counted: "100", reason: "Lost" };
    expect((await wallet.gateway.closeTill(ended, wallet.calls(other))).till).toMatchObject({ status: "CLOSED" });
    expect((await wallet.gateway.listTills({}, wallet.calls(manager))).tills).toHaveLength(5);
  });

  test("is open again where nobody approves it, or identity takes no question", async () => {
    const { close, till, cashIn } = await desk();
    const first = await close({ counted: "0", reason: "Robbed" });
    await wallet.decide(first.approvalId, "REFUSED");
    expect((await till()).status).toBe("OPEN");
    const requested = { ...key(), counted: "0", reason: "Robbed" };
    wallet.identity.state.takesNoQuestion = "FORBIDDEN";
    try {
      await expect(close(requested)).rejects.toEqual(refused("FORBIDDEN"));
    } finally {
      wallet.identity.state.takesNoQuestion = undefined;
    }
    expect((await till()).status).toBe("OPEN");
    await cashIn("1");
    expect(await close({ counted: "201" })).toMatchObject({ status: "CLOSED", differenceMinor: 0n });
  });

  test("is closed by a new count where the ledger does not book what was approved", async () => {
    const { close, till, inLedger, customer } = await desk();
    const requested = { ...key(), counted: "0", reason: "Robbed" };
    const asked = await close(requested);
    wallet.ledger.close(customer.tenantId, "cash_difference:USD");
    await wallet.decide(asked.approvalId);
    await eventually("the till to be open", async () => (await till()).status === "OPEN");
    expect(await close(requested)).toMatchObject({ approvalId: asked.approvalId });
    expect([(await till()).status, inLedger()]).toEqual(["OPEN", 200_00n]);
    wallet.ledger.reopen(customer.tenantId, "cash_difference:USD");
    expect(await close({ counted: "200" })).toMatchObject({ status: "CLOSED", differenceMinor: 0n });
    expect(inLedger()).toBe(0n);
  });

  test.each(["killed", "without identity"])(
    "is open again where its asker is %s and does not come again",
    async (how) => {
      const { close, till, cashIn, customer, counts } = await desk();
      const requested = { ...key(), counted: "0", reason: "Robbed" };
      if (how === "killed") wallet.crashAt("wallet.till-closing.kept");
      else wallet.identity.state.takesNoQuestion = "UNAVAILABLE";
      try {
        await refusalOf(close(requested));
      } finally {
        wallet.identity.state.takesNoQuestion = undefined;
      }
      expect((await till()).status).toBe("WAITING");
      await wallet.rowsAreDue(customer.tenantId, "forget-unasked-closing");
      await eventually("the till to be open", async () => (await till()).status === "OPEN");
      await expect(close(requested)).rejects.toEqual(refused("STATE_CONFLICT"));
      await cashIn("1");
      expect(await close({ counted: "201" })).toMatchObject({ status: "CLOSED", differenceMinor: 0n });
      expect((await counts()).map(({ differenceMinor }) => differenceMinor)).toEqual([0n, -200_00n]);
    },
  );

  test("waits as long as it takes where its asker came again", async () => {
    const { close, till, customer } = await desk();
    const requested = { ...key(), counted: "0", reason: "Robbed" };
    wallet.crashAt("wallet.till-closing.kept");
    await refusalOf(close(requested));
    const { approvalId } = await close(requested);
    await wallet.rowsAreDue(customer.tenantId, "forget-unasked-closing");
    expect((await till()).status).toBe("WAITING");
    await wallet.decide(approvalId);
    await eventually("the till to be closed", async () => (await till()).status === "CLOSED");
  });

  test("and cash that comes in at once: either it is closed without it, or it stays open with it", async () => {
    const { close, cashIn, till, inLedger } = await desk();
    const [closing, coming] = await Promise.allSettled([close({ counted: "200" }), cashIn("5")]);
    const { status } = await till();
    expect(status).toBe(closing.status === "fulfilled" ? "CLOSED" : "OPEN");
    const came = coming.status === "fulfilled" ? 5_00n : 0n;
    expect(inLedger()).toBe(status === "CLOSED" ? 0n : 200_00n + came);
    expect(status === "CLOSED" && came > 0n).toBe(false);
  });
});

describe("a till that its holder closes no more", () => {
  /** The desk's till, counted by a manager. */
  async function away() {
    const scene = await desk({ isBlind: true });
    const { tillId, manager } = scene;
    return {
      ...scene,
      closeFor: (part: object = {}, by: Person = manager) =>
        wallet.gateway
          .closeTill({ ...key(), tillId, counted: "200", reason: "The holder has left", ...part }, wallet.calls(by))
          .then(({ till }) => till!),
    };
  }

  test("is counted by a manager, and closed once a second one agrees, who is not the holder: without a difference too", async () => {
    const { closeFor, manager, cashier, tillId, till, inLedger, counts, lines, cashIn } = await away();
    const mine = key();
    const waiting = await closeFor(mine);
    expect(waiting).toMatchObject({ status: "WAITING", differenceMinor: 0n, cashierId: cashier.userId });
    expect(await closeFor(mine)).toEqual(waiting);
    const question = wallet.identity.state.approvals.find(({ approval }) => approval.approvalId === waiting.approvalId);
    // No amount: none is so small that the asker alone is enough.
    expect(question).toMatchObject({
      concernedUserId: cashier.userId,
      approval: { kind: "TILL_CLOSING", askedBy: manager.userId, amount: undefined },
    });
    await expect(cashIn("1")).rejects.toEqual(refused("TILL_NOT_OPEN"));
    await expect(closeFor()).rejects.toEqual(refused("TILL_NOT_OPEN"));
    expect(inLedger()).toBe(200_00n);
    await wallet.decide(waiting.approvalId);
    await eventually("the till to be closed", async () => (await till()).status === "CLOSED");
    expect(await closeFor(mine)).toEqual(waiting);
    expect(inLedger()).toBe(0n);
    expect(await counts()).toMatchObject([{ countedBy: manager.userId, closing: true, reason: "The holder has left" }]);
    expect((await lines()).lines.at(-1)).toMatchObject({ kind: "CLOSING", movedBy: manager.userId });
    const next = await wallet.gateway.openTill({ ...key(), currency: "USD" }, wallet.calls(cashier));
    expect(next.till?.tillId).not.toBe(tillId);
  });

  test("short of more than its holder may be, it is not in the sum of what they were short of alone", async () => {
    const { closeFor, till, reopen, customer } = await away();
    const { approvalId } = await closeFor({ counted: "50", reason: "Robbed" });
    await wallet.decide(approvalId);
    await eventually("the till to be closed", async () => (await till()).status === "CLOSED");
    expect(wallet.ledger.balance(customer.tenantId, "cash_difference:USD")).toBe(-150_00n);
    expect(await (await reopen()).close({ counted: "100", reason: "A hundred missing" })).toMatchObject({
      status: "CLOSED",
    });
  });

  test("is open again where nobody agrees, and its holder closes it, who was shown nothing by another's count", async () => {
    const { closeFor, close, till, lines, cashier } = await away();
    const hidden = { expectedMinor: undefined, differenceMinor: undefined, countedMinor: undefined };
    const { approvalId } = await closeFor();
    expect(await till(cashier)).toMatchObject({ status: "WAITING", ...hidden });
    await wallet.decide(approvalId, "REFUSED");
    expect(await till(cashier)).toMatchObject({ status: "OPEN", ...hidden });
    expect((await lines(cashier)).lines.every(({ balanceMinor }) => balanceMinor === undefined)).toBe(true);
    expect(await close({ counted: "200" })).toMatchObject({ status: "CLOSED" });
  });

  test("is a manager's of the organisation to close, with a reason, while no cash moves", async () => {
    const { closeFor, tillId, customer, cashier, till } = await away();
    expect(await refusalOf(closeFor({ reason: "" }))).toMatchObject({
      code: "INVALID_INPUT",
      details: { errors: [{ path: "reason" }] },
    });
    await expect(closeFor({}, wallet.person(undefined, "MANAGER"))).rejects.toEqual(refused("NOT_FOUND"));
    await expect(closeFor({}, wallet.person(customer.tenantId, "CASHIER"))).rejects.toEqual(refused("FORBIDDEN"));
    await expect(closeFor({ counted: "92233720368547758.08" })).rejects.toEqual(refused("AMOUNT_TOO_LARGE"));
    const colleague = wallet.person(customer.tenantId, "CASHIER");
    await wallet.gateway.openTill({ ...key(), currency: "USD" }, wallet.calls(colleague));
    const offer = { ...key(), tillId, receiverId: colleague.userId, counted: "50" };
    const { handOver } = await wallet.gateway.offerCash(offer, wallet.calls(cashier));
    await expect(closeFor()).rejects.toEqual(refused("STATE_CONFLICT"));
    const ended = { ...key(), handOverId: handOver!.handOverId };
    const manager = wallet.person(customer.tenantId, "MANAGER");
    expect((await wallet.gateway.endHandOver(ended, wallet.calls(manager))).handOver).toMatchObject({
      status: "WITHDRAWN",
      endedBy: manager.userId,
    });
    const { approvalId } = await closeFor();
    await wallet.decide(approvalId);
    await eventually("the till to be closed", async () => {
      const { tills } = await wallet.gateway.listTills({}, wallet.calls(manager));
      return tills.find((one) => one.tillId === tillId)?.status === "CLOSED";
    });
    expect(await till()).toMatchObject({ cashierId: colleague.userId, status: "OPEN" });
  });
});
