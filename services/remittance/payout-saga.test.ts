import { waitFor as waitShortly } from "../../test/support/index.js";
import { createPayoutWorld, type PayoutWorld } from "../../test/support/payout-fixture.js";

let world: PayoutWorld;
beforeAll(async () => {
  world = await createPayoutWorld("payouts");
});
afterEach(() => world.reset());
afterAll(() => world.close());

jest.setTimeout(60_000);

// 100.00 USD at 1600, fee 2.50, tax 0.19 (remittance-fixture).
const served = { clearing: 0n, short: 102_69n, partner: 160_000_00n, fees: 2_50n, taxes: 19n, charges: 0n };
const refunded = { clearing: 0n, short: 0n, partner: 0n, fees: 0n, taxes: 0n, charges: 0n };

// Other suites may keep the machine busy.
const waitFor = <T>(ask: () => T | Promise<T>) => waitShortly(ask, { timeoutMs: 20_000 });
const statuses = ({ timeline }: { timeline: { status: string }[] }) => timeline.map(({ status }) => status);
const paidStates = ["AWAITING_COMPLIANCE", "AWAITING_PAYMENT", "PAYING", "PAID"];

describe("a payment that is paid out", () => {
  test("goes to the partner once and is settled: clearing at zero", async () => {
    const paid = await world.paid(await world.tenant());
    const done = await world.until(paid, "COMPLETED");
    expect(statuses(done)).toEqual([...paidStates, "PROCESSING", "COMPLETED"]);
    expect(await world.money(paid)).toEqual(served);
    expect(await world.statement(paid.tenantId)).toMatchObject([
      { reference: paid.transactionId, kind: "PAYOUT", amount: "160000.00" },
    ]);
  });

  test("refused: FAILED, then the wallet is whole again, with fees and taxes", async () => {
    const paid = await world.paid(await world.tenant(), { behaviour: "REFUSE", reason: "account closed" });
    const done = await world.until(paid, "REFUNDED");
    expect(statuses(done)).toEqual([...paidStates, "PROCESSING", "FAILED", "REFUNDED"]);
    expect(done.timeline.at(-2)).toMatchObject({ reason: "account closed", actor: "payout partner" });
    expect(await world.money(paid)).toEqual(refunded);
  });
});

describe("CancelTransaction", () => {
  test("before payment: CANCELLED, its share of the limit given back, and nobody can pay it", async () => {
    const tenantId = await world.tenant();
    const transactionId = await world.create(tenantId);
    const { transaction } = await world.cancel({ tenantId, transactionId });
    expect(transaction!.status).toBe("CANCELLED");
    await waitFor(() => world.told.released.includes(transactionId));
    await expect(world.debit(tenantId, transactionId)).rejects.toMatchObject({ code: "TRANSACTION_NOT_PAYABLE" });
    // Again, under another key: it is what was wanted.
    expect((await world.cancel({ tenantId, transactionId })).transaction!.status).toBe("CANCELLED");
  });

  test("while the partner has it: recalled, and refunded in full", async () => {
    const paid = await world.paid(await world.tenant(), { behaviour: "STALL" });
    await waitFor(async () => (await world.atPartner(paid)) === "ACCEPTED");
    expect((await world.cancel(paid)).transaction!.status).toBe("CANCELLING");
    const done = await world.until(paid, "REFUNDED");
    expect(statuses(done).slice(-3)).toEqual(["PROCESSING", "CANCELLING", "REFUNDED"]);
    expect(await world.money(paid)).toEqual(refunded);
    expect(await world.atPartner(paid)).toBe("RECALLED");
    await waitFor(() => world.told.givenBack.includes(paid.transactionId));
    await waitFor(() => world.told.refunded.some(({ paymentId }) => paymentId === paid.paymentId));
  });

  test("the payout was faster: COMPLETED", async () => {
    const tenantId = await world.tenant();
    world.callbacks.lose(true);
    const paid = await world.paid(tenantId, { behaviour: "ACCEPT", settleMs: 0 });
    await waitFor(async () => (await world.atPartner(paid)) === "PAID");
    const { transaction } = await world.cancel(paid);
    expect(["CANCELLING", "COMPLETED"]).toContain(transaction!.status);
    const done = await world.until(paid, "COMPLETED");
    expect(done.timeline.at(-1)!.reason).toMatch(/before it could be recalled/);
    expect(await world.money(paid)).toEqual(served);
  });
});
