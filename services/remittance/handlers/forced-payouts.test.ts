import { randomUUID } from "node:crypto";
import { testTenant, waitFor } from "../../../test/support/index.js";
import { createPayoutWorld, type PayoutWorld } from "../../../test/support/payout-fixture.js";
import { ada, agent, cashier, faultOf, manager, on, refused } from "../../../test/support/remittance-calls.js";
import { beneficiary } from "../../../test/support/remittance-samples.js";
import { sandboxIdOf } from "../../platform/sandbox/sandbox.js";
import { createPayoutOrders } from "../sagas/payout-orders.js";

let world: PayoutWorld;
let tenantId: string;
beforeAll(async () => void (world = await createPayoutWorld("forced_payouts")));
beforeEach(async () => {
  tenantId = await world.tenant(sandboxIdOf(testTenant()));
});
afterEach(() => world.reset());
afterAll(() => world.close());

jest.setTimeout(180_000);

const outcomeOf = (outcome: string, part: object = {}) => ({ of: "PAYOUT", outcome, times: 1, ...part });
const force = (outcome: string, part: object = {}, key: string = randomUUID()) =>
  world.sandbox.outcomes.forceOutcome(
    { idempotencyKey: key, outcome: outcomeOf(outcome, part) },
    on(tenantId, manager),
  );
const current = async () => (await world.sandbox.outcomes.listOutcomes({}, on(tenantId, manager))).outcomes;
const reasonOf = async (transactionId: string) =>
  (await world.find(tenantId, transactionId)).timeline.find(({ status }) => status === "FAILED")?.reason;
const settle = (transactionId: string, outcome: string, reason = "") =>
  world.sandbox.payouts.settlePayout({ transactionId, outcome, reason }, on(tenantId, manager));

describe("a payout of a sandbox", () => {
  test("that is to be refused goes back to who paid, with the reason, and the next one is paid", async () => {
    await force("REFUSE", { reason: "account closed" });
    const paid = await world.paid(tenantId);
    await world.until(paid, "REFUNDED");
    expect(await reasonOf(paid.transactionId)).toContain("account closed");
    expect((await world.money(paid)).short).toBe(0n);
    expect(await current()).toEqual([]);
    await world.until(await world.paid(tenantId), "COMPLETED");
  });

  test("ends as it was told before remittance was started again, and the partner lost everything", async () => {
    const key = randomUUID();
    await force("REFUSE", { times: 2, reason: "account closed" }, key);
    await world.until(await world.paid(tenantId), "REFUNDED");
    await world.restart();
    await world.losePartnersBooks();
    expect(await current()).toMatchObject([{ outcome: "REFUSE", times: 1 }]);
    await world.until(await world.paid(tenantId), "REFUNDED");
    // Told again under its key it is not new: it is used up.
    await force("REFUSE", { times: 2, reason: "account closed" }, key);
    expect(await current()).toEqual([]);
    await world.until(await world.paid(tenantId), "COMPLETED");
  });

  test("is forced by its transaction before its recipient, and by that before anybody", async () => {
    await force("REFUSE", { times: 0, reason: "anybody" });
    await force("REFUSE", { times: 0, reason: "recipient", subject: beneficiary.code });
    const transactionId = await world.create(tenantId);
    await force("ACCEPT", { subject: transactionId });
    await world.markPaid(await world.debit(tenantId, transactionId));
    await world.until({ tenantId, transactionId }, "COMPLETED");
    const second = await world.paid(tenantId);
    await world.until(second, "REFUNDED");
    expect(await reasonOf(second.transactionId)).toContain("recipient");
    expect(await current()).toHaveLength(2);
  });

  test("that hangs or loses its answer is paid once all the same; a batch is forced too", async () => {
    await force("HANG");
    await world.until(await world.paid(tenantId), "COMPLETED");
    await force("LOSE_ANSWER");
    await world.until(await world.paid(tenantId), "COMPLETED");
    await force("REFUSE");
    await world.until(
      await world.paid(tenantId, undefined, { processingMode: "PROCESSING_MODE_AGGREGATION" }),
      "REFUNDED",
    );
    const lines = await world.statement(tenantId);
    expect(lines.map(({ kind }) => kind)).toEqual(["PAYOUT", "PAYOUT"]);
  });

  test("comes back after it was paid, less what the bank keeps", async () => {
    await force("RETURN", { kept: "100.00" });
    await world.until(await world.paid(tenantId), "REFUNDED");
    expect((await world.statement(tenantId)).map(({ kind }) => kind)).toEqual(["PAYOUT", "RETURN"]);
  });

  test.each([
    ["PAID", "COMPLETED", "REFUSED"],
    ["REFUSED", "REFUNDED", "PAID"],
  ])("that stalls is pending until it is said to be %s, and stays so", async (outcome, status, other) => {
    await force("STALL");
    const paid = await world.paid(tenantId);
    await waitFor(async () => (await world.atPartner(paid)) === "ACCEPTED", { timeoutMs: 60_000 });
    expect((await world.find(tenantId, paid.transactionId)).status).toBe("PROCESSING");
    await settle(paid.transactionId, outcome, outcome === "REFUSED" ? "account closed" : "");
    await settle(paid.transactionId, outcome);
    await world.until(paid, status as "COMPLETED");
    expect((await refused(settle(paid.transactionId, other))).code).toBe("STATE_CONFLICT");
    if (outcome === "REFUSED") expect(await reasonOf(paid.transactionId)).toContain("account closed");
  });

  test("takes what is forced once, however often its order is made anew", async () => {
    const orders = createPayoutOrders(world.store);
    const transactions = await Promise.all([0, 1].map(async () => world.find(tenantId, await world.create(tenantId))));
    await force("REFUSE", { reason: "once" });
    // As of a process that died before it could send, and of two that have it at the same time.
    const made = await Promise.all([0, 1, 1, 0].map((at) => orders.of(tenantId, transactions[at]!)));
    const forced = made.filter((order) => order.forced !== undefined);
    expect(forced).toHaveLength(2);
    expect(new Set(forced.map(({ reference }) => reference)).size).toBe(1);
    expect(forced[0]!.forced).toEqual({ behaviour: "REFUSE", reason: "once" });
  });
});

describe("nothing is forced", () => {
  test("of a live tenant, even where its database says so", async () => {
    const live = await world.tenant();
    const outcome = outcomeOf("REFUSE");
    const key = { idempotencyKey: randomUUID() };
    const { outcomes, payouts } = world.sandbox;
    const as = on(live, manager);
    const all = [
      outcomes.forceOutcome({ ...key, outcome }, as),
      outcomes.listOutcomes({}, as),
      outcomes.clearOutcomes({}, as),
      payouts.settlePayout({ transactionId: "t", outcome: "PAID" }, as),
      payouts.returnPayout({ transactionId: "t" }, as),
    ];
    for (const call of all) expect((await refused(call)).code).toBe("NOT_FOUND");
    await world.store.transaction(
      async (session) => {
        const forced = { id: "smuggled", of: "PAYOUT", outcome: "REFUSE" } as const;
        await world.store.forTenant(live).insertForced(forced, session);
        return true;
      },
      async () => undefined,
    );
    await world.until(await world.paid(live), "COMPLETED");
  });

  test("by anybody but a manager", async () => {
    for (const user of [ada, agent, cashier]) {
      const call = world.sandbox.outcomes.forceOutcome(
        { idempotencyKey: "k", outcome: outcomeOf("REFUSE") },
        on(tenantId, user),
      );
      expect((await refused(call)).code).toBe("FORBIDDEN");
      const settled = world.sandbox.payouts.settlePayout({ transactionId: "t", outcome: "PAID" }, on(tenantId, user));
      expect((await refused(settled)).code).toBe("FORBIDDEN");
    }
  });

  test("of an amendment but by the partner who is asked for it, and listed beside what is forced of payouts", async () => {
    await force("STALL", { of: "AMENDMENT", subject: "t-1" }, "amendment");
    await force("REFUSE", {}, "payout");
    expect(await current()).toMatchObject([
      { of: "PAYOUT", outcome: "REFUSE" },
      { of: "AMENDMENT", outcome: "STALL", subject: "t-1", times: 1 },
    ]);
    expect((await refused(force("REFUSE", { of: "AMENDMENT", subject: "t-1" }, "amendment"))).code).toBe(
      "IDEMPOTENCY_KEY_REUSED",
    );
    const { cleared } = await world.sandbox.outcomes.clearOutcomes({ outcomeId: "" }, on(tenantId, manager));
    expect([cleared, await current()]).toEqual([2, []]);
    expect(await faultOf(force("RETURN", { of: "AMENDMENT" }))).toEqual(["INVALID_INPUT", "outcome"]);
  });

  test("by what is no outcome, nor under a key that stands for another", async () => {
    expect(await faultOf(force("EXPLODE"))).toEqual(["INVALID_INPUT", "outcome"]);
    expect(await faultOf(force("REFUSE", { of: "BANK_TRANSFER" }))).toEqual(["INVALID_INPUT", "of"]);
    expect(await faultOf(settle("t", "RETURNED"))).toEqual(["INVALID_INPUT", "outcome"]);
    expect(await faultOf(settle("t", "REFUSED", "x".repeat(301)))).toEqual(["INVALID_INPUT", "reason"]);
    expect((await refused(settle("t", "PAID"))).code).toBe("TRANSACTION_NOT_FOUND");
    await force("REFUSE", {}, "key");
    expect((await refused(force("STALL", {}, "key"))).code).toBe("IDEMPOTENCY_KEY_REUSED");
  });
});
