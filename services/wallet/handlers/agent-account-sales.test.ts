import { randomUUID } from "node:crypto";
import { createAccountDesk } from "../../../test/support/account-desk.js";
import { createCounter } from "../../../test/support/counter.js";
import { atDepth } from "../../../test/support/depth.js";
import { insist } from "../../../test/support/insist.js";
import {
  createWalletFixture,
  eventually,
  refusalOf,
  type WalletFixture,
} from "../../../test/support/wallet-fixture.js";

let wallet: WalletFixture;
beforeAll(async () => {
  wallet = await createWalletFixture("wallet_agent_accounts", { recoverAfterMs: 150 });
});
afterEach(() => {
  wallet.faults.clear();
  wallet.crashAt(undefined);
});
afterAll(() => wallet.close());

const refused = (code: string) => expect.objectContaining({ code });
const line = { creditLineMinor: 3_000_00n };

describe("a transfer of 102.69 that an agent sells from their account", () => {
  test("debits the account, without a till, and is a line of it; 110.00 gives 7.31 back", async () => {
    const { sell, transaction, inLedger, lines, accountOf, tenantId, stored } = await createAccountDesk(wallet, line);
    const { id, transaction: sold } = transaction();
    const { payment } = await sell("110", id);
    expect(payment).toMatchObject({ status: "SUCCESS", payableId: id, tillId: "", changeMinor: 7_31n, accountId: "" });
    expect(inLedger()).toBe(397_31n);
    const parts = ["remittance_clearing:USD", "fee_income:USD", "tax_payable:USD", "counter_payable:USD"];
    expect(parts.map((one) => wallet.ledger.balance(tenantId, one))).toEqual([100_00n, 2_50n, 19n, 0n]);
    expect(await lines()).toEqual([
      ["TOP_UP", "ACCOUNT", 500_00n],
      ["SALE", "ACCOUNT", -102_69n],
    ]);
    expect(await accountOf()).toMatchObject({
      balanceMinor: 397_31n,
      reservedMinor: 0n,
      creditLineMinor: 3_000_00n,
      availableMinor: 3_397_31n,
      usedMinor: 0n,
      unsettledMinor: 0n,
    });
    expect(sold).toMatchObject({ status: "PAID" });
    expect([await stored("tills"), await stored("till_lines")]).toEqual([[], []]);
  });

  test("with a float of 500.00 and a line of 3,000.00 is sold 34 times; the 35th is AGENT_LIMIT, with 8.54 left", async () => {
    const { sell, accountOf, inLedger } = await createAccountDesk(wallet, line);
    for (let at = 0; at < 34; at += 1) await sell();
    const { message, details } = await refusalOf(sell());
    expect([message, details]).toEqual([
      "the account has 8.54 USD left",
      { figures: { available: "8.54", asked: "102.69", currency: "USD" } },
    ]);
    expect(await accountOf()).toMatchObject({ availableMinor: 8_54n, usedMinor: 2_991_46n, balanceMinor: -2_991_46n });
    expect(inLedger()).toBe(-2_991_46n);
  });

  test("at once never once more than the account has", async () => {
    const many = atDepth({ quick: 60, ci: 60, long: 500 });
    const { sell, transaction, accountOf, inLedger, lines } = await createAccountDesk(wallet, line);
    const sellOne = () => {
      const [{ id }, key] = [transaction(), randomUUID()];
      return insist(() => sell("102.69", id, key));
    };
    const all = await Promise.allSettled(Array.from({ length: many }, sellOne));
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(34);
    for (const one of all) if (one.status === "rejected") expect(one.reason).toEqual(refused("AGENT_LIMIT"));
    expect(await accountOf()).toMatchObject({ balanceMinor: -2_991_46n, reservedMinor: 0n });
    expect([inLedger(), (await lines()).length]).toEqual([-2_991_46n, 35]);
  });

  test("is sold once under one key, also where the amount is written otherwise, and by fifty keys at once", async () => {
    const { sell, transaction, inLedger } = await createAccountDesk(wallet, line);
    const { id } = transaction();
    const key = randomUUID();
    const asked = Array.from({ length: 50 }, (_, at) => sell("102.69", id, at % 2 === 0 ? key : randomUUID()));
    const ended = await Promise.allSettled(asked);
    const paid = new Set(ended.map((one) => (one.status === "fulfilled" ? one.value.payment?.paymentId : "")));
    paid.delete("");
    expect(paid.size).toBe(1);
    const first =
      (await sell("102.690", id, key).catch(() => undefined)) ?? (await sell("102.69", id, key).catch(() => undefined));
    if (first !== undefined) expect(paid).toContain(first.payment?.paymentId);
    expect(inLedger()).toBe(397_31n);
  });

  test("received 100.00 is 422 before anything moves", async () => {
    const { sell, accountOf } = await createAccountDesk(wallet, line);
    expect(await refusalOf(sell("100"))).toMatchObject({ code: "RECEIVED_TOO_LITTLE" });
    expect(await refusalOf(sell("0"))).toMatchObject({ code: "AMOUNT_NOT_POSITIVE" });
    expect(await refusalOf(sell("1e3"))).toMatchObject({ code: "INVALID_INPUT" });
    expect(await accountOf()).toMatchObject({ balanceMinor: 500_00n, reservedMinor: 0n });
  });

  test.each(["recorded", "claimed", "posted", "marked", "succeeded"])(
    "cut off at wallet.payment.%s it is debited once, and its line is there once",
    async (step) => {
      const { sell, transaction, inLedger, lines, accountOf } = await createAccountDesk(wallet, line);
      const { id, transaction: sold } = transaction();
      wallet.crashAt(`wallet.payment.${step}`);
      const key = randomUUID();
      await sell("102.69", id, key).catch(() => undefined);
      // What nobody has decided yet is booked for whoever asks again, and for nobody else.
      if (step === "recorded") await eventually("an answer", () => sell("102.69", id, key).catch(() => undefined));
      await eventually("it to be booked", async () => sold.status === "PAID" && (await lines()).length === 2);
      expect(wallet.crashedAt(`wallet.payment.${step}`)).toBe(true);
      expect(inLedger()).toBe(397_31n);
      expect(await accountOf()).toMatchObject({ balanceMinor: 397_31n, reservedMinor: 0n });
    },
  );

  test("that fails gives back what it had set aside", async () => {
    const { sell, transaction, accountOf, inLedger } = await createAccountDesk(wallet, line);
    const { id, transaction: sold } = transaction();
    wallet.crashAt("wallet.payment.recorded");
    await sell("102.69", id).catch(() => undefined);
    sold.status = "EXPIRED";
    wallet.crashAt(undefined);
    await eventually("it to be given back", async () => (await accountOf())?.reservedMinor === 0n);
    expect([(await accountOf())?.balanceMinor, inLedger()]).toEqual([500_00n, 500_00n]);
  });

  test("is no more than the ledger has, whatever the wallet counts", async () => {
    const { sell, accountOf, stored, agent, tenantId } = await createAccountDesk(wallet, { float: "100" });
    const balances = wallet.database.db.collection("agent_balances");
    await balances.updateOne({ tenantId, agentId: agent.userId }, { $set: { freeMinor: 1_000_00n } });
    expect(await refusalOf(sell())).toMatchObject({
      code: "AGENT_LIMIT",
      details: { figures: { available: "100.00", asked: "102.69" } },
    });
    expect(await stored("agent_lines", { kind: "SALE" })).toEqual([]);
    expect(await accountOf()).toMatchObject({ balanceMinor: 100_00n });
  });

  test.each<[string, bigint, string | undefined]>([
    ["lowered", 2_00n, "AGENT_LIMIT"],
    ["raised", 3_000_00n, undefined],
  ])("with a line that is %s between the look and the sale is sold within the new one", async (_how, to, code) => {
    const { sell, set, agent, transaction, accountOf } = await createAccountDesk(wallet, {
      float: "100",
      creditLineMinor: 2_69n,
    });
    wallet.faults.during("checkMoves", () => set(agent.userId, { creditLineMinor: to }));
    const [{ id }, mine] = [transaction(), randomUUID()];
    await expect(sell("102.69", id, mine)).rejects.toEqual(refused("STATE_CONFLICT"));
    const again = sell("102.69", id, mine);
    if (code === undefined) expect((await again).payment).toMatchObject({ status: "SUCCESS" });
    else await expect(again).rejects.toEqual(refused(code));
    expect(await accountOf()).toMatchObject({ reservedMinor: 0n, creditLineMinor: to });
  });

  test("is for agents of mode ACCOUNT alone, who sell at no till", async () => {
    const { sell, hire, tenantId, set } = await createAccountDesk(wallet, line);
    const atTill = await hire();
    await set(atTill.userId, { creditLineMinor: undefined }, { mode: "TILL" });
    const none = wallet.person(tenantId, "AGENT");
    for (const as of [atTill, none]) {
      await expect(sell("102.69", undefined, randomUUID(), as)).rejects.toEqual(refused("STATE_CONFLICT"));
    }
    await expect(sell("102.69", undefined, randomUUID(), wallet.person(tenantId, "CASHIER"))).rejects.toEqual(
      refused("FORBIDDEN"),
    );
    await expect(sell("102.69", undefined, randomUUID(), wallet.person(undefined, "AGENT"))).rejects.toEqual(
      refused("FORBIDDEN"),
    );
    const counter = await createCounter(wallet, { role: "AGENT", float: "0" });
    const { customerId, sender } = counter;
    wallet.identity.sellingAgents.add(counter.tenantId);
    const { userId: agentId } = counter.own.by;
    wallet.identity.customers.set(customerId, { tenantId: counter.tenantId, userId: sender.userId, agentId });
    const { approvalId } = await wallet.gateway.putAgentConfiguration(
      { idempotencyKey: randomUUID(), agentId, mode: "ACCOUNT", terms: [{ currency: "USD" }], reason: "Signed" },
      wallet.calls(wallet.person(counter.tenantId, "MANAGER")),
    );
    await wallet.decide(approvalId);
    await expect(counter.sell()).rejects.toEqual(refused("STATE_CONFLICT"));
    expect(counter.inTill()).toBe(0n);
  });

  test("is not sold by whoever is suspended, also where that comes in the middle of many", async () => {
    const { sell, stored, agent, manager } = await createAccountDesk(wallet, line);
    const selling = Promise.allSettled(Array.from({ length: 10 }, () => sell()));
    await wallet.gateway.suspendAgent(
      { idempotencyKey: randomUUID(), agentId: agent.userId, reason: "Short" },
      wallet.calls(manager),
    );
    const begun = (await stored("payments")).length;
    await selling;
    await expect(sell()).rejects.toEqual(refused("AGENT_SUSPENDED"));
    expect((await stored("payments", { status: "SUCCESS" })).length).toBeLessThanOrEqual(begun);
  });
});
