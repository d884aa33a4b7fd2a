import { randomUUID } from "node:crypto";
import { closeDays } from "../../../test/support/close-days.js";
import { move } from "../../../test/support/payout-ledger.js";
import { on } from "../../../test/support/remittance-calls.js";
import { createSettledAgents, currency, type SettledAgents } from "../../../test/support/settled-agent.js";
import { eventually, refusalOf } from "../../../test/support/wallet-fixture.js";
import { parseDay } from "../../ledger/domain/days.js";

let world: SettledAgents;
beforeAll(async () => {
  world = await createSettledAgents("settled_late", { recoverAfterMs: 150 });
});
afterEach(() => world.crashAt(undefined));
afterAll(() => world.closeAll());

jest.setTimeout(60_000);

type Agent = Awaited<ReturnType<SettledAgents["agent"]>>;

const cancel = ({ by }: Agent, settlementId: string, idempotencyKey: string = randomUUID()) =>
  world.gateway.cancelAgentSettlement({ idempotencyKey, settlementId }, by());

async function waiting(agent: Agent, settlementId: string) {
  return eventually("it to say what is missing", async () => {
    const now = await agent.read(settlementId);
    return now.waitsFor === "" ? undefined : now;
  });
}

test("a pickup that the ledger has for a day behind the closed one is settled there, and its settlement closes", async () => {
  const agent = await world.agent("ACCOUNT");
  const { tenantId, agentId } = agent;
  world.identity.sellingAgents.add(tenantId);
  const [first, handedOutAt] = [world.today(), new Date(Date.now() + world.identity.state.offsetMs)];
  const transactionCode = `MN-${randomUUID()}`;
  const pickup = {
    tenantId,
    amountMinor: 60_00n,
    currency,
    code: "RIGHT",
    wrongTries: 0,
    isBookedLater: true as const,
  };
  world.remittance.pickups.set(transactionCode, pickup);
  const request = { idempotencyKey: randomUUID(), transactionCode, pickupCode: "RIGHT" };
  await world.gateway.payOutAsAgent(request, agent.by(agent.agent));
  const second = world.nextDay();
  // Closed before remittance books what was handed out.
  await closeDays(world.books.database, tenantId, parseDay(first)!);
  const { settlementId } = await agent.open(first, second);
  await agent.close(settlementId);
  expect((await agent.until(settlementId, "CLOSED")).statement?.lineCount).toBe(0);
  const settlement = move(
    `clearing:${transactionCode}`,
    `remittance_clearing:${currency}`,
    `agent_unsettled:${agentId}:${currency}`,
    60_00n,
    currency,
    "settlement",
  );
  const groups = [{ transfers: [{ ...settlement, effectiveAt: handedOutAt }] }];
  const { results } = await world.books.asRemittance.postTransfers({ groups, createdBy: "remittance" }, on(tenantId));
  const [booked] = results[0]?.posted?.transfers ?? [];
  expect([booked?.day, booked?.belongsTo]).toEqual([second, first]);
  const lines = () => agent.own.listAgentLines({ agentId, currency }, undefined, 10);
  const [line] = await eventually("the line to be kept", async () => {
    const kept = await lines();
    return kept.length > 0 ? kept : undefined;
  });
  expect(line).toMatchObject({ kind: "PICKUP", amountMinor: 60_00n, businessDay: second });
  const next = await agent.open(second, world.nextDay());
  await agent.close(next.settlementId);
  const { statement } = await agent.until(next.settlementId, "CLOSED");
  expect(statement).toMatchObject({ lineCount: 1, closing: { unsettledMinor: 60_00n } });
});

describe("a settlement that waits while it closes", () => {
  test("is taken back by a manager: its lines are another's, which closes", async () => {
    const agent = await world.agent();
    const from = world.today();
    await agent.moved("SALE", "ACCOUNT", -10_00n);
    const late = await agent.moved("SALE", "ACCOUNT", -50_00n, { isKept: false });
    const second = world.nextDay();
    const { settlementId } = await agent.open(from, second);
    await agent.close(settlementId);
    await waiting(agent, settlementId);
    const key = randomUUID();
    const { settlement } = await cancel(agent, settlementId, key);
    expect(settlement).toMatchObject({ status: "CANCELLED", number: 0, waitsFor: "" });
    expect((await cancel(agent, settlementId, key)).settlement).toEqual(settlement);
    // Of another day than was thought.
    await agent.keep([{ ...late, businessDay: second }]);
    const wider = await agent.open(from, world.nextDay());
    expect(wider.number).toBe(1);
    await agent.close(wider.settlementId);
    const { statement } = await agent.until(wider.settlementId, "CLOSED");
    expect(statement).toMatchObject({ lineCount: 2, closing: { accountMinor: -60_00n } });
    expect(await refusalOf(cancel(agent, wider.settlementId))).toMatchObject({ code: "STATE_CONFLICT" });
  });

  test("is not taken back while another one stands behind it", async () => {
    const agent = await world.agent();
    const from = world.today();
    await agent.moved("SALE", "ACCOUNT", -50_00n, { isKept: false });
    const second = world.nextDay();
    const { settlementId } = await agent.open(from, second);
    await agent.close(settlementId);
    await waiting(agent, settlementId);
    const behind = await agent.open(second, Temporal.PlainDate.from(second).add({ days: 1 }).toString());
    expect(await refusalOf(cancel(agent, settlementId))).toMatchObject({ code: "STATE_CONFLICT" });
    await cancel(agent, behind.settlementId);
    await cancel(agent, settlementId);
    expect(await agent.read(settlementId)).toMatchObject({ status: "CANCELLED" });
  });

  test("of many lines gives them all back, also where its process dies between two batches", async () => {
    const agent = await world.agent();
    const from = world.today();
    const [sample] = [await agent.moved("COMMISSION", "COMMISSION", 2_345_00n, { isKept: false })];
    const lines = Array.from({ length: 2_345 }, (_, at) => ({
      ...sample!,
      lineId: `commission:${agent.agentId}:${at}`,
      amountMinor: 1_00n,
    }));
    await agent.keep(lines.slice(1));
    const { settlementId } = await agent.open(from, world.nextDay());
    await agent.close(settlementId);
    await waiting(agent, settlementId);
    world.crashAt("wallet.agent-settlement.lines-released");
    await cancel(agent, settlementId);
    const stored = world.database.db.collection("agent_lines");
    const { tenantId } = agent;
    const isOver = async () => (await stored.countDocuments({ tenantId, isOpen: true })) === lines.length - 1;
    await eventually("all lines to be open", isOver);
    expect(world.crashedAt("wallet.agent-settlement.lines-released")).toBe(true);
    expect(await stored.countDocuments({ tenantId, settlementId: { $exists: true } })).toBe(0);
  });

  test("closes or is taken back, never both, where both come at once", async () => {
    const agent = await world.agent();
    const from = world.today();
    await agent.moved("SALE", "ACCOUNT", -10_00n);
    const { settlementId } = await agent.open(from, world.nextDay());
    await agent.close(settlementId);
    const isTakenBack = await cancel(agent, settlementId).then(
      () => true,
      () => false,
    );
    const { status, statement } = await agent.until(settlementId, isTakenBack ? "CANCELLED" : "CLOSED");
    expect([status, statement?.lineCount]).toEqual(isTakenBack ? ["CANCELLED", undefined] : ["CLOSED", 1]);
    const again = isTakenBack ? await agent.open(from, world.today()) : undefined;
    if (again === undefined) return;
    await agent.close(again.settlementId);
    expect((await agent.until(again.settlementId, "CLOSED")).statement?.lineCount).toBe(1);
  });
});
