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

/** Once what a cancelled one had taken is given back. */
const opened = (agent: Agent, from: string, to: string) =>
  eventually("a settlement to be opened", () =>
    agent.open(from, to).catch((error: Error) => {
      if (error.message.startsWith("lines of one that was cancelled")) return undefined;
      throw error;
    }),
  );

async function waiting(agent: Agent, settlementId: string) {
  return eventually("it to say what is missing", async () => {
    const now = await agent.read(settlementId);
    return now.waitsFor === "" ? undefined : now;
  });
}

/** An agent who handed 60.00 out today, which remittance has not booked yet. */
async function handedOut() {
  const agent = await world.agent("ACCOUNT");
  const { tenantId, agentId } = agent;
  world.identity.sellingAgents.add(tenantId);
  const effectiveAt = new Date(Date.now() + world.identity.state.offsetMs);
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
  const payOut = (pickupCode: string) =>
    world.gateway.payOutAsAgent({ idempotencyKey: randomUUID(), transactionCode, pickupCode }, agent.by(agent.agent));
  expect(await refusalOf(payOut("WRONG"))).toMatchObject({ code: "PICKUP_CODE_WRONG" });
  await payOut("RIGHT");
  const unsettled = `agent_unsettled:${agentId}:${currency}`;
  const key = `clearing:${transactionCode}`;
  const clearing = `remittance_clearing:${currency}`;
  return {
    agent,
    transactionCode,
    unsettled,
    /** The day that the ledger counts it for. */
    async book() {
      const transfer = { ...move(key, clearing, unsettled, 60_00n, currency, "settlement"), effectiveAt };
      const request = { groups: [{ transfers: [transfer] }], createdBy: "remittance" };
      const { results } = await world.books.asRemittance.postTransfers(request, on(tenantId));
      return results[0]?.posted?.transfers[0]?.day;
    },
  };
}

describe("a pickup that remittance books after its day", () => {
  test("is waited for, and is in the settlement of the day that the ledger has it on", async () => {
    const { agent, transactionCode, unsettled, book } = await handedOut();
    const first = world.today();
    const { settlementId } = await agent.open(first, world.nextDay());
    await agent.close(settlementId);
    const { status, waitsFor } = await waiting(agent, settlementId);
    expect([status, waitsFor]).toEqual(["CLOSING", `PICKUP of ${transactionCode} is not booked yet`]);
    expect(await book()).toBe(first);
    const { statement } = await agent.until(settlementId, "CLOSED");
    const asked = { accountId: unsettled, effectiveDate: first };
    const { balanceMinor } = await world.books.books.getBalance(asked, on(agent.tenantId));
    expect([statement?.lineCount, statement?.closing?.unsettledMinor]).toEqual([1, balanceMinor]);
  });

  test("is of the day behind where its own was closed in the books, and both settlements close", async () => {
    const { agent, book } = await handedOut();
    const { tenantId } = agent;
    const first = world.today();
    const second = world.nextDay();
    await closeDays(world.books.database, tenantId, parseDay(first)!);
    const { settlementId } = await agent.open(first, second);
    await agent.close(settlementId);
    await waiting(agent, settlementId);
    expect(await book()).toBe(second);
    expect((await agent.until(settlementId, "CLOSED")).statement?.lineCount).toBe(0);
    const next = await agent.open(second, world.nextDay());
    await agent.close(next.settlementId);
    const { statement } = await agent.until(next.settlementId, "CLOSED");
    expect(statement).toMatchObject({ lineCount: 1, closing: { unsettledMinor: 60_00n } });
    const [line] = await agent.own.settledLines(next.settlementId, undefined, 1);
    expect(line).toMatchObject({ kind: "PICKUP", amountMinor: 60_00n, businessDay: second });
    const unbooked = world.database.db.collection("agent_pickups_unbooked");
    expect(await unbooked.countDocuments({ tenantId })).toBe(0);
  });

  test("is of days that the agent's first settlement has", async () => {
    const { agent, book } = await handedOut();
    const first = world.today();
    const second = world.nextDay();
    const later = Temporal.PlainDate.from(second).add({ days: 1 }).toString();
    const refusal = await refusalOf(agent.open(second, later));
    expect(refusal).toMatchObject({ code: "STATE_CONFLICT", details: { figures: { from: first } } });
    await book();
  });
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
    const until = world.nextDay();
    const wider = await opened(agent, from, until);
    expect(wider.number).toBe(1);
    await agent.close(wider.settlementId);
    const { statement } = await agent.until(wider.settlementId, "CLOSED");
    expect(statement).toMatchObject({ lineCount: 2, closing: { accountMinor: -60_00n } });
    expect(await refusalOf(cancel(agent, wider.settlementId))).toMatchObject({ code: "STATE_CONFLICT" });
  });

  test("lets none be opened before its lines are given back: their days are still to be settled", async () => {
    const agent = await world.agent();
    const from = world.today();
    await agent.moved("SALE", "ACCOUNT", -10_00n);
    await agent.moved("SALE", "ACCOUNT", -50_00n, { isKept: false });
    const { settlementId } = await agent.open(from, world.nextDay());
    await agent.close(settlementId);
    await waiting(agent, settlementId);
    const today = world.nextDay();
    const later = Temporal.PlainDate.from(today).add({ days: 1 }).toString();
    const settlements = world.database.db.collection("agent_settlements");
    await cancel(agent, settlementId);
    // Whether the lines are given back by then or not.
    await expect(agent.open(today, later)).rejects.toMatchObject({ code: "STATE_CONFLICT" });
    await eventually("the lines to be given back", async () => {
      const found = await settlements.findOne({ _id: settlementId as never, tenantId: agent.tenantId });
      return found?.["isReleasing"] === undefined;
    });
    expect(await refusalOf(agent.open(today, later))).toMatchObject({ details: { figures: { from } } });
    expect(await agent.open(from, today)).toMatchObject({ number: 1 });
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
    const again = isTakenBack ? await opened(agent, from, world.today()) : undefined;
    if (again === undefined) return;
    await agent.close(again.settlementId);
    expect((await agent.until(again.settlementId, "CLOSED")).statement?.lineCount).toBe(1);
  });
});
