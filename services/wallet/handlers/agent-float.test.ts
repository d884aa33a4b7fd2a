import { randomUUID } from "node:crypto";
import { largestCeilingMinor } from "../../kernel/limits/amount-ceiling.js";
import { maxInt64 } from "../../kernel/money.js";
import { createAccountDesk } from "../../../test/support/account-desk.js";
import {
  createWalletFixture,
  eventually,
  refusalOf,
  type WalletFixture,
} from "../../../test/support/wallet-fixture.js";

let wallet: WalletFixture;
beforeAll(async () => {
  wallet = await createWalletFixture("wallet_agent_float", { recoverAfterMs: 150 });
});
afterEach(() => wallet.crashAt(undefined));
afterAll(() => wallet.close());

const refused = (code: string) => expect.objectContaining({ code });
const line = { creditLineMinor: 3_000_00n };

describe("an agent's float", () => {
  test("comes from the bank once a second manager approves, once, and goes back as far as it is there", async () => {
    const { move, agent, accountOf, settled, inLedger, lines, tenantId } = await createAccountDesk(wallet, line);
    expect(wallet.ledger.balance(tenantId, "bank_settlement:operator:USD")).toBe(-500_00n);
    const asked = await move(agent.userId, "TOP_UP", "100");
    expect((await accountOf())?.balanceMinor).toBe(500_00n);
    await wallet.decide(asked.approvalId);
    await wallet.decide(asked.approvalId);
    await settled(600_00n);
    await wallet.decide((await move(agent.userId, "TOP_UP", "1")).approvalId, "REFUSED");
    expect(await refusalOf(move(agent.userId, "TAKE_BACK", "600.01"))).toMatchObject({
      code: "AGENT_LIMIT",
      details: { figures: { available: "600.00", asked: "600.01", currency: "USD" } },
    });
    await wallet.decide((await move(agent.userId, "TAKE_BACK", "600")).approvalId);
    await settled(0n);
    expect(inLedger()).toBe(0n);
    expect(await lines()).toEqual([
      ["TOP_UP", "ACCOUNT", 500_00n],
      ["TOP_UP", "ACCOUNT", 100_00n],
      ["TOP_UP", "ACCOUNT", -600_00n],
    ]);
  });

  test("that was sold for between question and answer is not taken back", async () => {
    const { move, agent, sell, accountOf } = await createAccountDesk(wallet, line);
    const { approvalId } = await move(agent.userId, "TAKE_BACK", "500");
    await sell();
    expect((await wallet.decide(approvalId)).noted).toEqual([`NOTHING_DONE agent:${agent.userId}`]);
    expect(await accountOf()).toMatchObject({ balanceMinor: 397_31n, reservedMinor: 0n });
  });

  test.each<[string, object]>([
    ["sells out of a till by then", { mode: "TILL" }],
    ["does not sell in it by then", { terms: [{ currency: "NGN" }] }],
  ])("is not given to an agent who %s", async (_what, part) => {
    const { move, agent, set, stored } = await createAccountDesk(wallet, { float: "0" });
    const { approvalId } = await move(agent.userId, "TOP_UP", "100");
    await set(agent.userId, {}, part);
    expect((await wallet.decide(approvalId)).noted).toEqual([`NOTHING_DONE agent:${agent.userId}`]);
    expect(await stored("movements")).toEqual([]);
  });

  test.each(["posted", "ended"])("cut off at wallet.movement.%s it is there once", async (step) => {
    const { move, agent, settled, inLedger, lines } = await createAccountDesk(wallet, line);
    const { approvalId } = await move(agent.userId, "TAKE_BACK", "200");
    wallet.crashAt(`wallet.movement.${step}`);
    await wallet.decide(approvalId);
    await settled(300_00n);
    expect([inLedger(), (await lines()).length]).toEqual([300_00n, 2]);
    expect(wallet.crashedAt(`wallet.movement.${step}`)).toBe(true);
  });

  test("is asked for once under one key, and refused by the field", async () => {
    const { move, agent, hire, set, tenantId } = await createAccountDesk(wallet, line);
    const mine = { idempotencyKey: randomUUID() };
    const first = await move(agent.userId, "TOP_UP", "5", mine);
    expect(await move(agent.userId, "TOP_UP", "5", mine)).toEqual(first);
    const cases: [Promise<unknown>, string][] = [
      [move(agent.userId, "TOP_UP", "0"), "AMOUNT_NOT_POSITIVE"],
      [move(agent.userId, "TOP_UP", "0.001"), "INVALID_INPUT"],
      [move(agent.userId, "UP" as never, "1"), "INVALID_INPUT"],
      [move(agent.userId, "TOP_UP", "1", { currency: "NGN" }), "INVALID_INPUT"],
      [move(agent.userId, "TOP_UP", "1", { bank: "no-such-bank" }), "INVALID_INPUT"],
      [move(agent.userId, "TOP_UP", "1", { reference: "" }), "INVALID_INPUT"],
      [move(wallet.person(tenantId, "AGENT").userId, "TOP_UP", "1"), "NOT_FOUND"],
    ];
    for (const [asked, code] of cases) await expect(asked).rejects.toEqual(refused(code));
    const atTill = await hire();
    await set(atTill.userId, { creditLineMinor: undefined }, { mode: "TILL" });
    await expect(move(atTill.userId, "TOP_UP", "1")).rejects.toEqual(refused("STATE_CONFLICT"));
  });
});

describe("an agent's credit line", () => {
  test("is not lowered below what is used: 409 with the figure when asked, and nothing is done where it is used since", async () => {
    const { put, agent, sell, accountOf } = await createAccountDesk(wallet, line);
    const lowered = { creditLineMinor: 10_00n };
    const asked = await put(agent.userId, lowered);
    for (let at = 0; at < 5; at += 1) await sell();
    const { noted } = await wallet.decide(asked.approvalId);
    expect(noted).toEqual([`NOTHING_DONE agent:${agent.userId} USD.creditLineUsed:  → 13.45 USD`]);
    expect(await accountOf()).toMatchObject({ creditLineMinor: 3_000_00n, usedMinor: 13_45n });
    for (const part of [lowered, { creditLineMinor: 13_44n }]) {
      expect(await refusalOf(put(agent.userId, part))).toMatchObject({
        code: "STATE_CONFLICT",
        details: { figures: { used: "13.45", currency: "USD" } },
      });
    }
    await expect(put(agent.userId, { creditLineMinor: undefined }, { mode: "TILL" })).rejects.toEqual(
      refused("STATE_CONFLICT"),
    );
    await expect(put(agent.userId, {}, { terms: [{ currency: "NGN" }] })).rejects.toEqual(refused("STATE_CONFLICT"));
    await wallet.decide((await put(agent.userId, { creditLineMinor: 13_45n })).approvalId);
    expect(await accountOf()).toMatchObject({ creditLineMinor: 13_45n, availableMinor: 0n });
  });

  test.each<[string, object, object, string]>([
    ["a line of nothing", { creditLineMinor: 0n }, {}, "terms.0.creditLine"],
    ["a line below zero", { creditLineMinor: -1n }, {}, "terms.0.creditLine"],
    ["a line of 2^63-1", { creditLineMinor: maxInt64 }, {}, "terms.0.creditLine"],
    ["a line above the largest", { creditLineMinor: largestCeilingMinor + 1n }, {}, "terms.0.creditLine"],
    ["a line out of a till", { creditLineMinor: 1n }, { mode: "TILL" }, "terms.0.creditLine"],
    ["an alarm out of a till", { creditLineMinor: undefined, alarmShare: 80 }, { mode: "TILL" }, "terms.0.alarmShare"],
    ["an alarm of nothing", { alarmShare: 0 }, {}, "terms.0.alarmShare"],
    ["an alarm of more than all", { alarmShare: 101 }, {}, "terms.0.alarmShare"],
  ])("with %s is refused by the field", async (_what, terms, part, path) => {
    const { put, agent } = await createAccountDesk(wallet, { ...line, float: "0" });
    expect(await refusalOf(put(agent.userId, terms, part))).toMatchObject({
      code: "INVALID_INPUT",
      details: { errors: [{ path }] },
    });
  });

  test("is added to what there is as far as it may go", async () => {
    const { accountOf, sell } = await createAccountDesk(wallet, { creditLineMinor: largestCeilingMinor });
    await sell();
    expect(await accountOf()).toMatchObject({ availableMinor: largestCeilingMinor + 397_31n });
  });

  test("is told of once when its share is used, and again only after money came in", async () => {
    const { sell, move, settled, agent, tenantId } = await createAccountDesk(wallet, {
      creditLineMinor: 500_00n,
      alarmShare: 80,
    });
    const told = () =>
      wallet.events.state.published
        .filter((one) => one.tenantId === tenantId && one.type === "agent.float_low")
        .map(({ dataJson }) => JSON.parse(dataJson).available);
    for (let at = 0; at < 7; at += 1) await sell();
    expect(told()).toEqual([]);
    await sell();
    await sell();
    await eventually("the alarm", () => told().length > 0);
    expect(told()).toEqual(["178.48"]);
    await wallet.decide((await move(agent.userId, "TOP_UP", "900")).approvalId);
    await settled(475_79n);
    for (let at = 0; at < 8; at += 1) await sell();
    await eventually("it again", () => told().length > 1);
    expect(told()).toHaveLength(2);
  });
});

test("what an agent has is read by managers and by themself; another's is 403, another tenant's is not there", async () => {
  const { agent, tenantId, accountOf } = await createAccountDesk(wallet, line);
  const read = (as: Parameters<typeof wallet.calls>[0]) =>
    wallet.gateway.getAgentAccounts({ agentId: agent.userId }, wallet.calls(as));
  expect((await read(agent)).accounts).toEqual([await accountOf()]);
  for (const as of [wallet.person(tenantId, "AGENT"), wallet.person(undefined, "AGENT"), wallet.person(tenantId)]) {
    await expect(read(as)).rejects.toEqual(refused("FORBIDDEN"));
  }
  expect((await read(wallet.person(undefined, "MANAGER"))).accounts).toEqual([]);
});
