import { createHash, randomUUID } from "node:crypto";
import { createSettledAgents, currency, type SettledAgents } from "../../../test/support/settled-agent.js";
import { eventually, refusalOf } from "../../../test/support/wallet-fixture.js";

let world: SettledAgents;
beforeAll(async () => {
  world = await createSettledAgents("settled", { recoverAfterMs: 150 });
});
afterEach(() => world.crashAt(undefined));
afterAll(() => world.closeAll());

jest.setTimeout(60_000);

type Agent = Awaited<ReturnType<SettledAgents["agent"]>>;
const key = () => ({ idempotencyKey: randomUUID() });

/** Sales of 5,000.00, pickups of 1,250.00 and commission of 37.41. */
async function traded({ moved }: Agent) {
  await moved("SALE", "ACCOUNT", -3_000_00n);
  await moved("SALE", "ACCOUNT", -2_000_00n);
  await moved("PICKUP", "UNSETTLED", 1_250_00n);
  await moved("COMMISSION", "COMMISSION", 40_00n);
  await moved("CLAW_BACK", "COMMISSION", -2_59n);
}

async function closed(agent: Agent, from: string, to: string) {
  const { settlementId } = await agent.open(from, to);
  await agent.close(settlementId);
  return agent.until(settlementId, "CLOSED");
}

/** The statement's text, page by page. */
async function textOf({ by }: Agent, settlementId: string): Promise<string> {
  const pages: string[] = [];
  for (let cursor = ""; ;) {
    const page = await world.gateway.readAgentStatement({ settlementId, cursor }, by());
    pages.push(page.text);
    if (page.nextCursor === "") return pages.join("");
    cursor = page.nextCursor;
  }
}

test("collected 5,000.00 − paid out 1,250.00 − commission 37.41 = owes 3,712.59; paid, each account has what is left", async () => {
  const agent = await world.agent();
  const from = world.today();
  await traded(agent);
  const to = world.nextDay();
  const { settlementId, statement, dues } = await closed(agent, from, to);
  expect(dues).toEqual({
    collectedMinor: 5_000_00n,
    paidOutMinor: 1_250_00n,
    commissionMinor: 37_41n,
    owesMinor: 3_712_59n,
  });
  const closing = { accountMinor: -5_000_00n, unsettledMinor: 1_250_00n, commissionMinor: 37_41n };
  expect(statement).toMatchObject({ dues, closing, lineCount: 5 });
  expect(await agent.balances()).toEqual(Object.values(closing));
  await agent.approve(settlementId);
  expect(await agent.read(settlementId)).toMatchObject({ status: "APPROVED", approvedBy: "another manager" });
  await agent.pay(settlementId, "3712.59");
  const paid = await agent.until(settlementId, "PAID");
  expect(paid.payment).toMatchObject({ bankMinor: 3_712_59n, reference: "W-1", approvedBy: "another manager" });
  expect(paid.statement).toEqual(statement);
  expect(await agent.balances()).toEqual([0n, 0n, 0n]);
  expect(await agent.sums()).toEqual([0n, 0n, 0n]);
});

test("the next one begins where it ended, and has a claw-back that came later; opening + lines = closing = ledger", async () => {
  const agent = await world.agent();
  const first = world.today();
  await traded(agent);
  const second = world.nextDay();
  const before = await closed(agent, first, second);
  const text = await textOf(agent, before.settlementId);
  await agent.approve(before.settlementId);
  await agent.pay(before.settlementId, "3000.00");
  await agent.until(before.settlementId, "PAID");
  await agent.moved("CLAW_BACK", "COMMISSION", -1_00n);
  const third = world.nextDay();
  const after = await closed(agent, second, third);
  expect(after.statement?.opening).toEqual(before.statement?.closing);
  expect(after.dues).toMatchObject({ collectedMinor: 0n, commissionMinor: -1_00n, owesMinor: 1_00n });
  const closing = { accountMinor: -712_59n, unsettledMinor: 0n, commissionMinor: -1_00n };
  expect(after.statement?.closing).toEqual(closing);
  expect(await agent.balances()).toEqual(Object.values(closing));
  expect(await agent.read(before.settlementId)).toMatchObject({ statement: before.statement, dues: before.dues });
  expect(await textOf(agent, before.settlementId)).toBe(text);
});

test("what the organisation owes goes out of the bank, and no more than the account has", async () => {
  const agent = await world.agent();
  const from = world.today();
  await agent.moved("PICKUP", "UNSETTLED", 100_00n);
  await agent.moved("COMMISSION", "COMMISSION", 10_00n);
  const to = world.nextDay();
  const { settlementId, dues } = await closed(agent, from, to);
  expect(dues?.owesMinor).toBe(-110_00n);
  await agent.approve(settlementId);
  await agent.pay(settlementId, "60.00");
  expect((await agent.until(settlementId, "PAID")).payment?.bankMinor).toBe(-60_00n);
  expect(await agent.balances()).toEqual([50_00n, 0n, 0n]);
  expect(await agent.sums()).toEqual([50_00n, 0n, 0n]);
});

test("what is not in the account is not paid out: it is APPROVED as before, and what is owed can be left in it", async () => {
  const agent = await world.agent();
  const from = world.today();
  await agent.moved("PICKUP", "UNSETTLED", 100_00n);
  const to = world.nextDay();
  const { settlementId } = await closed(agent, from, to);
  await agent.moved("SALE", "ACCOUNT", -90_00n);
  await agent.approve(settlementId);
  await agent.pay(settlementId, "10.01");
  const refused = await eventually("the ledger to have refused it", async () => {
    const now = await agent.read(settlementId);
    return now.payment?.failure ? now : undefined;
  });
  expect(refused).toMatchObject({ status: "APPROVED", payment: { failure: "INSUFFICIENT_FUNDS", paidAt: undefined } });
  expect(await agent.balances()).toEqual([-90_00n, 100_00n, 0n]);
  await agent.pay(settlementId, "10.00");
  await agent.until(settlementId, "PAID");
  expect(await agent.balances()).toEqual([0n, 0n, 0n]);
});

test("the statement's text has its sha256, and says what the settlement says", async () => {
  const agent = await world.agent();
  const from = world.today();
  await traded(agent);
  const to = world.nextDay();
  const { settlementId, statement } = await closed(agent, from, to);
  const text = await textOf(agent, settlementId);
  expect(createHash("sha256").update(text).digest("hex")).toBe(statement?.sha256);
  const rows = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(rows[0]).toMatchObject({ settlementId, from, to, opening: { account: "0.00" } });
  expect(rows.at(-1)).toMatchObject({ closing: { account: "-5000.00" }, owes: "3712.59", lines: 5 });
  const shown: string[] = [];
  for (let cursor = ""; ;) {
    const page = await world.gateway.listAgentSettlementLines({ settlementId, pageSize: 2, cursor }, agent.by());
    shown.push(...page.lines.map(({ lineId }) => lineId));
    if (page.nextCursor === "") break;
    cursor = page.nextCursor;
  }
  expect(shown).toEqual(rows.slice(1, -1).map(({ lineId }) => lineId));
});

test("more lines than are taken at once are taken whole, in pages of the text too", async () => {
  const agent = await world.agent();
  const [from, day] = [world.today(), world.today()];
  const [sample] = [await agent.moved("COMMISSION", "COMMISSION", 2_345_00n, { isKept: false })];
  const lines = Array.from({ length: 2_345 }, (_, at) => ({
    ...sample!,
    lineId: `commission:${at}`,
    amountMinor: 1_00n,
    at: new Date(Date.now() + (at % 700)),
    businessDay: day,
  }));
  await agent.keep(lines);
  const { settlementId, statement } = await closed(agent, from, world.nextDay());
  expect(statement).toMatchObject({ lineCount: 2_345, closing: { commissionMinor: 2_345_00n } });
  const text = await textOf(agent, settlementId);
  expect(createHash("sha256").update(text).digest("hex")).toBe(statement?.sha256);
});

test("it is not closed before every movement of its days has its line", async () => {
  const agent = await world.agent();
  const from = world.today();
  const late = await agent.moved("SALE", "ACCOUNT", -50_00n, { isKept: false });
  const { settlementId } = await agent.open(from, world.nextDay());
  await agent.close(settlementId);
  const waiting = await eventually("it to say what is missing", async () => {
    const now = await agent.read(settlementId);
    return now.waitsFor === "" ? undefined : now;
  });
  expect(waiting).toMatchObject({ status: "CLOSING", waitsFor: "ACCOUNT: lines 0, ledger -5000" });
  await agent.keep([late]);
  expect(await agent.until(settlementId, "CLOSED")).toMatchObject({ waitsFor: "", statement: { lineCount: 1 } });
});

test("it has the lines of its days: not one of days behind it, and none is of days before it", async () => {
  const agent = await world.agent();
  const [from, between] = [world.today(), world.nextDay()];
  await agent.moved("SALE", "ACCOUNT", -20_00n);
  const to = world.nextDay();
  await agent.moved("SALE", "ACCOUNT", -40_00n);
  expect(await refusalOf(agent.open(to, world.nextDay()))).toMatchObject({
    code: "STATE_CONFLICT",
    message: `it must begin on ${between} or before, where what is to be settled begins`,
    details: { figures: { from: between } },
  });
  expect((await closed(agent, from, to)).dues?.collectedMinor).toBe(20_00n);
});

describe("two settlements", () => {
  test("have no day in common, also where they are opened at once", async () => {
    const agent = await world.agent();
    const all = await Promise.allSettled(Array.from({ length: 8 }, () => agent.open("2026-01-01", "2026-02-01")));
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const one of all) {
      if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "STATE_CONFLICT" });
    }
    const refusal = await refusalOf(agent.open("2026-01-31", "2026-03-01"));
    expect(refusal).toMatchObject({ code: "STATE_CONFLICT", details: { figures: { from: "2026-02-01" } } });
    expect(await agent.open("2026-02-01", "2026-03-01")).toMatchObject({ number: 2, status: "OPEN" });
  });

  test("follow each other without a day between them, and the first begins on no later day than today", async () => {
    const agent = await world.agent();
    const behind = (days: number) => Temporal.PlainDate.from(world.today()).add({ days }).toString();
    await eventually("the wallet to hear which day it is", async () => {
      const refused = await refusalOf(agent.open(behind(1), behind(2)));
      expect(refused).toMatchObject({ code: "STATE_CONFLICT" });
      return (refused.details as { figures: { from: string } }).figures.from === world.today();
    });
    await agent.open("2026-01-01", "2026-02-01");
    expect(await refusalOf(agent.open("2026-02-02", "2026-03-01"))).toMatchObject({
      code: "STATE_CONFLICT",
      message: "it must begin on 2026-02-01, where the one before it ends",
      details: { figures: { from: "2026-02-01" } },
    });
    expect(await agent.open("2026-02-01", "2026-03-01")).toMatchObject({ number: 2 });
  });

  test("one that is cancelled leaves its days to another, unless one stands behind it", async () => {
    const agent = await world.agent();
    const first = await agent.open("2026-01-01", "2026-02-01");
    const second = await agent.open("2026-02-01", "2026-03-01");
    const cancel = (settlementId: string) =>
      world.gateway.cancelAgentSettlement({ ...key(), settlementId }, agent.by());
    expect(await refusalOf(cancel(first.settlementId))).toMatchObject({ code: "STATE_CONFLICT" });
    await cancel(second.settlementId);
    expect(await agent.read(second.settlementId)).toMatchObject({ status: "CANCELLED", number: 0 });
    expect(await agent.open("2026-02-01", "2026-02-15")).toMatchObject({ number: 2 });
  });

  test("are closed one behind the other, once their days are over", async () => {
    const agent = await world.agent();
    const from = world.today();
    await agent.moved("SALE", "ACCOUNT", -10_00n);
    const to = world.nextDay();
    const first = await agent.open(from, to);
    const second = await agent.open(to, Temporal.PlainDate.from(to).add({ days: 1 }).toString());
    expect(await refusalOf(agent.closeNow(second.settlementId))).toMatchObject({ code: "STATE_CONFLICT" });
    world.nextDay();
    expect(await refusalOf(agent.closeNow(second.settlementId))).toMatchObject({ code: "STATE_CONFLICT" });
    await agent.close(first.settlementId);
    await agent.until(first.settlementId, "CLOSED");
    await agent.close(second.settlementId);
    await agent.until(second.settlementId, "CLOSED");
  });
});

test("a dispute ends as it was, or with lines that the next one settles and its own statement keeps", async () => {
  const agent = await world.agent();
  const first = world.today();
  await traded(agent);
  const wrong = await agent.moved("SALE", "ACCOUNT", -100_00n);
  const second = world.nextDay();
  const { settlementId, statement } = await closed(agent, first, second);
  const dispute = (person = agent.agent) =>
    world.gateway.disputeAgentSettlement({ ...key(), settlementId, reason: "One was not mine" }, agent.by(person));
  const end = (lineIds: string[] = []) =>
    world.gateway.endAgentSettlementDispute({ ...key(), settlementId, reason: "Looked at", lineIds }, agent.by());
  await agent.approve(settlementId);
  await dispute();
  expect(await agent.read(settlementId)).toMatchObject({ status: "DISPUTED", dispute: { by: agent.agentId } });
  await end();
  expect(await agent.read(settlementId)).toMatchObject({ status: "APPROVED", dispute: { endedBecause: "Looked at" } });
  await dispute(agent.manager);
  expect(await refusalOf(end(["sale:none"]))).toMatchObject({ code: "INVALID_INPUT" });
  await end([wrong.lineId]);
  const moved = await agent.read(settlementId);
  expect(moved).toMatchObject({ status: "CLOSED", approvedBy: "", statement, dues: { owesMinor: 3_712_59n } });
  await agent.approve(settlementId);
  await agent.pay(settlementId, "3712.59");
  await agent.until(settlementId, "PAID");
  expect(await agent.balances()).toEqual([-100_00n, 0n, 0n]);
  const next = await closed(agent, second, world.nextDay());
  expect(next).toMatchObject({
    carried: [{ lineId: wrong.lineId }],
    dues: { collectedMinor: 100_00n, owesMinor: 100_00n },
  });
});

test("what a manager has answered an agent disputes again only once what is settled has changed", async () => {
  const agent = await world.agent();
  const from = world.today();
  await traded(agent);
  const wrong = await agent.moved("SALE", "ACCOUNT", -100_00n);
  const { settlementId } = await closed(agent, from, world.nextDay());
  const asked = () => ({ ...key(), settlementId, reason: "One was not mine" });
  const first = asked();
  const dispute = (person = agent.agent, request = asked()) =>
    world.gateway.disputeAgentSettlement(request, agent.by(person));
  const end = (lineIds: string[] = []) => world.gateway.endAgentSettlementDispute({ ...asked(), lineIds }, agent.by());
  const status = async () => (await agent.read(settlementId)).status;
  // A manager's, and its end, take nothing from the agent.
  await dispute(agent.manager);
  await end();
  const answer = await dispute(agent.agent, first);
  await end();
  expect(await dispute(agent.agent, first)).toEqual(answer);
  expect(await refusalOf(dispute())).toMatchObject({ code: "STATE_CONFLICT" });
  expect(await status()).toBe("CLOSED");
  await agent.approve(settlementId);
  expect(await refusalOf(dispute())).toMatchObject({ code: "STATE_CONFLICT" });
  expect(await status()).toBe("APPROVED");
  await dispute(agent.manager);
  await end([wrong.lineId]);
  await dispute();
  expect(await status()).toBe("DISPUTED");
});

test("what was asked about is done only while it is as it was", async () => {
  const agent = await world.agent();
  const from = world.today();
  await traded(agent);
  const { settlementId } = await closed(agent, from, world.nextDay());
  const ask = () => ({ ...key(), settlementId, reason: "As counted" });
  const { approvalId } = await world.gateway.approveAgentSettlement(ask(), agent.by());
  await world.gateway.disputeAgentSettlement(ask(), agent.by());
  await world.gateway.endAgentSettlementDispute(ask(), agent.by());
  await world.decide(approvalId);
  expect((await agent.read(settlementId)).status).toBe("CLOSED");
  await agent.approve(settlementId);
  const pay = (bankAmount: string) =>
    world.gateway.payAgentSettlement({ ...ask(), bankAmount, reference: "W-2" }, agent.by());
  const [one, other] = [await pay("3712.59"), await pay("1.00")];
  await world.decide(one.approvalId);
  await world.decide(other.approvalId);
  expect((await agent.until(settlementId, "PAID")).payment?.bankMinor).toBe(3_712_59n);
  expect(await agent.sums()).toEqual(await agent.balances());
});

test("an agent reads and disputes what is theirs alone", async () => {
  const agent = await world.agent();
  const from = world.today();
  await traded(agent);
  const { settlementId } = await closed(agent, from, world.nextDay());
  const another = world.person(agent.tenantId, "AGENT");
  const own = await world.gateway.listAgentSettlements({}, agent.by(agent.agent));
  expect(own.settlements.map((one) => one.settlementId)).toEqual([settlementId]);
  expect((await world.gateway.listAgentSettlements({}, agent.by(another))).settlements).toEqual([]);
  const asked = [
    world.gateway.getAgentSettlement({ settlementId }, agent.by(another)),
    world.gateway.listAgentSettlementLines({ settlementId }, agent.by(another)),
    world.gateway.readAgentStatement({ settlementId }, agent.by(another)),
    world.gateway.listAgentSettlements({ agentId: agent.agentId }, agent.by(another)),
    world.gateway.disputeAgentSettlement({ ...key(), settlementId, reason: "No" }, agent.by(another)),
    world.gateway.closeAgentSettlement({ ...key(), settlementId }, agent.by(agent.agent)),
  ];
  for (const one of asked) expect(await refusalOf(one)).toMatchObject({ code: "FORBIDDEN" });
  const elsewhere = world.person(undefined, "MANAGER");
  expect(await refusalOf(world.gateway.getAgentSettlement({ settlementId }, world.calls(elsewhere)))).toMatchObject({
    code: "NOT_FOUND",
  });
});

test.each<[string, object]>([
  ["from", { from: "2026-13-01" }],
  ["to", { to: "2026-01-01" }],
  ["to", { to: "2028-01-01" }],
  ["currency", { currency: "DOLLAR" }],
])("bad input is refused by its field: %s", async (path, part) => {
  const agent = await world.agent();
  const refusal = await refusalOf(agent.open("2026-01-01", "2026-02-01", part));
  expect(refusal).toMatchObject({ code: "INVALID_INPUT", details: { errors: [expect.objectContaining({ path })] } });
});

test("no more than is owed goes to the bank, and an agent that is not configured has none", async () => {
  const agent = await world.agent();
  const from = world.today();
  await traded(agent);
  const { settlementId } = await closed(agent, from, world.nextDay());
  await agent.approve(settlementId);
  for (const bankAmount of ["3712.60", "-1.00"]) {
    expect(await refusalOf(agent.pay(settlementId, bankAmount))).toMatchObject({ code: "INVALID_INPUT" });
  }
  const nobody = { agentId: world.person(agent.tenantId, "AGENT").userId };
  expect(await refusalOf(agent.open("2026-01-01", "2026-02-01", nobody))).toMatchObject({ code: "NOT_FOUND" });
  expect(currency).toBe("USD");
});

test.each([
  "wallet.agent-settlement.closing",
  "wallet.agent-settlement.lines-taken",
  "wallet.agent-settlement.counted",
  "wallet.agent-settlement.closed",
  "wallet.agent-settlement.posted",
  "wallet.agent-settlement.paid",
])("died at %s it goes on where it was, once", async (point) => {
  const agent = await world.agent();
  const from = world.today();
  await traded(agent);
  const { settlementId } = await agent.open(from, world.nextDay());
  world.crashAt(point);
  await agent.close(settlementId).catch(() => undefined);
  const { statement } = await agent.until(settlementId, "CLOSED");
  expect(statement).toMatchObject({ lineCount: 5, dues: { owesMinor: 3_712_59n } });
  await agent.approve(settlementId);
  await agent.pay(settlementId, "3712.59");
  await agent.until(settlementId, "PAID");
  await eventually("the point to be passed", () => (world.crashedAt(point) ? true : undefined));
  expect(await agent.sums()).toEqual([0n, 0n, 0n]);
  expect(await agent.balances()).toEqual([0n, 0n, 0n]);
});

test("what becomes of it is told to webhooks, in order", async () => {
  const agent = await world.agent();
  const from = world.today();
  await traded(agent);
  const { settlementId } = await closed(agent, from, world.nextDay());
  await agent.approve(settlementId);
  await agent.pay(settlementId, "0.00");
  await agent.until(settlementId, "PAID");
  const told = await eventually("three events", () => {
    const own = world.events.typesOf(settlementId);
    return own.length === 3 ? own : undefined;
  });
  expect(told).toEqual(["agent_settlement.closed", "agent_settlement.approved", "agent_settlement.paid"]);
  expect(await agent.balances()).toEqual([-3_712_59n, 0n, 0n]);
});
