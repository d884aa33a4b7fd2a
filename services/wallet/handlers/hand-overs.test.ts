import { randomUUID } from "node:crypto";
import {
  createWalletFixture,
  eventually,
  refusalOf,
  type Person,
  type WalletFixture,
} from "../../../test/support/wallet-fixture.js";
import { testTenant } from "../../../test/support/index.js";

let wallet: WalletFixture;
beforeAll(async () => {
  wallet = await createWalletFixture("wallet_hand_overs", { recoverAfterMs: 150 });
});
afterEach(() => wallet.crashAt(undefined));
afterAll(() => wallet.close());

const key = () => ({ idempotencyKey: randomUUID() });
const refused = (code: string) => expect.objectContaining({ code });

/** Two cashiers with a till of 200.00 USD each. */
async function desks() {
  const tenantId = testTenant();
  const [giver, receiver] = [wallet.person(tenantId, "CASHIER"), wallet.person(tenantId, "CASHIER")];
  const manager = wallet.person(tenantId, "MANAGER");
  const open = async (by: Person) =>
    (await wallet.gateway.openTill({ ...key(), currency: "USD", float: "200" }, wallet.calls(by))).till!.tillId;
  const [from, to] = [await open(giver), await open(receiver)];
  const inLedger = ({ userId }: Person) => -wallet.ledger.balance(tenantId, `cash_till:${userId}:USD`);
  return {
    giver,
    receiver,
    manager,
    offer: (part: object = { counted: "50" }) =>
      wallet.gateway
        .offerCash({ ...key(), tillId: from, receiverId: receiver.userId, ...part }, wallet.calls(giver))
        .then(({ handOver }) => handOver!),
    accept: (handOverId: string, by: Person = receiver, part: object = key()) =>
      wallet.gateway.acceptHandOver({ ...key(), handOverId, ...part }, wallet.calls(by)),
    end: (handOverId: string, by: Person) =>
      wallet.gateway.endHandOver({ ...key(), handOverId }, wallet.calls(by)).then(({ handOver }) => handOver!.status),
    close: (by: Person, tillId: string, counted: string) =>
      wallet.gateway.closeTill({ ...key(), tillId, counted, reason: "As counted" }, wallet.calls(by)),
    from,
    to,
    /** What each till expects, what the ledger has of it, and what its lines come to. */
    async books() {
      const { tills } = await wallet.gateway.listTills({}, wallet.calls(manager));
      const of = async (by: Person, tillId: string) => {
        const { lines } = await wallet.gateway.listTillLines({ tillId, pageSize: 100 }, wallet.calls(manager));
        const expected = tills.find((till) => till.tillId === tillId)?.expectedMinor;
        return [expected, inLedger(by), lines.at(-1)?.balanceMinor];
      };
      return [await of(giver, from), await of(receiver, to)];
    },
  };
}

test("cash is the giver's until it is accepted; then it is in the other till, in one group of the ledger", async () => {
  const { offer, accept, books, manager } = await desks();
  const handOver = await offer({
    denominations: [
      { value: "20", count: 2 },
      { value: "10", count: 1 },
    ],
  });
  expect(handOver).toMatchObject({ status: "OFFERED", amount: { amountMinor: 50_00n, currency: "USD" } });
  expect(await books()).toEqual([
    [150_00n, 200_00n, 200_00n],
    [200_00n, 200_00n, 200_00n],
  ]);
  const mine = key();
  const accepted = await accept(handOver.handOverId, undefined, mine);
  expect(accepted.handOver).toMatchObject({ status: "ACCEPTED" });
  expect(await accept(handOver.handOverId, undefined, mine)).toEqual(accepted);
  expect(await books()).toEqual([
    [150_00n, 150_00n, 150_00n],
    [250_00n, 250_00n, 250_00n],
  ]);
  const { handOvers } = await wallet.gateway.listHandOvers({}, wallet.calls(manager));
  expect(handOvers).toMatchObject([{ status: "ACCEPTED", denominations: [{ count: 2 }, { count: 1 }] }]);
});

test("either side ends it, and it is in the giver's till again", async () => {
  const { offer, end, books, giver, receiver, accept } = await desks();
  for (const [by, status] of [
    [giver, "WITHDRAWN"],
    [receiver, "DECLINED"],
  ] as const) {
    const { handOverId } = await offer();
    expect(await end(handOverId, by)).toBe(status);
    await expect(accept(handOverId)).rejects.toEqual(refused("STATE_CONFLICT"));
    await expect(end(handOverId, by)).rejects.toEqual(refused("STATE_CONFLICT"));
  }
  expect((await books())[0]).toEqual([200_00n, 200_00n, 200_00n]);
});

test("refuses what is not there, not theirs, too much, or for nobody, before anything moves", async () => {
  const { offer, accept, end, giver, manager, books, to, close, receiver } = await desks();
  await expect(offer({ counted: "200.01" })).rejects.toEqual(refused("TILL_SHORT"));
  await expect(offer({ counted: "0" })).rejects.toEqual(refused("AMOUNT_NOT_POSITIVE"));
  expect(await refusalOf(offer({ denominations: [{ value: "3", count: 1 }] }))).toMatchObject({
    details: { errors: [{ path: "denominations.0.value" }] },
  });
  const own = await refusalOf(offer({ counted: "1", receiverId: giver.userId }));
  expect(own).toMatchObject({ details: { errors: [{ path: "receiverId" }] } });
  await expect(offer({ counted: "1", receiverId: manager.userId })).rejects.toEqual(refused("NOT_FOUND"));
  const { handOverId } = await offer();
  const stranger = wallet.person(giver.tenantId, "CASHIER");
  for (const by of [giver, stranger]) await expect(accept(handOverId, by)).rejects.toEqual(refused("FORBIDDEN"));
  await expect(end(handOverId, stranger)).rejects.toEqual(refused("FORBIDDEN"));
  await expect(accept(handOverId, wallet.person(undefined, "CASHIER"))).rejects.toEqual(refused("NOT_FOUND"));
  await close(receiver, to, "200");
  await expect(accept(handOverId)).rejects.toEqual(refused("TILL_NOT_OPEN"));
  expect(await end(handOverId, giver)).toBe("WITHDRAWN");
  expect((await books())[0]).toEqual([200_00n, 200_00n, 200_00n]);
});

describe("whom cash of a till can be offered to", () => {
  const colleaguesOf = (tillId: string, by: Person, more: object = {}) =>
    wallet.gateway.listTillColleagues({ tillId, ...more }, wallet.calls(by));
  const open = (by: Person, currency = "USD") =>
    wallet.gateway.openTill({ ...key(), currency, float: "10" }, wallet.calls(by)).then(({ till }) => till!.tillId);

  test("is whoever has one open in its currency at its branch, by name, and is no suspended agent", async () => {
    const { giver, receiver, manager, from, to, offer, end, close } = await desks();
    const { tenantId } = giver;
    const listed = async (by: Person) => (await colleaguesOf(from, by)).colleagues;
    const theirs = { userId: receiver.userId, name: `Staff ${receiver.userId}`, role: "CASHIER", tillId: to };
    expect(await listed(giver)).toEqual([theirs]);

    await open(receiver, "NGN");
    wallet.remittance.branches.set(`${tenantId} LAG-1`, true);
    const [elsewhere, left, agent] = [
      wallet.person(tenantId, "CASHIER"),
      wallet.person(tenantId, "CASHIER"),
      wallet.person(tenantId, "AGENT"),
    ];
    await wallet.gateway.putBranchAssignment({ userId: elsewhere.userId, branchCode: "LAG-1" }, wallet.calls(manager));
    for (const by of [elsewhere, left, wallet.person(undefined, "CASHIER")]) await open(by);
    wallet.identity.staff.set(left.userId, { tenantId, role: "CASHIER", disabled: true });
    const agents = { ...theirs, userId: agent.userId, name: `Staff ${agent.userId}`, role: "AGENT" };
    agents.tillId = await open(agent);
    expect(await listed(giver)).toEqual([theirs, agents]);
    expect(await listed(manager)).toEqual([theirs, agents]);
    expect(await end((await offer({ counted: "1", receiverId: agent.userId })).handOverId, giver)).toBe("WITHDRAWN");

    const first = await colleaguesOf(from, giver, { pageSize: 1 });
    expect(first).toEqual({ colleagues: [theirs], nextCursor: to });
    // Whoever has left has a till of theirs in between: a page may have fewer, and goes on.
    const rest = await colleaguesOf(from, giver, { pageSize: 2, cursor: to });
    expect(rest).toEqual({ colleagues: [agents], nextCursor: "" });

    await wallet.gateway.suspendAgent({ ...key(), agentId: agent.userId, reason: "Short" }, wallet.calls(manager));
    await close(receiver, to, "200");
    expect(await listed(giver)).toEqual([]);
    wallet.identity.staff.set(agent.userId, { tenantId, role: "MANAGER" });
    expect(await listed(manager)).toEqual([]);
  });

  test("is told to the till's holder and to managers, of tills that are there", async () => {
    const { giver, receiver, from } = await desks();
    for (const by of [receiver, wallet.person(giver.tenantId, "AGENT")]) {
      await expect(colleaguesOf(from, by)).rejects.toEqual(refused("FORBIDDEN"));
    }
    for (const by of [wallet.person(undefined, "CASHIER"), wallet.person(undefined, "MANAGER")]) {
      await expect(colleaguesOf(from, by)).rejects.toEqual(refused("NOT_FOUND"));
    }
    await expect(colleaguesOf(from, wallet.person(giver.tenantId))).rejects.toEqual(refused("FORBIDDEN"));
    await expect(colleaguesOf("", giver)).rejects.toEqual(refused("INVALID_INPUT"));
    for (const pageSize of [-1, 101]) {
      expect(await refusalOf(colleaguesOf(from, giver, { pageSize }))).toMatchObject({
        details: { errors: [{ path: "pageSize" }] },
      });
    }
  });
});

test("two who accept, take back and decline at once: one of them is heard, and no cash is lost", async () => {
  const { offer, accept, end, books, giver, receiver } = await desks();
  const { handOverId } = await offer();
  const all = [accept(handOverId), accept(handOverId), end(handOverId, giver), end(handOverId, receiver)];
  const settled = await Promise.allSettled(all);
  expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const isAccepted = settled.slice(0, 2).some(({ status }) => status === "fulfilled");
  const [left, got] = isAccepted ? [150_00n, 250_00n] : [200_00n, 200_00n];
  expect(await books()).toEqual([
    [left, left, left],
    [got, got, got],
  ]);
});

test("a till that has offered cash is not closed; one that is closed first offers none", async () => {
  const { offer, close, end, giver, from } = await desks();
  const [closing, offering] = await Promise.allSettled([close(giver, from, "200"), offer()]);
  expect([closing, offering].filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  if (offering.status === "rejected") return;
  const { code, message } = await refusalOf(close(giver, from, "150"));
  expect([code, message]).toEqual(["STATE_CONFLICT", expect.stringContaining(offering.value.handOverId)]);
  await end(offering.value.handOverId, giver);
  expect((await close(giver, from, "200")).till).toMatchObject({ status: "CLOSED", differenceMinor: 0n });
});

test.each(["recorded", "posted", "ended"])("cut off at %s it is in one till or the other, once", async (step) => {
  const { offer, accept, books } = await desks();
  const { handOverId } = await offer();
  const mine = key();
  wallet.crashAt(`wallet.movement.${step}`);
  await accept(handOverId, undefined, mine).catch(() => undefined);
  await eventually("the answer", () => accept(handOverId, undefined, mine).catch(() => undefined));
  expect(wallet.crashedAt(`wallet.movement.${step}`)).toBe(true);
  expect(await books()).toEqual([
    [150_00n, 150_00n, 150_00n],
    [250_00n, 250_00n, 250_00n],
  ]);
});
