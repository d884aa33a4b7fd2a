import { randomUUID } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import { commandsOf } from "../../../test/support/commands.js";
import { createCounter } from "../../../test/support/counter.js";
import {
  createWalletFixture,
  eventually,
  refusalOf,
  type WalletFixture,
} from "../../../test/support/wallet-fixture.js";

let wallet: WalletFixture;
beforeAll(async () => {
  wallet = await createWalletFixture("wallet_agent_sales", { recoverAfterMs: 150 });
});
afterEach(() => {
  wallet.faults.clear();
  wallet.identity.state.managedPageSize = 1_000;
  wallet.crashAt(undefined);
});
afterAll(() => wallet.close());

const key = () => ({ idempotencyKey: randomUUID() });
const refused = (code: string) => expect.objectContaining({ code });

/** An agent with an open till who may sell what is said of them, transfers of 102.69. */
async function agentDesk(terms: object = {}, part: object = {}) {
  const counter = await createCounter(wallet, { role: "AGENT", float: "0" });
  const { tenantId, sender, customerId, own } = counter;
  const agentId = own.by.userId;
  const manager = wallet.person(tenantId, "MANAGER");
  wallet.identity.sellingAgents.add(tenantId);
  wallet.identity.customers.set(customerId, { tenantId, userId: sender.userId, agentId });
  async function configure(set: object = {}, more: object = {}) {
    const { approvalId } = await wallet.gateway.putAgentConfiguration(
      { ...key(), agentId, mode: "TILL", terms: [{ currency: "USD", ...set }], reason: "Signed", ...more },
      wallet.calls(manager),
    );
    await wallet.decide(approvalId);
  }
  await configure(terms, part);
  return {
    ...counter,
    configure,
    /** Another transfer, sold. */
    sellOne: () => counter.sell("102.69", own, randomUUID(), wallet.transaction(sender).id),
    /** By currency, what sales take of the day. */
    async usedToday() {
      const { agent } = await wallet.gateway.getAgentConfiguration({ agentId }, wallet.calls(own.by));
      return agent!.terms.map(({ usedTodayMinor }) => usedTodayMinor);
    },
    suspend: () => wallet.gateway.suspendAgent({ ...key(), agentId, reason: "Short" }, wallet.calls(manager)),
    async reactivate() {
      const asked = { ...key(), agentId, reason: "Counted" };
      await wallet.decide((await wallet.gateway.reactivateAgent(asked, wallet.calls(manager))).approvalId);
    },
  };
}

test("an agent sells within what is set of them", async () => {
  const { sell, inTill, usedToday } = await agentDesk(
    { perTransactionMinor: 102_69n, perDayMinor: 102_69n },
    { corridors: ["USA-NGA"], methods: ["CASH_PICKUP"] },
  );
  expect((await sell()).payment).toMatchObject({ status: "SUCCESS" });
  expect([inTill(), await usedToday()]).toEqual([102_69n, [102_69n]]);
});

test.each<[string, object, object, object]>([
  ["a corridor", {}, { corridors: ["GBR-NGA"] }, { corridor: "USA-NGA" }],
  ["a method", {}, { methods: ["WALLET"] }, { method: "CASH_PICKUP" }],
  ["a currency", {}, { terms: [{ currency: "NGN" }] }, { currency: "USD" }],
  ["an amount", { perTransactionMinor: 102_68n }, {}, { limit: "102.68", currency: "USD" }],
])("%s that is not theirs is refused before anything moves", async (_what, terms, part, figures) => {
  const { sell, inTill, tillNow, transaction } = await agentDesk(terms, part);
  expect(await refusalOf(sell())).toMatchObject({ code: "AGENT_LIMIT", details: { figures } });
  expect([inTill(), transaction.status, (await tillNow()).moving]).toEqual([0n, "AWAITING_PAYMENT", 0]);
});

test.each<[string, string, object, object]>([
  ["a corridor", "AGENT_LIMIT", {}, { corridors: ["GBR-NGA"] }],
  ["a method", "AGENT_LIMIT", {}, { methods: ["WALLET"] }],
  ["a currency", "AGENT_LIMIT", {}, { terms: [{ currency: "NGN" }] }],
  ["an amount", "AGENT_LIMIT", { perTransactionMinor: 102_68n }, {}],
  ["a day's amount", "DAILY_LIMIT_EXCEEDED", { perDayMinor: 102_68n }, {}],
  ["a mode", "STATE_CONFLICT", {}, { mode: "ACCOUNT" }],
])("%s that is set between the look and the sale binds the sale", async (_what, code, terms, part) => {
  const { sell, own, configure, inTill, tillNow, transaction, usedToday } = await agentDesk();
  wallet.faults.during("checkMoves", () => configure(terms, part));
  const mine = randomUUID();
  await expect(sell("102.69", own, mine)).rejects.toEqual(refused("STATE_CONFLICT"));
  // What was refused of the moment is not kept: the same key is held against what is set now.
  await expect(sell("102.69", own, mine)).rejects.toEqual(refused(code));
  expect([inTill(), transaction.status, (await tillNow()).moving]).toEqual([0n, "AWAITING_PAYMENT", 0]);
  expect((await usedToday()).filter((used) => used !== undefined && used > 0n)).toEqual([]);
  await configure();
  expect((await sell("102.69", own, randomUUID())).payment).toMatchObject({ status: "SUCCESS" });
});

test("a first configuration that is set between the look and the sale binds it too", async () => {
  const { sell, own, configure, stored, tenantId } = await agentDesk();
  await wallet.database.db.collection("agents").deleteMany({ tenantId });
  wallet.faults.during("checkMoves", () => configure({ perTransactionMinor: 1n }));
  const mine = randomUUID();
  await expect(sell("102.69", own, mine)).rejects.toEqual(refused("STATE_CONFLICT"));
  await expect(sell("102.69", own, mine)).rejects.toEqual(refused("AGENT_LIMIT"));
  expect(await stored("payments")).toEqual([]);
});

test("of many sales at once no more are sold than a business day allows", async () => {
  const { sellOne, inTill, tillNow, usedToday } = await agentDesk({ perDayMinor: 400_00n });
  expect(await usedToday()).toEqual([0n]);
  const all = await Promise.allSettled(Array.from({ length: 20 }, sellOne));
  expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  for (const one of all) if (one.status === "rejected") expect(one.reason).toEqual(refused("DAILY_LIMIT_EXCEEDED"));
  expect([inTill(), (await tillNow()).moving]).toEqual([308_07n, 0]);
  expect(await usedToday()).toEqual([308_07n]);
});

test("what a sale that failed has taken of the day is given back", async () => {
  const { sell, sellOne, transaction } = await agentDesk({ perDayMinor: 102_69n });
  transaction.principalMinor += 1n;
  await expect(sell("200")).rejects.toEqual(refused("DAILY_LIMIT_EXCEEDED"));
  transaction.principalMinor -= 1n;
  wallet.crashAt("wallet.payment.recorded");
  await refusalOf(sell());
  transaction.status = "EXPIRED";
  wallet.crashAt(undefined);
  expect((await eventually("the day to be free", () => sellOne().catch(() => undefined))).payment).toMatchObject({
    status: "SUCCESS",
  });
});

test("whoever is suspended sells nothing from then on, and again once it is lifted", async () => {
  const { sellOne, suspend, reactivate, inTill } = await agentDesk();
  await sellOne();
  await suspend();
  await expect(sellOne()).rejects.toEqual(refused("AGENT_SUSPENDED"));
  await reactivate();
  await sellOne();
  expect(inTill()).toBe(205_38n);
});

test("whoever is suspended is handed no cash over, and gives theirs to a colleague", async () => {
  const { tenantId, own, sellOne, suspend, reactivate, inTill } = await agentDesk();
  await sellOne();
  const cashier = wallet.person(tenantId, "CASHIER");
  const at = wallet.calls(cashier);
  const { till } = await wallet.gateway.openTill({ ...key(), currency: "USD", float: "200" }, at);
  const offered = async (tillId: string, receiverId: string, by: typeof cashier) => {
    const offer = { ...key(), tillId, receiverId, counted: "50" };
    return (await wallet.gateway.offerCash(offer, wallet.calls(by))).handOver!.handOverId;
  };
  const accept = (handOverId: string, by: typeof cashier) =>
    wallet.gateway.acceptHandOver({ ...key(), handOverId }, wallet.calls(by));
  await suspend();
  const toAgent = await offered(till!.tillId, own.by.userId, cashier);
  await expect(accept(toAgent, own.by)).rejects.toEqual(refused("AGENT_SUSPENDED"));
  await accept(await offered(own.tillId, cashier.userId, own.by), cashier);
  expect(inTill()).toBe(52_69n);
  await reactivate();
  await accept(toAgent, own.by);
  expect(inTill()).toBe(102_69n);
});

test("whoever is suspended takes and gives no other cash at their till either, and closes it", async () => {
  const { own, suspend, sender, sellOne, sell, comesBack, payables, code, pay } = await agentDesk();
  const { accountId } = await wallet.wallet(sender, "USD", 0n);
  const { by, tillId } = own;
  const cashIn = () =>
    wallet.gateway.cashIn({ ...key(), tillId, accountId, amount: "5", reason: "" } as never, wallet.calls(by));
  await sellOne();
  await sell();
  await comesBack(102_69n);
  const [owed] = await payables(by);
  const right = await code(owed?.payableId ?? "");
  await suspend();
  await expect(cashIn()).rejects.toEqual(refused("AGENT_SUSPENDED"));
  await expect(pay(owed?.payableId ?? "", right)).rejects.toEqual(refused("AGENT_SUSPENDED"));
  const closed = await wallet.gateway.closeTill({ ...key(), tillId, counted: "205.38" }, wallet.calls(by));
  expect(closed.till).toMatchObject({ status: "CLOSED" });
});

test("an agent with a till reads what they have earned and what they sell in", async () => {
  const { own } = await agentDesk();
  const { accounts } = await wallet.gateway.getAgentAccounts({ agentId: own.by.userId }, wallet.calls(own.by));
  expect(accounts).toMatchObject([{ currency: "USD", balanceMinor: 0n, commissionMinor: 0n, creditLineMinor: 0n }]);
});

test("a suspension in the middle of sales: none begins after its answer", async () => {
  const { sellOne, suspend, stored } = await agentDesk();
  const selling = Promise.allSettled(Array.from({ length: 10 }, sellOne));
  await suspend();
  const begun = (await stored("payments")).length;
  await selling;
  await expect(sellOne()).rejects.toEqual(refused("AGENT_SUSPENDED"));
  const ended = await stored("payments", { status: "SUCCESS" });
  expect(ended.length).toBeLessThanOrEqual(begun);
});

test("an agent lists what they may pay: of customers whom they manage, whoever sold it, or of all", async () => {
  const { sell, comesBack, payables, tenantId, customerId, sender, own } = await agentDesk();
  await sell();
  await comesBack(102_69n);
  const other = wallet.person(tenantId, "AGENT");
  const seenBy = async (by: typeof other) => (await payables(by)).map((one) => one.customerId);
  expect([await seenBy(own.by), await seenBy(other)]).toEqual([[customerId], []]);
  // Somebody else manages them by now, who did not sell it.
  wallet.identity.customers.set(customerId, { tenantId, userId: sender.userId, agentId: other.userId });
  expect([await seenBy(own.by), await seenBy(other)]).toEqual([[], [customerId]]);
  const [{ payableId } = { payableId: "" }] = await payables(other);
  const issue = (by: typeof other) => wallet.gateway.issueCounterPayableCode({ payableId }, wallet.calls(by));
  await expect(issue(own.by)).rejects.toEqual(refused("FORBIDDEN"));
  expect((await issue(other)).code).not.toBe("");
  wallet.identity.everybodysAgents.add(tenantId);
  expect([await seenBy(own.by), await seenBy(other)]).toEqual([[customerId], [customerId]]);
});

test("an agent with more customers than a page pages through what they may pay, by so many customers at once", async () => {
  const { sell, comesBack, payables, tenantId, sender, stored, own } = await agentDesk();
  await sell();
  await comesBack(102_69n);
  const [{ _id, ...owed } = { _id: undefined }] = await stored("counter_payables");
  const ids = Array.from({ length: 7 }, () => uuidv7());
  for (const [at, id] of ids.entries()) {
    // Of five customers in turn, two of whom another agent manages.
    const customerId = `${tenantId} ${at % 5}`;
    const agentId = at % 5 < 3 ? own.by.userId : randomUUID();
    wallet.identity.customers.set(customerId, { tenantId, userId: sender.userId, agentId });
    await wallet.database.db.collection("counter_payables").insertOne({ ...owed, _id: id as never, customerId });
  }
  wallet.identity.state.managedPageSize = 2;
  const mine = [...[6, 5, 2, 1, 0].map((at) => ids[at]), _id];
  const read = async (cursor: string) => {
    const listed = () => wallet.gateway.listCounterPayables({ pageSize: 4, cursor }, wallet.calls(own.by));
    const { result, commands } = await commandsOf(wallet.database.db, tenantId, listed);
    // Four customers in two pages.
    expect(commands.filter((one) => one === "find counter_payables")).toHaveLength(2);
    return result;
  };
  const first = await read("");
  const second = await read(first.nextCursor);
  expect([...first.payables, ...second.payables].map(({ payableId }) => payableId)).toEqual(mine);
  expect([first.payables.length, second.nextCursor]).toEqual([4, ""]);
  expect(await payables(own.by)).toHaveLength(6);
});
