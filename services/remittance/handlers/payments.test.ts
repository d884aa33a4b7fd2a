import type { ClaimTransactionRequest, Transaction } from "../../../proto/gen/remittance/v1/remittance.js";
import { testTenant, waitFor as waitShortly } from "../../../test/support/index.js";
import { Refusal } from "../../kernel/refusal.js";
import { payableForMs } from "../domain/payment-window.js";
import { ada, faultOf, on, refused } from "../../../test/support/remittance-calls.js";
import { createWorld, type World } from "../../../test/support/remittance-fixture.js";
import { openTenant, order } from "../../../test/support/remittance-samples.js";

// Other suites may keep the machine busy.
const waitFor = <T>(ask: () => T | Promise<T>) => waitShortly(ask, { timeoutMs: 20_000 });

let world: World;
let tenantId: string;
beforeAll(async () => {
  world = await createWorld("payments");
  tenantId = await openTenant(world);
});
afterEach(() => world.reset());
afterAll(() => world.close());

const usd = (amountMinor: bigint) => ({ amountMinor, currency: "USD" });
let payments = 0;
const newPayment = () => `payment-${(payments += 1)}`;

async function awaiting(tenant = tenantId): Promise<Transaction> {
  return (await world.gateway.createTransaction(order(), on(tenant, ada))).transaction!;
}
const claim = (
  transactionId: string,
  paymentId: string,
  part: Partial<ClaimTransactionRequest> = {},
  tenant = tenantId,
) =>
  world.wallet.claimTransaction(
    { transactionId, paymentId, customerId: "c1", totalAmount: usd(102_69n), ...part },
    on(tenant, ada),
  );
const release = (transactionId: string, paymentId: string, tenant = tenantId) =>
  world.wallet.releaseTransaction({ transactionId, paymentId, reason: "INSUFFICIENT_FUNDS" }, on(tenant));
const markPaid = (transactionId: string, paymentId: string, tenant = tenantId) =>
  world.wallet.markTransactionPaid({ transactionId, paymentId, paidAt: new Date("2026-05-01T12:00:00Z") }, on(tenant));
const statusOf = async (transactionId: string) =>
  (await world.store.forTenant(tenantId).findTransaction(transactionId))!.status;
// What follows after it was paid has tests of its own, with a partner that is there.
const afterPayment = ["PAID", "PROCESSING"];
const publishRows = () =>
  world.db
    .collection("outbox")
    .countDocuments({ tenantId, state: { $in: ["DUE", "PARKED"] }, kind: "compliance.confirm-reservation" });

describe("ClaimTransaction", () => {
  test("says what is due part by part and makes sure of the accounts it names", async () => {
    const tenant = await openTenant(world);
    const { transactionId, transactionCode } = await awaiting(tenant);
    world.neighbours.accounts = [];
    const due = await claim(transactionId, newPayment(), {}, tenant);
    expect(due).toEqual({
      principal: usd(100_00n),
      totalFees: usd(2_50n),
      totalTaxes: usd(19n),
      clearingAccountId: "remittance_clearing:USD",
      feeIncomeAccountId: "fee_income:USD",
      taxPayableAccountId: "tax_payable:USD",
      transactionCode,
    });
    expect(world.neighbours.accounts.map(({ accountId, code, currency }) => [accountId, code, currency])).toEqual([
      ["remittance_clearing:USD", "remittance_clearing", "USD"],
      ["fee_income:USD", "fee_income", "USD"],
      ["tax_payable:USD", "tax_payable", "USD"],
    ]);
    const stored = await world.store.forTenant(tenant).findTransaction(transactionId);
    expect(stored!.timeline.at(-1)).toMatchObject({ status: "PAYING", actor: "u1" });
    // Known from now on.
    await claim((await awaiting(tenant)).transactionId, newPayment(), {}, tenant);
    expect(world.neighbours.accounts).toHaveLength(3);
  });

  test("repeats its answer to the payment that holds it, also after it was paid", async () => {
    const { transactionId } = await awaiting();
    const payment = newPayment();
    const first = await claim(transactionId, payment);
    expect(await claim(transactionId, payment)).toEqual(first);
    await markPaid(transactionId, payment);
    expect(await claim(transactionId, payment)).toEqual(first);
    expect(afterPayment).toContain(await statusOf(transactionId));
  });

  test("30 payments at once: one wins", async () => {
    const { transactionId } = await awaiting();
    const settled = await Promise.allSettled(Array.from({ length: 30 }, () => claim(transactionId, newPayment())));
    const refusals = settled.flatMap((result) =>
      result.status === "rejected" ? [(result.reason as Refusal).code] : [],
    );
    expect(refusals).toEqual(Array(29).fill("TRANSACTION_NOT_PAYABLE"));
  });

  test("404 unknown and other tenant's, 400 for bad input, 403 for who is not wallet", async () => {
    const { transactionId } = await awaiting();
    expect((await refused(claim("nope", "p"))).code).toBe("TRANSACTION_NOT_FOUND");
    expect((await refused(claim(transactionId, "p", {}, testTenant()))).code).toBe("TRANSACTION_NOT_FOUND");
    expect(await faultOf(claim("", "p"))).toEqual(["INVALID_INPUT", "transactionId"]);
    expect(await faultOf(claim(transactionId, ""))).toEqual(["INVALID_INPUT", "paymentId"]);
    expect(await faultOf(claim(transactionId, "p", { customerId: "" }))).toEqual(["INVALID_INPUT", "customerId"]);
    expect(await faultOf(claim(transactionId, "p", { totalAmount: undefined }))).toEqual([
      "INVALID_INPUT",
      "totalAmount",
    ]);
    const ask = { transactionId, paymentId: "p", customerId: "c1", totalAmount: usd(102_69n) };
    expect((await refused(world.gateway.claimTransaction(ask, on(tenantId, ada)))).code).toBe("CALLER_NOT_ALLOWED");
  });

  test("refuses another payer, other totals and currencies, and leaves it payable", async () => {
    const { transactionId } = await awaiting();
    const at = async (part: Partial<ClaimTransactionRequest>) => {
      const { code, details } = await refused(claim(transactionId, newPayment(), part));
      return [code, details?.figures];
    };
    expect(await at({ customerId: "c2" })).toEqual(["PAYER_NOT_SENDER", undefined]);
    expect(await at({ totalAmount: usd(102_68n) })).toEqual([
      "AMOUNT_MISMATCH",
      { totalAmount: "102.69", currency: "USD" },
    ]);
    expect(await at({ totalAmount: { amountMinor: 102_69n, currency: "NGN" } })).toEqual([
      "CURRENCY_MISMATCH",
      undefined,
    ]);
    expect(await statusOf(transactionId)).toBe("AWAITING_PAYMENT");
  });

  test("a claim is decided once: refused while another payment holds it, it stays refused when that one lets go", async () => {
    const { transactionId } = await awaiting();
    const [holder, refusedOne, later] = [newPayment(), newPayment(), newPayment()];
    await claim(transactionId, holder);
    await expect(claim(transactionId, refusedOne)).rejects.toMatchObject({ code: "TRANSACTION_NOT_PAYABLE" });
    await release(transactionId, holder);
    // Another driver of the same payment, a moment later: it must not take what the first was told
    // it cannot have.
    await expect(claim(transactionId, refusedOne)).rejects.toMatchObject({ code: "TRANSACTION_NOT_PAYABLE" });
    expect(await statusOf(transactionId)).toBe("AWAITING_PAYMENT");
    await claim(transactionId, later);
    expect(await statusOf(transactionId)).toBe("PAYING");
  });

  test("409 for what is paid, being paid, waiting for compliance or rejected", async () => {
    const { transactionId } = await awaiting();
    const payment = newPayment();
    await claim(transactionId, payment);
    expect((await refused(claim(transactionId, newPayment()))).code).toBe("TRANSACTION_NOT_PAYABLE");
    await markPaid(transactionId, payment);
    expect((await refused(claim(transactionId, newPayment()))).code).toBe("PAYABLE_ALREADY_PAID");
    world.neighbours.check = async () => ({ decision: "DECISION_REVIEW" });
    expect((await refused(claim((await awaiting()).transactionId, newPayment()))).code).toBe("TRANSACTION_NOT_PAYABLE");
    world.neighbours.check = async () => ({ decision: "DECISION_REJECTED", reasonCode: "RULE_REJECTED" });
    await refused(awaiting());
    const rejected = await world.db.collection("transactions").findOne({ tenantId, status: "REJECTED" });
    expect((await refused(claim(String(rejected!["transactionId"]), newPayment()))).code).toBe(
      "TRANSACTION_NOT_PAYABLE",
    );
  });
});

describe("expiry", () => {
  test("ends what nobody paid within 30 minutes, tells compliance, and leaves a claim alone", async () => {
    const [idle, held] = [await awaiting(), await awaiting()];
    const payment = newPayment();
    await claim(held.transactionId, payment);
    world.pass(payableForMs + 1_000);
    expect((await refused(claim(idle.transactionId, newPayment()))).code).toBe("TRANSACTION_EXPIRED");
    await waitFor(async () => (await statusOf(idle.transactionId)) === "EXPIRED");
    expect((await refused(claim(idle.transactionId, newPayment()))).code).toBe("TRANSACTION_EXPIRED");
    await waitFor(() => world.neighbours.released.includes(idle.transactionId));
    expect(await statusOf(held.transactionId)).toBe("PAYING");
    await markPaid(held.transactionId, payment);
    await waitFor(() => world.neighbours.confirmed.includes(held.transactionId));
    expect(world.neighbours.released).not.toContain(held.transactionId);
  });

  test("ends what a payment gives back after its time", async () => {
    const { transactionId } = await awaiting();
    const payment = newPayment();
    await claim(transactionId, payment);
    world.pass(payableForMs + 1_000);
    await release(transactionId, payment);
    await waitFor(async () => (await statusOf(transactionId)) === "EXPIRED");
    await waitFor(() => world.neighbours.released.includes(transactionId));
  });
});

describe("ReleaseTransaction", () => {
  test("gives it back for another payment, however often it is said", async () => {
    const { transactionId } = await awaiting();
    const payment = newPayment();
    await claim(transactionId, payment);
    await Promise.all([
      release(transactionId, payment),
      release(transactionId, payment),
      release(transactionId, payment),
    ]);
    expect(await statusOf(transactionId)).toBe("AWAITING_PAYMENT");
    const stored = await world.store.forTenant(tenantId).findTransaction(transactionId);
    expect(stored!.timeline.at(-1)).toMatchObject({
      status: "AWAITING_PAYMENT",
      actor: "wallet",
      reason: "INSUFFICIENT_FUNDS",
    });
    expect(stored!.releasedPayments).toEqual([payment]);
    await claim(transactionId, newPayment());
  });

  test("a claim that arrives after its release finds it over", async () => {
    const { transactionId } = await awaiting();
    const payment = newPayment();
    await release(transactionId, payment);
    expect((await refused(claim(transactionId, payment))).code).toBe("TRANSACTION_NOT_PAYABLE");
    await claim(transactionId, newPayment());
  });

  test("409 STATE_CONFLICT once it is paid; 404, 400, 403", async () => {
    const { transactionId } = await awaiting();
    const payment = newPayment();
    await claim(transactionId, payment);
    await markPaid(transactionId, payment);
    expect((await refused(release(transactionId, payment))).code).toBe("STATE_CONFLICT");
    expect((await refused(release(transactionId, payment, testTenant()))).code).toBe("TRANSACTION_NOT_FOUND");
    expect(await faultOf(release("", payment))).toEqual(["INVALID_INPUT", "transactionId"]);
    expect(await faultOf(release(transactionId, ""))).toEqual(["INVALID_INPUT", "paymentId"]);
    const ask = { transactionId, paymentId: payment, reason: "" };
    expect((await refused(world.gateway.releaseTransaction(ask, on(tenantId)))).code).toBe("CALLER_NOT_ALLOWED");
  });
});

describe("MarkTransactionPaid", () => {
  test("pays once and confirms the limit, however often it is said", async () => {
    const { transactionId } = await awaiting();
    const payment = newPayment();
    await claim(transactionId, payment);
    await Promise.all([
      markPaid(transactionId, payment),
      markPaid(transactionId, payment),
      markPaid(transactionId, payment),
    ]);
    await markPaid(transactionId, payment);
    const stored = await world.store.forTenant(tenantId).findTransaction(transactionId);
    expect(stored).toMatchObject({ paidAt: new Date("2026-05-01T12:00:00Z"), paymentId: payment });
    expect(afterPayment).toContain(stored!.status);
    expect(stored!.timeline.filter(({ status }) => status === "PAID")).toHaveLength(1);
    await waitFor(async () => (await publishRows()) === 0);
    expect(world.neighbours.confirmed.filter((id) => id === transactionId)).toEqual([transactionId]);
  });

  test("keeps the news for compliance until compliance has it", async () => {
    const { transactionId } = await awaiting();
    const payment = newPayment();
    await claim(transactionId, payment);
    world.neighbours.settle = () => Promise.reject(new Refusal("UNAVAILABLE", "away"));
    await markPaid(transactionId, payment);
    const row = { tenantId, aggregate: `transaction:${transactionId}`, kind: "compliance.confirm-reservation" };
    await waitFor(async () => ((await world.db.collection("outbox").findOne(row))?.["attempts"] ?? 0) > 0);
    expect(world.neighbours.confirmed).not.toContain(transactionId);
    world.neighbours.settle = async () => {};
    world.pass(10_000);
    await waitFor(() => world.neighbours.confirmed.includes(transactionId));
  });

  test("409 STATE_CONFLICT for a payment that holds no claim; 404, 400, 403", async () => {
    const { transactionId } = await awaiting();
    const payment = newPayment();
    expect((await refused(markPaid(transactionId, payment))).code).toBe("STATE_CONFLICT");
    await claim(transactionId, payment);
    expect((await refused(markPaid(transactionId, newPayment()))).code).toBe("STATE_CONFLICT");
    expect((await refused(markPaid(transactionId, payment, testTenant()))).code).toBe("TRANSACTION_NOT_FOUND");
    expect(await faultOf(markPaid("", payment))).toEqual(["INVALID_INPUT", "transactionId"]);
    expect(await faultOf(markPaid(transactionId, ""))).toEqual(["INVALID_INPUT", "paymentId"]);
    const ask = { transactionId, paymentId: payment };
    expect((await refused(world.gateway.markTransactionPaid(ask, on(tenantId)))).code).toBe("CALLER_NOT_ALLOWED");
    expect(await statusOf(transactionId)).toBe("PAYING");
  });
});
