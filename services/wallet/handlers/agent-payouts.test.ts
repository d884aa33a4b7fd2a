import { randomUUID } from "node:crypto";
import { createAccountDesk } from "../../../test/support/account-desk.js";
import { passport } from "../../../test/support/counter.js";
import type { StandInPickup } from "../../../test/support/stand-in-remittance.js";
import {
  createWalletFixture,
  eventually,
  refusalOf,
  type Person,
  type WalletFixture,
} from "../../../test/support/wallet-fixture.js";

let wallet: WalletFixture;
beforeAll(async () => {
  wallet = await createWalletFixture("wallet_agent_payouts", { recoverAfterMs: 150 });
});
afterEach(() => {
  wallet.crashAt(undefined);
  wallet.compliance.state.cashAnswer = { approved: true };
});
afterAll(() => wallet.close());

const refused = (code: string) => expect.objectContaining({ code });

/** An agent with 500.00, and 60.00 USD that wait for their recipient. */
async function agentWithPickup(currency = "USD") {
  const desk = await createAccountDesk(wallet);
  const { tenantId, agent } = desk;
  const transactionCode = `MN-${randomUUID()}`;
  const waiting: StandInPickup = { tenantId, amountMinor: 60_00n, currency, code: "RIGHT", wrongTries: 0 };
  wallet.remittance.pickups.set(transactionCode, waiting);
  const unsettled = async () =>
    (await desk.stored("agent_lines", { account: "UNSETTLED" })).map((one) => one["amountMinor"]);
  return {
    ...desk,
    waiting,
    transactionCode,
    payOut: (pickupCode = "RIGHT", idempotencyKey: string = randomUUID(), as: Person = agent) =>
      wallet.gateway.payOutAsAgent({ idempotencyKey, transactionCode, pickupCode }, wallet.calls(as)),
    unsettled,
    /** Once remittance has booked it, the line is there. */
    owed: () => eventually("the line to be there", async () => (await unsettled()).length > 0),
  };
}

describe("cash that an agent hands out to a recipient of their own", () => {
  test("is owed to them and not to be sold for, once, and a repeat is answered the same whatever its code", async () => {
    const { payOut, waiting, agent, unsettled, owed, accountOf, stored, tenantId, transactionCode } =
      await agentWithPickup();
    const key = randomUUID();
    const done = await payOut("RIGHT", key);
    expect(done).toMatchObject({ amount: { amountMinor: 60_00n }, recipientName: "Ngozi Okafor", transactionCode });
    expect(await payOut("OTHER", key)).toEqual(done);
    await expect(payOut()).rejects.toEqual(refused("STATE_CONFLICT"));
    expect(waiting.handedOut?.cashierId).toBe(agent.userId);
    await owed();
    expect(await unsettled()).toEqual([60_00n]);
    expect(await accountOf()).toMatchObject({ balanceMinor: 500_00n, availableMinor: 500_00n });
    const manager = wallet.person(tenantId, "MANAGER");
    expect((await wallet.gateway.sumCash({ date: "" }, wallet.calls(manager))).sums).toEqual([]);
    // Remittance books it on this account.
    expect(wallet.ledger.account(tenantId, `agent_unsettled:${agent.userId}:USD`)).toBeDefined();
    const [line] = await stored("agent_lines", { kind: "PICKUP" });
    expect(line).toMatchObject({ transactionId: transactionCode, transactionCode });
  });

  test("a wrong code is refused, and the right one goes through under the same key", async () => {
    const { payOut, unsettled, owed, waiting } = await agentWithPickup();
    const key = randomUUID();
    await expect(payOut("WRONG", key)).rejects.toEqual(refused("PICKUP_CODE_WRONG"));
    expect([waiting.wrongTries, await unsettled()]).toEqual([1, []]);
    await payOut("RIGHT", key);
    await owed();
    expect(await unsettled()).toEqual([60_00n]);
  });

  test.each(["pickup.claimed", "pickup.ended", "agent-pickup.noted"])(
    "cut off at wallet.%s it is owed once",
    async (step) => {
      const { payOut, unsettled, owed, stored } = await agentWithPickup();
      wallet.crashAt(`wallet.${step}`);
      await payOut().catch(() => undefined);
      await owed();
      await eventually("the process to have died", () => wallet.crashedAt(`wallet.${step}`));
      await eventually(
        "all of it to be done",
        async () => (await stored("outbox", { kind: "note-agent-pickup", state: "DUE" })).length === 0,
      );
      expect(await unsettled()).toEqual([60_00n]);
    },
  );

  test("cut off before it was claimed it is refused for good, and owed to nobody", async () => {
    const { payOut, unsettled, stored } = await agentWithPickup();
    wallet.crashAt("wallet.pickup.recorded");
    await payOut().catch(() => undefined);
    await eventually("it to fail", async () => (await stored("movements", { status: "FAILED" })).length > 0);
    expect(await unsettled()).toEqual([]);
  });

  test("of ten at once one is", async () => {
    const { payOut, unsettled, owed } = await agentWithPickup();
    const ended = await Promise.allSettled(Array.from({ length: 10 }, () => payOut()));
    expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await owed();
    expect(await unsettled()).toEqual([60_00n]);
  });

  test("is for agents of mode ACCOUNT, in what they work in, who are not suspended", async () => {
    const { payOut, hire, set, tenantId, manager, agent, waiting } = await agentWithPickup();
    const atTill = await hire();
    await set(atTill.userId, {}, { mode: "TILL" });
    const cases: [Person, string][] = [
      [atTill, "STATE_CONFLICT"],
      [wallet.person(tenantId, "AGENT"), "STATE_CONFLICT"],
      [wallet.person(tenantId, "CASHIER"), "FORBIDDEN"],
      [wallet.person(undefined, "AGENT"), "FORBIDDEN"],
    ];
    for (const [as, code] of cases) await expect(payOut("RIGHT", randomUUID(), as)).rejects.toEqual(refused(code));
    const other = await agentWithPickup("NGN");
    expect(await refusalOf(other.payOut())).toMatchObject({
      code: "AGENT_LIMIT",
      details: { figures: { currency: "NGN" } },
    });
    await wallet.gateway.suspendAgent(
      { idempotencyKey: randomUUID(), agentId: agent.userId, reason: "Short" },
      wallet.calls(manager),
    );
    await expect(payOut()).rejects.toEqual(refused("AGENT_SUSPENDED"));
    expect(waiting.wrongTries).toBe(0);
  });
});

test.each<[string, object, string]>([
  ["does not work in its currency any more", { terms: [{ currency: "USD" }] }, "AGENT_LIMIT"],
  ["sells out of a till now", { mode: "TILL" }, "STATE_CONFLICT"],
])("who %s, since they were looked at, hands nothing out", async (_what, change, code) => {
  const { payOut, set, agent, changedMeanwhile, stored, unsettled, waiting } = await agentWithPickup("NGN");
  await set(agent.userId, {}, { terms: [{ currency: "USD" }, { currency: "NGN" }] });
  const hasLooked = async () => (await stored("agent_balances", { currency: "NGN" })).length > 0;
  const ended = await changedMeanwhile(agent.userId, change, hasLooked, () => payOut());
  expect(ended).toMatchObject({ status: "rejected", reason: { code } });
  expect([await unsettled(), await stored("movements", { kind: "AGENT_PICKUP" })]).toEqual([[], []]);
  expect(waiting.handedOut).toBeUndefined();
});

describe("what came back of a sale, out of an agent's own cash", () => {
  async function owed() {
    const desk = await createAccountDesk(wallet);
    const transaction = desk.transaction();
    await desk.sell("102.69", transaction.id);
    const { payableId } = await desk.comesBack(transaction);
    const issue = async (as: Person) =>
      (await wallet.gateway.issueCounterPayableCode({ payableId }, wallet.calls(as))).code;
    return {
      ...desk,
      payableId,
      issue,
      pay: (code: string, idempotencyKey: string = randomUUID(), as: Person = desk.agent) =>
        wallet.gateway.payCounterPayableAsAgent(
          { idempotencyKey, payableId, code, document: passport },
          wallet.calls(as),
        ),
    };
  }

  test("is owed to them, once, against the sender's code", async () => {
    const { pay, issue, sender, agent, inLedger, lines, tenantId } = await owed();
    await expect(pay("00000-00000")).rejects.toEqual(refused("PICKUP_CODE_LOCKED"));
    const code = await issue(sender);
    await expect(pay("00000-00000")).rejects.toEqual(refused("PICKUP_CODE_WRONG"));
    const key = randomUUID();
    const done = await pay(code, key);
    expect(done.payable).toMatchObject({ status: "PAID", paidBy: agent.userId, tillId: "" });
    expect(await pay(code, key)).toEqual(done);
    await expect(pay(code)).rejects.toEqual(refused("STATE_CONFLICT"));
    expect(inLedger("agent_unsettled")).toBe(102_69n);
    expect(wallet.ledger.balance(tenantId, "counter_payable:USD")).toBe(0n);
    expect((await lines()).at(-1)).toEqual(["PICKUP", "UNSETTLED", 102_69n]);
  });

  test("is not paid by whoever issued its code", async () => {
    const { pay, issue, agent, inLedger } = await owed();
    await expect(pay(await issue(agent))).rejects.toEqual(refused("FORBIDDEN"));
    expect(inLedger("agent_unsettled")).toBe(0n);
  });

  test("is counted by compliance as cash out, and stays owed where that refuses", async () => {
    const { pay, issue, sender, customerId, inLedger } = await owed();
    const code = await issue(sender);
    wallet.compliance.state.cashAnswer = { approved: false, reasonCode: "RULE_REJECTED", message: "too much cash" };
    await expect(pay(code)).rejects.toMatchObject({ code: "COMPLIANCE_REJECTED" });
    wallet.compliance.state.cashAnswer = { approved: true };
    await pay(code);
    const counted = wallet.compliance.state.cash.filter((one) => one.customerId === customerId);
    // Recovery may have asked beside the agent: under the same id.
    const kinds = new Map(counted.map(({ cashId, kind }) => [cashId, kind]));
    expect([...kinds.values()]).toEqual(["CASH_SALE", "CASH_OUT", "CASH_OUT"]);
    expect(inLedger("agent_unsettled")).toBe(102_69n);
  });

  test.each(["recorded", "posted", "ended"])("cut off at wallet.movement.%s it is owed once", async (step) => {
    const { pay, issue, sender, inLedger, lines } = await owed();
    const code = await issue(sender);
    wallet.crashAt(`wallet.movement.${step}`);
    const key = randomUUID();
    await pay(code, key).catch(() => undefined);
    // What nobody has decided yet is given to whoever asks again, and to nobody else.
    if (step === "recorded") await eventually("an answer", () => pay(code, key).catch(() => undefined));
    await eventually("it to be paid", async () => (await lines()).at(-1)?.[0] === "PICKUP");
    expect((await pay(code, key)).payable?.status).toBe("PAID");
    expect([inLedger("agent_unsettled"), wallet.crashedAt(`wallet.movement.${step}`)]).toEqual([102_69n, true]);
  });
});
