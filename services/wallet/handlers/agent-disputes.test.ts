import { randomUUID } from "node:crypto";
import { createSettledAgents, currency, type SettledAgents } from "../../../test/support/settled-agent.js";
import { eventually } from "../../../test/support/wallet-fixture.js";

let world: SettledAgents;
beforeAll(async () => {
  world = await createSettledAgents("disputed", { recoverAfterMs: 150 });
});
afterEach(() => world.crashAt(undefined));
afterAll(() => world.closeAll());

jest.setTimeout(60_000);

type Agent = Awaited<ReturnType<SettledAgents["agent"]>>;
const key = () => ({ idempotencyKey: randomUUID() });

async function closed(agent: Agent, from: string, to: string) {
  const { settlementId } = await agent.open(from, to);
  await agent.close(settlementId);
  return agent.until(settlementId, "CLOSED");
}

/** The agent says that lines are wrong, and a manager leaves them to the next settlement. */
async function moveOn({ agent, by }: Agent, settlementId: string, ...lineIds: string[]) {
  const asked = { settlementId, reason: "Not this week's" };
  await world.gateway.disputeAgentSettlement({ ...key(), ...asked }, by(agent));
  await world.gateway.endAgentSettlementDispute({ ...key(), ...asked, lineIds }, by());
}

async function paid(agent: Agent, settlementId: string, bankAmount: string) {
  await agent.approve(settlementId);
  await agent.pay(settlementId, bankAmount);
  return agent.until(settlementId, "PAID");
}

const idsOf = (lines: readonly { lineId: string }[]) => lines.map(({ lineId }) => lineId);

test("of two disputes of a settlement each has its lines settled once, by the one that follows it", async () => {
  const agent = await world.agent();
  const first = world.today();
  const large = await agent.moved("PICKUP", "UNSETTLED", 1_250_00n);
  const small = await agent.moved("PICKUP", "UNSETTLED", 100_00n);
  const second = world.nextDay();
  const { settlementId } = await closed(agent, first, second);
  await moveOn(agent, settlementId, large.lineId);
  const third = world.nextDay();
  const next = await closed(agent, second, third);
  expect(idsOf(next.carried)).toEqual([large.lineId]);
  expect((await paid(agent, next.settlementId, "1250.00")).dues?.owesMinor).toBe(-1_250_00n);
  await moveOn(agent, settlementId, small.lineId);
  const fourth = world.nextDay();
  const last = await closed(agent, third, fourth);
  expect(idsOf(last.carried)).toEqual([small.lineId]);
  expect((await paid(agent, last.settlementId, "100.00")).dues?.owesMinor).toBe(-100_00n);
  expect((await paid(agent, settlementId, "0.00")).dues?.owesMinor).toBe(0n);
  expect(await agent.balances()).toEqual([0n, 0n, 0n]);
  expect(await agent.sums()).toEqual([0n, 0n, 0n]);
  expect((await closed(agent, fourth, world.nextDay())).carried).toEqual([]);
});

test("what it waits for while it closes counts as no failure, however often it looks", async () => {
  const agent = await world.agent();
  const from = world.today();
  const late = await agent.moved("SALE", "ACCOUNT", -50_00n, { isKept: false });
  const { settlementId } = await agent.open(from, world.nextDay());
  await agent.close(settlementId);
  const settlements = world.database.db.collection("agent_settlements");
  const own = { _id: settlementId as never, tenantId: agent.tenantId };
  for (const look of ["first", "second", "third"]) {
    await eventually(
      `the ${look} look to say what is missing`,
      async () => (await settlements.findOne(own))?.["waitsFor"],
    );
    await settlements.updateOne(own, { $unset: { waitsFor: true } });
  }
  // Each look but the last is surely over.
  const row = await world.database.db
    .collection("outbox")
    .findOne({ tenantId: agent.tenantId, aggregate: `agent-settlement:${settlementId}` });
  expect(row).toMatchObject({ state: "DUE", kind: "close-agent-settlement" });
  expect(row).not.toHaveProperty("lastError");
  expect(row!["attempts"]).toBeLessThanOrEqual(1);
  await agent.keep([late]);
  await agent.until(settlementId, "CLOSED");
});

test("lines that were added up are not added up again at each look, and are once one more comes", async () => {
  const agent = await world.agent();
  const from = world.today();
  await agent.moved("SALE", "ACCOUNT", -10_00n);
  const late = await agent.moved("SALE", "ACCOUNT", -50_00n, { isKept: false });
  const { settlementId } = await agent.open(from, world.nextDay());
  await agent.close(settlementId);
  const settlements = world.database.db.collection("agent_settlements");
  const own = { _id: settlementId as never, tenantId: agent.tenantId };
  const point = "wallet.agent-settlement.counted";
  for (const look of ["first", "second", "third"]) {
    await eventually(
      `the ${look} look to say what is missing`,
      async () => (await settlements.findOne(own))?.["waitsFor"],
    );
    if (look === "first") world.crashAt(point);
    await settlements.updateOne(own, { $unset: { waitsFor: true } });
  }
  expect(world.crashedAt(point)).toBe(false);
  await agent.keep([late]);
  expect(await agent.until(settlementId, "CLOSED")).toMatchObject({ statement: { lineCount: 2 } });
  expect(world.crashedAt(point)).toBe(true);
});

test("two lines that are missing are waited for, also where one takes what the other brings", async () => {
  const agent = await world.agent();
  const from = world.today();
  const out = await agent.moved("TRANSFER_OUT", "ACCOUNT", -50_00n, { isKept: false });
  const back = await agent.moved("TRANSFER_IN", "ACCOUNT", 50_00n, { isKept: false });
  const second = world.nextDay();
  const { settlementId } = await agent.open(from, second);
  await agent.close(settlementId);
  const waiting = await eventually("it to say what is missing", async () => {
    const now = await agent.read(settlementId);
    return now.waitsFor === "" && now.status === "CLOSING" ? undefined : now;
  });
  expect(waiting).toMatchObject({ status: "CLOSING", waitsFor: "ACCOUNT: lines bring in 0, ledger 5000" });
  await agent.keep([out, back]);
  expect(await agent.until(settlementId, "CLOSED")).toMatchObject({ statement: { lineCount: 2 } });
  await agent.moved("TRANSFER_IN", "ACCOUNT", 7_00n);
  expect((await closed(agent, second, world.nextDay())).statement).toMatchObject({ lineCount: 1 });
});

describe("the alarm of an account", () => {
  async function alarmed() {
    const agent = await world.agent();
    const terms = [{ currency, creditLineMinor: 1_000_00n, alarmShare: 50 }];
    const asked = { ...key(), agentId: agent.agentId, mode: "ACCOUNT", terms, reason: "Signed anew" };
    await world.decide((await world.gateway.putAgentConfiguration(asked, agent.by())).approvalId);
    const subject = `${agent.agentId}:${currency}`;
    return {
      ...agent,
      told: () => world.events.typesOf(subject),
      isLow: async () => (await agent.own.findAgentBalance({ agentId: agent.agentId, currency })).isLow === true,
    };
  }

  test("is told by what a settlement takes, and is over by what it brings", async () => {
    const agent = await alarmed();
    const first = world.today();
    await agent.moved("CLAW_BACK", "COMMISSION", -600_00n);
    const second = world.nextDay();
    await paid(agent, (await closed(agent, first, second)).settlementId, "0.00");
    expect(await agent.isLow()).toBe(true);
    await eventually("the alarm", () => agent.told().length || undefined);
    await agent.moved("PICKUP", "UNSETTLED", 600_00n);
    await paid(agent, (await closed(agent, second, world.nextDay())).settlementId, "0.00");
    expect(await agent.balances()).toEqual([0n, 0n, 0n]);
    expect(await agent.isLow()).toBe(false);
    expect(agent.told()).toEqual(["agent.float_low"]);
  });

  test("is not told of what comes in and goes out to the bank with one settlement", async () => {
    const agent = await alarmed();
    const from = world.today();
    await agent.moved("PICKUP", "UNSETTLED", 5_000_00n);
    await paid(agent, (await closed(agent, from, world.nextDay())).settlementId, "5000.00");
    expect(await agent.own.findAgentBalance({ agentId: agent.agentId, currency })).toMatchObject({
      bookedMinor: 0n,
      freeMinor: 0n,
      floatMinor: 0n,
    });
    expect(await agent.isLow()).toBe(false);
  });
});

describe("a key", () => {
  const long = (end: string) => "k".repeat(254) + end;

  test("is another one for each operation on a settlement, and is used to its last letter", async () => {
    const agent = await world.agent();
    const from = world.today();
    await agent.moved("SALE", "ACCOUNT", -50_00n);
    const { settlementId } = await closed(agent, from, world.nextDay());
    const ask = (end: string) => ({ idempotencyKey: long(end), settlementId, reason: "As counted" });
    const approve = async (end: string) =>
      (await world.gateway.approveAgentSettlement(ask(end), agent.by())).approvalId;
    const pay = async (end: string) => {
      const wired = { bankAmount: "50.00", reference: "W-1" };
      return (await world.gateway.payAgentSettlement({ ...ask(end), ...wired }, agent.by())).approvalId;
    };
    const approval = await approve("a");
    expect(await approve("a")).toBe(approval);
    const other = await approve("b");
    expect(other).not.toBe(approval);
    await world.decide(approval);
    const payment = await pay("a");
    expect([approval, other]).not.toContain(payment);
    expect(await pay("a")).toBe(payment);
    expect(await pay("b")).not.toBe(payment);
    await world.decide(payment);
    await agent.until(settlementId, "PAID");
  });

  test("is another one for how an agent sells, and that they sell again", async () => {
    const { agentId, by } = await world.agent();
    const ask = (end: string) => ({ idempotencyKey: long(end), agentId, reason: "Short" });
    const put = async (end: string) =>
      (await world.gateway.putAgentConfiguration({ ...ask(end), mode: "TILL", terms: [{ currency }] }, by()))
        .approvalId;
    const again = async (end: string) => (await world.gateway.reactivateAgent(ask(end), by())).approvalId;
    const configuration = await put("a");
    expect(await put("b")).not.toBe(configuration);
    await world.gateway.suspendAgent(ask("a"), by());
    const reactivation = await again("a");
    expect(reactivation).not.toBe(configuration);
    expect(await again("a")).toBe(reactivation);
    expect(await again("b")).not.toBe(reactivation);
  });
});
