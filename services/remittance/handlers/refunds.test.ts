import { randomUUID } from "node:crypto";
import { createPayoutWorld, type Paid, type PayoutWorld } from "../../../test/support/payout-fixture.js";
import { waitFor } from "../../../test/support/index.js";
import { ada, agent, ben, cashier, manager, on, refused } from "../../../test/support/remittance-calls.js";

let world: PayoutWorld;
let tenantId: string;
beforeAll(async () => {
  world = await createPayoutWorld("refunds");
  tenantId = await world.tenant();
});
afterEach(() => world.reset());
afterAll(() => world.close());

jest.setTimeout(120_000);

type User = typeof manager | typeof cashier | typeof agent | typeof ada;
const ask = (
  { transactionId }: { transactionId: string },
  amount = "",
  { user = manager, key = randomUUID(), reason = "goodwill" }: { user?: User; key?: string; reason?: string } = {},
) => world.gateway.requestRefund({ idempotencyKey: key, transactionId, amount, reason }, on(tenantId, user));
const approve = (paid: Paid, refund: { refundId: string; approvalId: string }, status = "APPROVED") =>
  world.decide(
    tenantId,
    { approvalId: refund.approvalId, status, decidedBy: "MA2" },
    { transactionId: paid.transactionId, refundId: refund.refundId },
  );
async function completed(): Promise<Paid> {
  const paid = await world.paid(tenantId);
  await world.until(paid, "COMPLETED");
  return paid;
}
/** What the wallet has heard of its payment, once that is so much. */
async function toldOf(paid: Paid, count: number) {
  const told = () => world.told.refunded.filter(({ paymentId }) => paymentId === paid.paymentId);
  await waitFor(() => told().length >= count, { timeoutMs: 10_000, what: "the wallet to be told" });
  return told();
}
const totalMinor = 102_69n;

describe("RequestRefund", () => {
  test("in parts and then whole: each booked once, never above what was paid, wallet told of every part", async () => {
    const paid = await completed();
    const first = (await ask(paid, "2.69")).refund!;
    expect(first).toMatchObject({ status: "ASKED", amount: { amountMinor: 2_69n }, askedBy: "MA1" });
    expect((await world.money(paid)).short).toBe(totalMinor);
    await approve(paid, first);
    await approve(paid, first);
    await world.until(paid, "PARTIALLY_REFUNDED");
    expect((await world.money(paid)).short).toBe(100_00n);
    expect(await toldOf(paid, 1)).toMatchObject([{ refunded: { amountMinor: 2_69n }, isPart: true }]);
    const rest = (await ask(paid)).refund!;
    expect(rest.amount!.amountMinor).toBe(100_00n);
    expect((await refused(ask(paid, "0.01"))).details?.figures).toEqual({ refundable: "0.00", currency: "USD" });
    await approve(paid, rest);
    await world.until(paid, "REFUNDED");
    expect((await world.money(paid)).short).toBe(0n);
    expect(await world.balance(tenantId, "refund_expense:USD")).toBe(-totalMinor);
    const told = await toldOf(paid, 2);
    expect(told[1]).toMatchObject({ refunded: { amountMinor: totalMinor }, isPart: false });
    const { transaction } = await world.gateway.getTransaction(
      { transactionId: paid.transactionId },
      on(tenantId, manager),
    );
    expect(transaction).toMatchObject({
      status: "REFUNDED",
      refundedAmount: { amountMinor: totalMinor },
      refunds: [
        { status: "DONE", decidedBy: "MA2" },
        { status: "DONE", decidedBy: "MA2" },
      ],
    });
    expect((await refused(ask(paid))).code).toBe("STATE_CONFLICT");
  });

  test("what waits for a decision holds its amount; refused or expired it is free again", async () => {
    const paid = await completed();
    const { refund } = await ask(paid, "100.00");
    expect(await refused(ask(paid, "2.70"))).toMatchObject({
      code: "REFUND_ABOVE_PAID",
      details: { figures: { refundable: "2.69", currency: "USD" } },
    });
    await approve(paid, refund!, "REFUSED");
    const again = (await ask(paid, "102.69")).refund!;
    await approve(paid, again, "EXPIRED");
    expect((await world.find(tenantId, paid.transactionId)).status).toBe("COMPLETED");
    expect((await world.money(paid)).short).toBe(totalMinor);
  });

  test("many that race for the rest get no more than it", async () => {
    const paid = await completed();
    const all = await Promise.allSettled(Array.from({ length: 5 }, () => ask(paid, "60.00")));
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("a repeated key is the same question", async () => {
    const paid = await completed();
    const key = randomUUID();
    const first = await ask(paid, "1.00", { key });
    expect((await ask(paid, "1.00", { key })).refund!.refundId).toBe(first.refund!.refundId);
    expect((await refused(ask(paid, "2.00", { key }))).code).toBe("IDEMPOTENCY_KEY_REUSED");
    expect((await world.find(tenantId, paid.transactionId)).refunds).toHaveLength(1);
  });

  test("an approval that comes after the partner sent it back refunds nothing twice", async () => {
    const paid = await completed();
    const { refund } = await ask(paid, "50.00");
    await world.sendBack(paid, "0");
    await world.until(paid, "REFUNDED");
    await approve(paid, refund!);
    const after = await world.find(tenantId, paid.transactionId);
    expect(after.refunds![0]).toMatchObject({ status: "REFUSED" });
    expect((await world.money(paid)).short).toBe(0n);
  });

  test("409 before it is completed, with what to do instead; 404, 403, 400", async () => {
    const waiting = await world.create(tenantId);
    expect((await refused(ask({ transactionId: waiting }))).code).toBe("STATE_CONFLICT");
    expect((await refused(ask({ transactionId: "nothing" }))).code).toBe("TRANSACTION_NOT_FOUND");
    const paid = await completed();
    expect((await refused(ask(paid, "1.00", { user: ada }))).code).toBe("FORBIDDEN");
    expect((await refused(ask(paid, "1.00", { user: cashier }))).code).toBe("FORBIDDEN");
    expect((await refused(ask(paid, "1.00", { user: ben as never }))).code).toBe("FORBIDDEN");
    await ask(paid, "1.00", { user: agent });
    expect((await refused(ask(paid, "1.001"))).code).toBe("INVALID_INPUT");
    expect((await refused(ask(paid, "-1"))).code).toBe("INVALID_INPUT");
    expect((await refused(ask(paid, "0"))).code).toBe("AMOUNT_NOT_POSITIVE");
    expect((await refused(ask(paid, "", { reason: " " }))).code).toBe("INVALID_INPUT");
    expect((await refused(ask(paid, "", { key: "" }))).code).toBe("HEADER_REQUIRED");
  });
});
