import { randomUUID } from "node:crypto";
import { signCallback } from "../../../deploy/partner/callbacks.js";
import { atDepth } from "../../../test/support/depth.js";
import { waitFor as waitShortly } from "../../../test/support/index.js";
import { createPayoutWorld, type Paid, type PayoutWorld } from "../../../test/support/payout-fixture.js";
import { callbackSecret } from "../../../test/support/payout-partner.js";
import { ada, ben, cashier, on, refused } from "../../../test/support/remittance-calls.js";
import { order } from "../../../test/support/remittance-samples.js";
import { cancellableForMs } from "../domain/cancellation.js";
import { nothingFor, runsFor } from "../../../test/support/time.js";

let world: PayoutWorld;
let tenantId: string;
beforeAll(async () => {
  world = await createPayoutWorld("cancels");
  tenantId = await world.tenant();
});
afterEach(() => world.reset());
afterAll(() => world.close());

jest.setTimeout(180_000);

const waitFor = <T>(ask: () => T | Promise<T>) => waitShortly(ask, { timeoutMs: 90_000 });
const statuses = async ({ transactionId }: { transactionId: string }, tenant = tenantId) =>
  (await world.find(tenant, transactionId)).timeline.map(({ status }) => status);

describe("CancelTransaction", () => {
  test("before payment: CANCELLED with actor and reason, its share of the limit given back, never payable", async () => {
    const transactionId = await world.create(tenantId);
    const { transaction } = await world.cancel({ tenantId, transactionId });
    expect(transaction!.status).toBe("CANCELLED");
    expect(transaction!.timeline.at(-1)).toMatchObject({ actor: "u1", reason: "cancelled by the sender" });
    await waitFor(() => world.told.released.includes(transactionId));
    await expect(world.debit(tenantId, transactionId)).rejects.toMatchObject({ code: "TRANSACTION_NOT_PAYABLE" });
    // It is what was wanted.
    expect((await world.cancel({ tenantId, transactionId })).transaction!.status).toBe("CANCELLED");
  });

  test("while the partner has it: recalled, and refunded in full", async () => {
    const paid = await world.paid(tenantId, { behaviour: "STALL" });
    await waitFor(async () => (await world.atPartner(paid)) === "ACCEPTED");
    expect((await world.cancel(paid)).transaction!.status).toBe("CANCELLING");
    await world.until(paid, "REFUNDED");
    expect((await statuses(paid)).slice(-3)).toEqual(["PROCESSING", "CANCELLING", "REFUNDED"]);
    expect((await world.money(paid)).short).toBe(0n);
    expect(await world.atPartner(paid)).toBe("RECALLED");
    await waitFor(() => world.told.givenBack.includes(paid.transactionId));
    await waitFor(() => world.told.refunded.some(({ paymentId }) => paymentId === paid.paymentId));
    // What was cancelled stays cancelled; nothing of it can be asked again.
    expect((await refused(world.cancel(paid))).code).toBe("STATE_CONFLICT");
  });

  test("while the order to the partner hangs: the recall wins, also before the order arrives", async () => {
    const paid = await world.paid(tenantId, { behaviour: "HANG", times: 1 });
    await waitFor(async () => (await statuses(paid)).at(-1) === "PROCESSING");
    await world.cancel(paid);
    await world.until(paid, "REFUNDED");
    expect(await world.atPartner(paid)).toBe("RECALLED");
    expect((await world.money(paid)).short).toBe(0n);
  });

  test("after the partner has paid: COMPLETED, and the timeline says why", async () => {
    world.callbacks.lose(true);
    const paid = await world.paid(tenantId, { behaviour: "ACCEPT", settleMs: 0 });
    await waitFor(async () => (await world.atPartner(paid)) === "PAID");
    expect((await world.cancel(paid)).transaction!.status).toBe("CANCELLING");
    const done = await world.until(paid, "COMPLETED");
    expect(done.timeline.at(-1)!.reason).toBe("paid out before it could be recalled");
    expect((await world.money(paid)).short).toBe(102_69n);
    expect(world.told.givenBack).not.toContain(paid.transactionId);
  });

  test("waits for a partner that is away, and is decided when it is back", async () => {
    const tenant = await world.tenant();
    const paid = await world.paid(tenant, { behaviour: "STALL" });
    await waitFor(async () => (await world.atPartner(paid)) === "ACCEPTED");
    await world.force({ account: tenant, behaviour: "AWAY" });
    await world.cancel(paid);
    await nothingFor(1_500);
    expect((await statuses(paid, tenant)).at(-1)).toBe("CANCELLING");
    await world.unforce();
    await world.until(paid, "REFUNDED");
  });

  test("right after the payment's answer it waits until remittance has heard of the payment", async () => {
    await world.force({ account: tenantId, behaviour: "STALL" });
    const paying = await world.debit(tenantId, await world.create(tenantId));
    const cancelled = world.cancel(paying);
    await runsFor(300);
    await world.markPaid(paying);
    expect((await cancelled).transaction!.status).toBe("CANCELLING");
    await world.until(paying, "REFUNDED");
    expect((await world.money(paying)).short).toBe(0n);
  });

  test("409 while it is paid is not kept; once it is paid out, and 30 minutes after the payment, it is", async () => {
    const transactionId = await world.create(tenantId);
    const paying = await world.debit(tenantId, transactionId);
    const key = randomUUID();
    const early = await refused(world.cancel(paying, key));
    expect([early.code, early.details]).toEqual(["STATE_CONFLICT", { retryAfterS: 1 }]);
    await world.markPaid(paying);
    await world.until(paying, "COMPLETED");
    for (let time = 0; time < 2; time += 1) {
      const late = await refused(world.cancel(paying, key));
      expect([late.code, late.message, late.details]).toEqual([
        "STATE_CONFLICT",
        "the transaction is COMPLETED",
        undefined,
      ]);
    }

    const late = await world.paid(tenantId, { behaviour: "STALL" });
    await waitFor(async () => (await world.atPartner(late)) === "ACCEPTED");
    world.pass(cancellableForMs + 1_000);
    expect((await refused(world.cancel(late))).message).toMatch(/30 minutes/);
  });

  test("once per key: the same answer again, 422 for another transaction, nothing kept of a 403", async () => {
    const [one, two] = [await world.create(tenantId), await world.create(tenantId)];
    const key = randomUUID();
    const first = await world.cancel({ tenantId, transactionId: one }, key);
    expect(await world.cancel({ tenantId, transactionId: one }, key)).toEqual(first);
    expect((await refused(world.cancel({ tenantId, transactionId: two }, key))).code).toBe("IDEMPOTENCY_KEY_REUSED");
    const request = { transactionId: two, idempotencyKey: "k-1", reason: "changed my mind" };
    expect((await refused(world.gateway.cancelTransaction(request, on(tenantId, ben)))).code).toBe("FORBIDDEN");
    expect((await refused(world.gateway.cancelTransaction(request, on(tenantId, cashier)))).code).toBe("FORBIDDEN");
    const mine = await world.gateway.cancelTransaction(request, on(tenantId, ada));
    expect(mine.transaction!.timeline.at(-1)!.reason).toBe("changed my mind");
  });

  test("what compliance approves after it was cancelled gives its share back, and stays cancelled", async () => {
    world.told.decision = "DECISION_REVIEW";
    const transactionId = await world.create(tenantId);
    expect((await world.cancel({ tenantId, transactionId })).transaction!.status).toBe("CANCELLED");
    await waitFor(() => world.told.released.filter((id) => id === transactionId).length === 1);
    const approval = { transactionId, decision: "DECISION_APPROVED" as const, policyVersion: 1 };
    await world.compliance.decideTransaction(approval, on(tenantId));
    await waitFor(() => world.told.released.filter((id) => id === transactionId).length === 2);
    expect((await statuses({ transactionId })).at(-1)).toBe("CANCELLED");
  });

  test("a cashier cancels what they created", async () => {
    const made = await world.gateway.createTransaction(order(), on(tenantId, cashier));
    const { transactionId } = made.transaction!;
    const request = { transactionId, idempotencyKey: "k-2", reason: "" };
    const { transaction } = await world.gateway.cancelTransaction(request, on(tenantId, cashier));
    expect(transaction!.timeline.at(-1)).toMatchObject({
      status: "CANCELLED",
      actor: "CA1",
      reason: "cancelled by staff",
    });
  });

  test("404, 400", async () => {
    expect((await refused(world.cancel({ tenantId, transactionId: "nope" }))).code).toBe("TRANSACTION_NOT_FOUND");
    const transactionId = await world.create(tenantId);
    const other = await world.tenant();
    expect((await refused(world.cancel({ tenantId: other, transactionId }))).code).toBe("TRANSACTION_NOT_FOUND");
    expect((await refused(world.cancel({ tenantId, transactionId }, ""))).code).toBe("HEADER_REQUIRED");
    expect((await refused(world.cancel({ tenantId, transactionId: "" }))).code).toBe("INVALID_INPUT");
  });
});

// A caller that was not answered in time knows nothing; what became of its request is looked at
// afterwards.
const unknownOrLate: ReadonlySet<string> = new Set(["STATE_CONFLICT", "UNAVAILABLE", "DEADLINE_EXCEEDED"]);

describe("hundreds at once", () => {
  /** Ends once, the same in transaction, wallet and partner's books. */
  async function expectOneOutcome(paid: Paid): Promise<void> {
    const done = await waitFor(async () => {
      const now = await world.find(paid.tenantId, paid.transactionId);
      return now.status === "COMPLETED" || now.status === "REFUNDED" ? now : undefined;
    });
    await waitFor(async () => (await world.openRows(paid.tenantId)) === 0);
    const isServed = done.status === "COMPLETED";
    expect(await world.find(paid.tenantId, paid.transactionId)).toMatchObject({ status: done.status });
    expect(await world.atPartner(paid)).toMatch(isServed ? /^PAID$/ : /^(RECALLED|404)$/);
    expect((await world.money(paid)).short).toBe(isServed ? 102_69n : 0n);
    const lines = (await world.statement(paid.tenantId)).filter(({ reference }) => reference === paid.transactionId);
    expect(lines).toHaveLength(isServed ? 1 : 0);
    const final = done.timeline.filter(({ status }) => status === "COMPLETED" || status === "REFUNDED");
    expect(final).toHaveLength(1);
    expect(world.told.refunded.filter(({ paymentId }) => paymentId === paid.paymentId)).toHaveLength(isServed ? 0 : 1);
  }

  test.each([
    ["before the partner has it", 1_500, false],
    ["while the partner has it", 1_500, true],
    ["while the partner pays", 30, true],
    ["after it has paid", 0, false],
  ])("cancels, news of the payment and callbacks: one outcome (%s)", async (_name, settleMs, waits) => {
    const tenant = await world.tenant();
    const transactionId = await world.create(tenant);
    await world.force({ reference: transactionId, behaviour: "ANSWER_TWICE", settleMs });
    const paid = await world.debit(tenant, transactionId);
    await world.markPaid(paid);
    if (waits) await waitFor(async () => (await world.atPartner(paid)) !== "404");
    const ask = (index: number) => {
      if (index % 5 === 0) return world.markPaid(paid);
      if (index % 5 === 1) return world.callback(paid, index % 2 === 0 ? "PAID" : "REFUSED");
      return world.cancel(paid);
    };
    const answers = await Promise.allSettled(
      Array.from({ length: atDepth({ quick: 60, ci: 200, long: 500 }) }, (_, index) => ask(index)),
    );
    const codes = answers.flatMap((answer) =>
      answer.status === "rejected" ? [(answer.reason as { code?: string }).code ?? String(answer.reason)] : [],
    );
    expect([...new Set(codes)].filter((code) => !unknownOrLate.has(code))).toEqual([]);
    await expectOneOutcome(paid);
  });
});

describe("ReceivePayoutCallback", () => {
  const send = (
    change: Partial<{ id: string; timestamp: number; signature: string; body: string; secret: string }>,
    paid: { tenantId: string; transactionId: string },
    to = paid.tenantId,
  ) => {
    const body = change.body ?? JSON.stringify(callbackBody(paid));
    const id = change.id ?? randomUUID();
    const timestamp = change.timestamp ?? Math.floor(Date.now() / 1_000);
    const signed = signCallback(change.secret ?? callbackSecret, id, timestamp, body);
    return world.gateway.receivePayoutCallback(
      {
        webhookId: id,
        webhookTimestamp: String(timestamp),
        webhookSignature: change.signature ?? signed["webhook-signature"]!,
        body: Buffer.from(body),
      },
      on(to),
    );
  };
  const callbackBody = ({ tenantId: account, transactionId }: { tenantId: string; transactionId: string }) => ({
    type: "payout.paid",
    account,
    payout: { reference: transactionId, status: "PAID" },
  });

  /** A payout that the partner has accepted, and says no more of. */
  const accepted = async () => {
    const paid = await world.paid(tenantId, { behaviour: "STALL" });
    const isAccepted = async () => (await world.find(tenantId, paid.transactionId)).payout?.acceptedAt !== undefined;
    await waitFor(isAccepted);
    return paid;
  };
  /** How often what waits to ask the partner was put off for a callback. */
  const replacedOf = ({ transactionId }: { transactionId: string }) =>
    world.db
      .collection("outbox")
      .countDocuments({ tenantId, aggregate: `payout:${transactionId}`, state: "CANCELLED" });

  test("a forged one is 401 and moves nothing", async () => {
    const paid = await accepted();
    const secondsFromNow = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds;
    const forgeries = [
      () => ({ secret: `whsec_${Buffer.from("another secret altogether").toString("base64")}` }),
      () => ({ signature: "" }),
      () => ({ signature: "v1," }),
      () => ({ signature: "v2,AAAA" }),
      () => ({ signature: `v1,${Buffer.alloc(32).toString("base64")}` }),
      () => ({ timestamp: secondsFromNow(-301) }),
      // A call that lasts a minute does not make it a right one.
      () => ({ timestamp: secondsFromNow(360) }),
      () => ({ id: "a b" }),
    ];
    for (const forged of forgeries) expect((await refused(send(forged(), paid))).code).toBe("UNAUTHENTICATED");
    // Signed by the partner, but for another tenant.
    const other = await world.tenant();
    expect((await refused(send({}, paid, other))).code).toBe("UNAUTHENTICATED");
    // The partner is asked by and by all the while, which changes the
    // version: callbacks are counted.
    expect(await replacedOf(paid)).toBe(0);
    expect((await statuses(paid)).at(-1)).toBe("PROCESSING");
  });

  test("one that lies moves nothing: the partner itself is asked", async () => {
    const paid = await accepted();
    const { version } = await world.find(tenantId, paid.transactionId);
    await send({}, paid);
    await waitFor(async () => (await world.find(tenantId, paid.transactionId)).version >= version + 2);
    expect((await statuses(paid)).at(-1)).toBe("PROCESSING");
  });

  test("one that is played again has no effect; any of several signatures is enough", async () => {
    const paid = await accepted();
    const id = randomUUID();
    const timestamp = Math.floor(Date.now() / 1_000);
    const body = JSON.stringify(callbackBody(paid));
    const right = signCallback(callbackSecret, id, timestamp, body)["webhook-signature"]!;
    await send({ id, timestamp, body, signature: `v1,${Buffer.alloc(32).toString("base64")} ${right}` }, paid);
    await waitFor(async () => (await replacedOf(paid)) === 1);
    await Promise.all(Array.from({ length: 20 }, () => send({ id, timestamp, body, signature: right }, paid)));
    expect(await replacedOf(paid)).toBe(1);
  });

  test("400 for what is signed and not understood; an unknown reference is taken and forgotten", async () => {
    const paid = { tenantId, transactionId: "unknown" };
    expect((await refused(send({ body: "{" }, paid))).code).toBe("INVALID_INPUT");
    expect((await refused(send({ body: '{"type":"x"}' }, paid))).code).toBe("INVALID_INPUT");
    await send({}, paid);
  });
});
