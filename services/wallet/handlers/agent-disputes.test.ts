import { randomUUID } from "node:crypto";
import { createSettledAgents, type SettledAgents } from "../../../test/support/settled-agent.js";
import { eventually } from "../../../test/support/wallet-fixture.js";

let world: SettledAgents;
beforeAll(async () => {
  world = await createSettledAgents("disputed", { recoverAfterMs: 150 });
});
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
