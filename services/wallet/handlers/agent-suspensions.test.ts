import { randomUUID } from "node:crypto";
import { createCounter } from "../../../test/support/counter.js";
import { createWalletFixture, type Person, type WalletFixture } from "../../../test/support/wallet-fixture.js";

let wallet: WalletFixture;
beforeAll(async () => {
  wallet = await createWalletFixture("wallet_agent_suspensions", { recoverAfterMs: 150 });
});
afterAll(() => wallet.close());

const key = () => ({ idempotencyKey: randomUUID() });
const refused = (code: string) => expect.objectContaining({ code });

/** Somebody with an open till and a transfer to sell, of whom nothing is set as an agent. */
async function desk(role: "AGENT" | "CASHIER" = "AGENT") {
  const counter = await createCounter(wallet, { role, float: "0" });
  const { tenantId, sender, customerId, own } = counter;
  const agentId = own.by.userId;
  const manager = wallet.person(tenantId, "MANAGER");
  wallet.identity.sellingAgents.add(tenantId);
  wallet.identity.customers.set(customerId, { tenantId, userId: sender.userId, agentId });
  const byManager = wallet.calls(manager);
  return {
    ...counter,
    agentId,
    manager,
    sellOne: (by: Person = own.by) =>
      counter.sell("102.69", { ...own, by }, randomUUID(), wallet.transaction(sender).id),
    async cashIn(by: Person) {
      const { accountId } = await wallet.wallet(wallet.person(tenantId), "USD");
      wallet.identity.everybodysAgents.add(tenantId);
      const asked = { ...key(), tillId: own.tillId, accountId, amount: "5" };
      return wallet.gateway.cashIn(asked, wallet.calls(by));
    },
    open: (by: Person, currency = "NGN", part: object = key()) =>
      wallet.gateway.openTill({ ...key(), currency, ...part }, wallet.calls(by)),
    suspend: (part: object = {}) =>
      wallet.gateway.suspendAgent({ ...key(), agentId, reason: "Till is short", ...part }, byManager),
    reactivate: (asked = { ...key(), agentId, reason: "Counted" }) => wallet.gateway.reactivateAgent(asked, byManager),
    read: () => wallet.gateway.getAgentConfiguration({ agentId }, byManager).then(({ agent }) => agent!),
    listed: async () => {
      const { agents } = await wallet.gateway.listAgentConfigurations({}, byManager);
      return agents.map((agent) => [agent.agentId, agent.status]);
    },
    put: () =>
      wallet.gateway.putAgentConfiguration(
        { ...key(), agentId, mode: "TILL", terms: [{ currency: "USD" }], reason: "Signed" },
        byManager,
      ),
  };
}

describe("an agent for whom nothing is set", () => {
  test("is suspended at once by one manager, shown as such, and sells again once two have lifted it", async () => {
    const { sellOne, suspend, reactivate, read, listed, open, own, agentId, inTill, cashIn } = await desk();
    await sellOne();
    expect(await listed()).toEqual([]);
    await expect(reactivate()).rejects.toEqual(refused("NOT_FOUND"));
    const mine = key();
    const suspended = await suspend(mine);
    expect(suspended.agent).toMatchObject({ agentId, status: "SUSPENDED", version: 1, terms: [] });
    expect(await suspend(mine)).toEqual(suspended);
    await expect(suspend()).rejects.toEqual(refused("STATE_CONFLICT"));
    for (const tried of [sellOne(), open(own.by), cashIn(own.by)]) {
      await expect(tried).rejects.toEqual(refused("AGENT_SUSPENDED"));
    }
    expect([(await read()).status, await listed()]).toEqual(["SUSPENDED", [[agentId, "SUSPENDED"]]]);
    const [one, other] = [await reactivate(), await reactivate()];
    await wallet.decide(one.approvalId);
    await expect(read()).rejects.toEqual(refused("NOT_FOUND"));
    expect(await listed()).toEqual([]);
    await sellOne();
    await open(own.by);
    expect(inTill()).toBe(205_38n);
    // What was asked about the first suspension lifts no later one.
    expect((await suspend()).agent).toMatchObject({ version: 3 });
    await wallet.decide(other.approvalId);
    await expect(sellOne()).rejects.toEqual(refused("AGENT_SUSPENDED"));
  });

  test("stays suspended where how they sell is set meanwhile, and is then held to it", async () => {
    const { put, suspend, read, reactivate, sellOne } = await desk();
    const before = await put();
    await suspend();
    await wallet.decide(before.approvalId);
    expect(await read()).toMatchObject({ version: 1, terms: [] });
    const asked = await put();
    const question = wallet.identity.state.approvals.find(({ approval }) => approval.approvalId === asked.approvalId);
    expect(question?.approval.changes).toContainEqual(expect.objectContaining({ field: "mode", before: "" }));
    await wallet.decide(asked.approvalId);
    expect(await read()).toMatchObject({ version: 2, status: "SUSPENDED", terms: [{ currency: "USD" }] });
    await wallet.decide((await reactivate()).approvalId);
    expect(await read()).toMatchObject({ version: 3, status: "ACTIVE" });
    await sellOne();
  });

  test("in the middle of sales, also of their first: none begins after the answer", async () => {
    const { sellOne, suspend, stored } = await desk();
    const selling = Promise.allSettled(Array.from({ length: 8 }, () => sellOne()));
    await suspend();
    const begun = (await stored("payments")).length;
    await selling;
    await expect(sellOne()).rejects.toEqual(refused("AGENT_SUSPENDED"));
    expect((await stored("payments", { status: "SUCCESS" })).length).toBeLessThanOrEqual(begun);
  });

  test("sells many at once, the first of all too", async () => {
    const { sellOne, inTill } = await desk();
    await Promise.all(Array.from({ length: 8 }, () => sellOne()));
    expect(inTill()).toBe(8n * 102_69n);
  });

  test("is one by their role, disabled or not; nobody else is suspended", async () => {
    const { suspend, tenantId, agentId } = await desk();
    for (const { userId } of [wallet.person(tenantId, "CASHIER"), wallet.person(undefined, "AGENT")]) {
      await expect(suspend({ agentId: userId })).rejects.toEqual(refused("NOT_FOUND"));
    }
    wallet.identity.staff.set(agentId, { tenantId, role: "AGENT", disabled: true });
    expect((await suspend()).agent).toMatchObject({ status: "SUSPENDED" });
  });
});

test("a till that is opened and a suspension at once: none is open that was opened after the answer", async () => {
  const { tenantId, suspend } = await desk();
  const agents = Array.from({ length: 6 }, () => wallet.person(tenantId, "AGENT"));
  for (const by of agents) {
    const opening = wallet.gateway.openTill({ ...key(), currency: "USD" }, wallet.calls(by)).catch(() => undefined);
    await suspend({ agentId: by.userId });
    const began = await wallet.database.db.collection("tills").countDocuments({ tenantId, cashierId: by.userId });
    await opening;
    const at = await wallet.database.db.collection("tills").countDocuments({ tenantId, cashierId: by.userId });
    expect(at).toBe(began);
  }
});

test("a till that was opened is answered under its key again once its agent is suspended", async () => {
  const { open, own, suspend } = await desk();
  const mine = key();
  const opened = await open(own.by, "NGN", mine);
  await suspend();
  expect(await open(own.by, "NGN", mine)).toEqual(opened);
});

describe("whose role was changed while their till is open", () => {
  test("is held to what holds for agents as soon as they are one", async () => {
    const { own, sellOne, suspend, cashIn, inTill } = await desk("CASHIER");
    await sellOne();
    const by = wallet.inRole(own.by, "AGENT");
    await sellOne(by);
    await suspend();
    await expect(sellOne(by)).rejects.toEqual(refused("AGENT_SUSPENDED"));
    await expect(cashIn(by)).rejects.toEqual(refused("AGENT_SUSPENDED"));
    expect(inTill()).toBe(205_38n);
  });

  test("is not any more once they are none", async () => {
    const { own, sellOne, suspend, cashIn, inTill } = await desk();
    await suspend();
    const by = wallet.inRole(own.by, "CASHIER");
    await sellOne(by);
    await cashIn(by);
    expect(inTill()).toBe(107_69n);
  });
});
