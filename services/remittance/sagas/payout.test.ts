import { randomUUID } from "node:crypto";
import { atDepth } from "../../../test/support/depth.js";
import { waitFor as waitShortly } from "../../../test/support/index.js";
import { createPayoutWorld, type Paid, type PayoutWorld } from "../../../test/support/payout-fixture.js";
import { manager, on, refused } from "../../../test/support/remittance-calls.js";
import type { Transaction } from "../domain/transaction.js";
import { nothingFor, runsFor } from "../../../test/support/time.js";

let world: PayoutWorld;
let tenantId: string;
beforeAll(async () => {
  world = await createPayoutWorld("payouts");
});
beforeEach(async () => {
  tenantId = await world.tenant();
});
afterEach(() => world.reset());
afterAll(() => world.close());

jest.setTimeout(180_000);

// The faults project runs hundreds under load.
const manyPayments = atDepth({ quick: 14, ci: 42, long: 42 });

// 100.00 USD at 1600, fee 2.50, tax 0.19 (remittance-samples).
const served = { clearing: 0n, short: 102_69n, partner: 160_000_00n, fees: 2_50n, taxes: 19n, charges: 0n };
const refunded = { clearing: 0n, short: 0n, partner: 0n, fees: 0n, taxes: 0n, charges: 0n };
const paidStates = ["AWAITING_COMPLIANCE", "AWAITING_PAYMENT", "PAYING", "PAID"];

// Other suites may keep the machine busy.
const waitFor = <T>(ask: () => T | Promise<T>) => waitShortly(ask, { timeoutMs: 80_000 });
const statuses = ({ timeline }: Pick<Transaction, "timeline">) => timeline.map(({ status }) => status);
const since = (transaction: Transaction) => statuses(transaction).slice(paidStates.length);
const payouts = async () => (await world.statement(tenantId)).filter(({ kind }) => kind === "PAYOUT");
const settled = async () => (await waitFor(async () => (await world.openRows(tenantId)) === 0), undefined);

/** Neither more nor less than once, in all three books, and nobody is left with work. */
async function expectServed(paid: Paid): Promise<void> {
  await settled();
  expect(await world.money(paid)).toEqual(served);
  expect((await payouts()).map(({ reference }) => reference)).toEqual([paid.transactionId]);
  expect(world.told.givenBack).not.toContain(paid.transactionId);
}

async function expectRefunded(paid: Paid): Promise<void> {
  await settled();
  expect(await world.money(paid)).toEqual(refunded);
  expect(await payouts()).toEqual([]);
  expect(world.told.givenBack.filter((id) => id === paid.transactionId)).toHaveLength(1);
  const published = world.told.refunded.filter(({ paymentId }) => paymentId === paid.paymentId);
  expect(published).toMatchObject([
    { transactionId: paid.transactionId, refunded: { amountMinor: 102_69n, currency: "USD" } },
  ]);
}

describe("a payment that is paid out", () => {
  test("goes to the partner once and is settled: clearing at zero, every change on the timeline", async () => {
    const paid = await world.paid(tenantId);
    const done = await world.until(paid, "COMPLETED");
    expect(statuses(done)).toEqual([...paidStates, "PROCESSING", "COMPLETED"]);
    expect(done.timeline.slice(-2).map(({ actor }) => actor)).toEqual(["remittance", "payout partner"]);
    await expectServed(paid);
    expect(world.told.confirmed).toContain(paid.transactionId);
    const { lines } = await world.trialBalance(tenantId);
    for (const { debits, credits } of lines) expect(debits).toBe(credits);
  });

  test("by polling alone, where every callback is lost", async () => {
    world.callbacks.lose(true);
    const paid = await world.paid(tenantId, { behaviour: "ACCEPT", settleMs: 300 });
    await world.until(paid, "COMPLETED");
    await expectServed(paid);
  });

  test("is hurried on by a callback: the row that waits for its next poll is replaced", async () => {
    const paid = await world.paid(tenantId, { behaviour: "STALL" });
    await waitFor(async () => (await world.find(tenantId, paid.transactionId)).payout?.acceptedAt !== undefined);
    await world.callback(paid, "PAID");
    const aggregate = `payout:${paid.transactionId}`;
    const states = async () =>
      (await world.db.collection("outbox").find({ tenantId, aggregate }).toArray()).map(({ state }) => state);
    await waitFor(async () => (await states()).includes("CANCELLED"));
    // One waits again: the partner, asked, has said nothing new.
    await waitFor(async () => (await states()).filter((state) => state === "DUE").length === 1);
    await world.cancel(paid);
    await world.until(paid, "REFUNDED");
  });

  test("cash waits to be picked up first", async () => {
    const creditParty = [
      { key: "payoutpointid", value: "p-1" },
      { key: "recipientname", value: "Ngozi Okafor" },
    ];
    await world.operator.createBeneficiary(
      {
        ...world.beneficiary,
        idempotencyKey: "b-cash",
        code: "B-CASH",
        deliveryMethods: ["DELIVERY_METHOD_CASH_PICKUP"],
        creditParty,
      },
      on(tenantId),
    );
    const part = { type: "DELIVERY_METHOD_CASH_PICKUP" as const, recipientCustomerCode: "B-CASH", creditParty };
    const paid = await world.paid(tenantId, { behaviour: "ACCEPT", settleMs: 500 }, part);
    expect(since(await world.until(paid, "COMPLETED"))).toEqual(["PROCESSING", "READY_FOR_PICKUP", "COMPLETED"]);
    await expectServed(paid);
  });
});

describe("delivery into a wallet of the tenant", () => {
  const receivedMinor = 160_000_00n;
  const held = async (paid: Paid) =>
    waitFor(async () => (await world.find(tenantId, paid.transactionId)).payout?.acceptedAt !== undefined);

  test("credits it through the exchange, in the same books, and no partner hears of it", async () => {
    const { accountId, part } = await world.recipientWallet(tenantId);
    const paid = await world.paid(tenantId, undefined, part);
    const done = await world.until(paid, "COMPLETED");
    expect(since(done)).toEqual(["PROCESSING", "COMPLETED"]);
    expect(done.timeline.at(-1)).toMatchObject({ actor: "remittance" });
    await settled();
    expect(await world.balance(tenantId, accountId)).toBe(receivedMinor);
    expect(await world.money(paid)).toEqual({ ...served, partner: 0n });
    expect(await payouts()).toEqual([]);
    const { entries } = await world.books.listAccountEntries({ accountId }, on(tenantId));
    expect(entries).toMatchObject([{ kind: "settlement", description: `Payout of ${done.transactionCode}` }]);
    const { lines } = await world.trialBalance(tenantId);
    for (const { debits, credits } of lines) expect(debits).toBe(credits);
  });

  test("goes out at once, whatever the mode", async () => {
    for (const processingMode of ["NONE_AGGREGATION", "AGGREGATION"] as const) {
      const { accountId, part } = await world.recipientWallet(tenantId);
      const mode = { ...part, processingMode: `PROCESSING_MODE_${processingMode}` as const };
      await world.until(await world.paid(tenantId, undefined, mode), "COMPLETED");
      expect(await world.balance(tenantId, accountId)).toBe(receivedMinor);
    }
  });

  test("422 at once for a number that is nobody's, closed, in another currency or another tenant's", async () => {
    const { accountId, accountNumber, part } = await world.recipientWallet(tenantId);
    const refusal = async (requested: object) =>
      (await refused(world.create(tenantId, requested))).details?.errors?.[0];
    const with_ = (value: string) => ({ ...part, creditParty: [{ key: "walletaccountno", value }] });
    const unknown = { path: "creditParty", message: "walletaccountno names no open wallet in NGN" };
    expect(await refusal(with_("1999999999"))).toEqual(unknown);
    const other = await world.tenant();
    expect(await refusal(with_((await world.recipientWallet(other)).accountNumber))).toEqual(unknown);
    expect(await refusal(with_((await world.recipientWallet(tenantId, "USD")).accountNumber))).toEqual(unknown);
    // As people write it.
    await world.create(
      tenantId,
      with_(`${accountNumber.slice(0, 4)} ${accountNumber.slice(4, 7)}-${accountNumber.slice(7)}`),
    );
    await world.closeWallet(tenantId, accountId);
    expect(await refusal(part)).toEqual(unknown);
  });

  test("closed between the order and the payment: FAILED, and the sender has all of it again", async () => {
    const { accountId, part } = await world.recipientWallet(tenantId);
    const debited = await world.debit(tenantId, await world.create(tenantId, part));
    await world.closeWallet(tenantId, accountId);
    await world.markPaid(debited);
    const done = await world.until(debited, "REFUNDED");
    expect(since(done)).toEqual(["PROCESSING", "FAILED", "REFUNDED"]);
    expect(done.timeline.at(-2)!.reason).toBe("the recipient's wallet is closed");
    await expectRefunded(debited);
  });

  test.each(["BLOCKED", "PENDING"] as const)(
    "held while the recipient is %s; booked once confirmed",
    async (status) => {
      const { accountId, part } = await world.recipientWallet(tenantId);
      world.told.statuses.set("c2", status);
      const paid = await world.paid(tenantId, undefined, part);
      await held(paid);
      expect([await world.balance(tenantId, accountId), (await world.money(paid)).clearing]).toEqual([0n, 100_00n]);
      world.told.statuses.clear();
      await world.until(paid, "COMPLETED");
      expect(await world.balance(tenantId, accountId)).toBe(receivedMinor);
    },
  );

  test("what is held may be cancelled: the ledger decides once between the two", async () => {
    const { accountId, part } = await world.recipientWallet(tenantId);
    world.told.statuses.set("c2", "BLOCKED");
    const paid = await world.paid(tenantId, undefined, part);
    await held(paid);
    expect((await world.cancel(paid)).transaction!.status).toBe("CANCELLING");
    expect(since(await world.until(paid, "REFUNDED"))).toEqual(["PROCESSING", "CANCELLING", "REFUNDED"]);
    await expectRefunded(paid);
    expect(await world.balance(tenantId, accountId)).toBe(0n);
  });

  describe("once it is in the wallet", () => {
    const ask = (paid: Paid, part: object) => {
      const request = {
        transactionId: paid.transactionId,
        idempotencyKey: randomUUID(),
        reason: "sent to the wrong one",
      };
      return world.gateway.requestRefund({ ...request, ...part }, on(tenantId, manager));
    };
    const takeBack = async (paid: Paid) => {
      const { refund } = await ask(paid, { fromRecipient: true });
      expect(refund).toMatchObject({ status: "ASKED", fromRecipient: true, amount: { amountMinor: 102_69n } });
      const { refundId, approvalId } = refund!;
      const decision = { approvalId, status: "APPROVED", kind: "REVERSAL", decidedBy: "MA2" };
      await world.decide(tenantId, decision, { transactionId: paid.transactionId, refundId });
    };
    const delivered = async () => {
      const { accountId, part } = await world.recipientWallet(tenantId);
      const paid = await world.paid(tenantId, undefined, part);
      await world.until(paid, "COMPLETED");
      return { accountId, paid };
    };
    const refundsOf = async (paid: Paid) => (await world.find(tenantId, paid.transactionId)).refunds!;

    test("it is taken back whole, and the sender has all that was paid, fees and taxes too", async () => {
      const { accountId, paid } = await delivered();
      world.told.walletIsAway = true;
      await takeBack(paid);
      expect((await refused(ask(paid, {}))).code).toBe("REFUND_ABOVE_PAID");
      world.told.walletIsAway = false;
      const done = await world.until(paid, "REFUNDED");
      expect(since(done)).toEqual(["PROCESSING", "COMPLETED", "RETURNED", "REFUNDED"]);
      await expectRefunded(paid);
      expect(await world.balance(tenantId, accountId)).toBe(0n);
      expect(await world.balance(tenantId, "exchange_position:NGN")).toBe(0n);
      expect(await refundsOf(paid)).toMatchObject([{ status: "DONE", decidedBy: "MA2" }]);
      const { lines } = await world.trialBalance(tenantId);
      for (const { debits, credits } of lines) expect(debits).toBe(credits);
    });

    test("only where it is still there: else nothing moves, and the organisation may refund out of its own", async () => {
      const { accountId, paid } = await delivered();
      await world.spend(tenantId, accountId, 1n);
      await takeBack(paid);
      await waitFor(async () => (await refundsOf(paid))[0]!.status === "REFUSED");
      expect((await refundsOf(paid))[0]!.refusedBecause).toBe("the recipient's wallet has not so much any more");
      expect(await world.balance(tenantId, accountId)).toBe(receivedMinor - 1n);
      expect((await world.find(tenantId, paid.transactionId)).status).toBe("COMPLETED");
      const { refund } = await ask(paid, { amount: "5.00" });
      const { refundId, approvalId } = refund!;
      const decision = { approvalId, status: "APPROVED", decidedBy: "MA2" };
      await world.decide(tenantId, decision, { transactionId: paid.transactionId, refundId });
      await world.until(paid, "PARTIALLY_REFUNDED");
      expect(await world.balance(tenantId, "refund_expense:USD")).toBe(-5_00n);
      expect((await refused(ask(paid, { fromRecipient: true }))).code).toBe("REFUND_ABOVE_PAID");
    });

    test("400 for a part of it, 409 for what went another way", async () => {
      const { paid } = await delivered();
      const part = await refused(ask(paid, { fromRecipient: true, amount: "5.00" }));
      expect([part.code, part.details?.errors?.[0]?.path]).toEqual(["INVALID_INPUT", "amount"]);
      const elsewhere = await world.paid(tenantId);
      await world.until(elsewhere, "COMPLETED");
      expect((await refused(ask(elsewhere, { fromRecipient: true }))).code).toBe("STATE_CONFLICT");
    });
  });
});

describe("a partner that", () => {
  test("refuses: FAILED with its reason, then the wallet is whole again with fees and taxes", async () => {
    const paid = await world.paid(tenantId, { behaviour: "REFUSE", reason: "account closed" });
    const done = await world.until(paid, "REFUNDED");
    expect(since(done)).toEqual(["PROCESSING", "FAILED", "REFUNDED"]);
    expect(done.timeline.at(-2)).toMatchObject({ reason: "account closed", actor: "payout partner" });
    expect(done.timeline.at(-1)!.reason).toBe("102.69 USD to the wallet");
    await expectRefunded(paid);
  });

  test("refuses later", async () => {
    const paid = await world.paid(tenantId, { behaviour: "REFUSE_LATER", settleMs: 200, reason: "no such account" });
    expect(since(await world.until(paid, "REFUNDED"))).toEqual(["PROCESSING", "FAILED", "REFUNDED"]);
    await expectRefunded(paid);
  });

  test("hangs, and has nothing of it: asked again by the same reference", async () => {
    const paid = await world.paid(tenantId, { behaviour: "HANG", times: 2 });
    expect(since(await world.until(paid, "COMPLETED"))).toEqual(["PROCESSING", "COMPLETED"]);
    await expectServed(paid);
  });

  test("answers later than we wait", async () => {
    const paid = await world.paid(tenantId, { behaviour: "ANSWER_LATE", delayMs: 900 });
    await world.until(paid, "COMPLETED");
    await expectServed(paid);
  });

  test("loses its answer", async () => {
    const paid = await world.paid(tenantId, { behaviour: "LOSE_ANSWER" });
    await world.until(paid, "COMPLETED");
    await expectServed(paid);
  });

  test("tells twice", async () => {
    const paid = await world.paid(tenantId, { behaviour: "ANSWER_TWICE" });
    await world.until(paid, "COMPLETED");
    await expectServed(paid);
  });

  test("is away for this tenant, and comes back: postponed, never failed", async () => {
    await world.force({ account: tenantId, behaviour: "AWAY" });
    const other = await world.tenant();
    const [away, unharmed] = [await world.paid(tenantId), await world.paid(other)];
    await world.until(unharmed, "COMPLETED");
    await nothingFor(2_000);
    expect(since(await world.find(tenantId, away.transactionId))).toEqual(["PROCESSING"]);
    await world.unforce();
    await world.until(away, "COMPLETED");
    await expectServed(away);
  });

  test("is stopped and started again with what it had", async () => {
    const paid = await world.paid(tenantId, { behaviour: "ACCEPT", settleMs: 1_500 });
    await waitFor(async () => (await world.atPartner(paid)) === "ACCEPTED");
    await world.stopPartner();
    await nothingFor(1_000);
    expect(since(await world.find(tenantId, paid.transactionId))).toEqual(["PROCESSING"]);
    await world.startPartner();
    await world.until(paid, "COMPLETED");
    await expectServed(paid);
  });

  test("forgets what it had: nobody asks it to pay again, an operator sees the row", async () => {
    const paid = await world.paid(tenantId, { behaviour: "STALL" });
    await waitFor(async () => (await world.find(tenantId, paid.transactionId)).payout?.acceptedAt !== undefined);
    await world.forgetAtPartner(paid);
    const parked = await waitFor(async () => {
      const { rows } = await world.outbox.listRows({ tenantId }, on(tenantId));
      return rows[0];
    });
    expect(parked).toMatchObject({ kind: "payout.drive", state: "PARKED", aggregate: `payout:${paid.transactionId}` });
    expect(parked.lastError).toMatch(/does not know/);
    expect(since(await world.find(tenantId, paid.transactionId))).toEqual(["PROCESSING"]);
  });

  test("sends the money back, less what a bank kept: the wallet is whole but for that, which is an entry of its own", async () => {
    const paid = await world.paid(tenantId);
    await world.until(paid, "COMPLETED");
    // 4,000.00 NGN at 1600 are 2.50 USD.
    await world.sendBack(paid, "4000.00");
    const done = await world.until(paid, "REFUNDED");
    expect(since(done)).toEqual(["PROCESSING", "COMPLETED", "RETURNED", "REFUNDED"]);
    expect(done.timeline.at(-2)!.reason).toBe("4000.00 NGN kept by a bank");
    expect(done.timeline.at(-1)!.reason).toBe("100.19 USD to the wallet");
    await settled();
    expect(await world.money(paid)).toEqual({ ...refunded, short: 2_50n, partner: 4_000_00n, charges: 2_50n });
    expect(world.told.refunded.find(({ paymentId }) => paymentId === paid.paymentId)?.refunded?.amountMinor).toBe(
      100_19n,
    );
    expect(world.told.givenBack).toContain(paid.transactionId);
    const { differences } = await world.operator.reconcilePayouts({}, on(tenantId));
    expect(differences).toEqual([]);
  });

  test("sends it back and a bank kept nothing or everything, found by the statement alone", async () => {
    world.callbacks.lose(true);
    const cases = [
      ["0", { short: 0n, partner: 0n, charges: 0n }],
      ["160000.00", { short: 100_00n, partner: 160_000_00n, charges: 100_00n }],
    ] as const;
    const sentBack = async ([kept, money]: (typeof cases)[number]) => {
      const own = await world.tenant();
      const paid = await world.paid(own);
      await world.until(paid, "COMPLETED");
      await world.sendBack(paid, kept);
      await world.until(paid, "REFUNDED");
      await waitFor(async () => (await world.openRows(own)) === 0);
      expect(await world.money(paid)).toEqual({ ...refunded, ...money });
      expect((await world.operator.reconcilePayouts({}, on(own))).differences).toEqual([]);
    };
    // Beside each other: the statement is read once a second.
    await Promise.all(cases.map(sentBack));
  });

  test("sends back what cannot be worked, which waits by itself while those behind it are read once", async () => {
    world.callbacks.lose(true);
    const [poisoned, other] = [await world.paid(tenantId), await world.paid(tenantId)];
    for (const paid of [poisoned, other]) await world.until(paid, "COMPLETED");
    await settled();
    const rows = world.db.collection("transactions");
    const its = { tenantId, transactionId: poisoned.transactionId };
    const { creditParty } = (await rows.findOne(its))!;
    await rows.updateOne(its, { $set: { creditParty: null } });
    const before = new Date();
    await world.sendBack(poisoned, "0");
    await world.sendBack(other, "0");
    await world.until(other, "REFUNDED");
    const readers = world.db.collection("statement_readers");
    await waitFor(() => readers.findOne({ tenantId, readTo: { $gte: before } }));
    const left = () => world.db.collection("outbox").find({ tenantId, kind: "payout.hint" }).toArray();
    expect(await left()).toMatchObject([
      { payload: { transactionId: poisoned.transactionId, status: "RETURNED" }, state: "DUE" },
    ]);
    await rows.updateOne(its, { $set: { creditParty } });
    await world.until(poisoned, "REFUNDED");
    await settled();
    expect(await world.money(poisoned)).toEqual(refunded);
  });

  test("has paid and taken back before we asked once", async () => {
    world.callbacks.lose(true);
    await world.force({ account: tenantId, behaviour: "LOSE_ANSWER" });
    const transactionId = await world.create(tenantId);
    await world.force({ reference: transactionId, behaviour: "ANSWER_LATE", delayMs: 3_000, settleMs: 0 });
    const paid = await world.debit(tenantId, transactionId);
    await world.markPaid(paid);
    await waitFor(async () => (await world.atPartner(paid)) === "PAID");
    await world.sendBack(paid, "0");
    const done = await world.until(paid, "REFUNDED");
    expect(since(done)).toEqual(["PROCESSING", "COMPLETED", "RETURNED", "REFUNDED"]);
    await settled();
    expect(await world.money(paid)).toEqual(refunded);
  });
});

describe("news of a refund", () => {
  test("waits for a wallet that is away, while the money is back already", async () => {
    world.told.walletIsAway = true;
    const paid = await world.paid(tenantId, { behaviour: "REFUSE" });
    await world.until(paid, "REFUNDED");
    expect(await world.money(paid)).toEqual(refunded);
    await waitFor(() => world.told.givenBack.includes(paid.transactionId));
    world.told.walletIsAway = false;
    await expectRefunded(paid);
  });
});

describe("processing modes", () => {
  test("NONE_AGGREGATION waits for the partner's next window, each by itself", async () => {
    const part = { processingMode: "PROCESSING_MODE_NONE_AGGREGATION" as const };
    const paid = await world.paid(tenantId, undefined, part);
    const waiting = await waitFor(async () => (await world.find(tenantId, paid.transactionId)).payout?.windowAt);
    expect(waiting.getTime() % 1_000).toBe(0);
    const done = await world.until(paid, "COMPLETED");
    expect(done.payout!.sentAt!.getTime()).toBeGreaterThanOrEqual(waiting.getTime());
    await expectServed(paid);
  });

  test("AGGREGATION goes out together: one call, a result for each", async () => {
    const part = { processingMode: "PROCESSING_MODE_AGGREGATION" as const };
    const all = await Promise.all([
      world.paid(tenantId, undefined, part),
      world.paid(tenantId, { behaviour: "REFUSE" }, part),
      world.paid(tenantId, { behaviour: "HANG", times: 1 }, part),
      world.paid(tenantId, { behaviour: "REFUSE_LATER", settleMs: 100 }, part),
      world.paid(tenantId, { behaviour: "RETURN", kept: "0" }, part),
    ]);
    const ends = ["COMPLETED", "REFUNDED", "COMPLETED", "REFUNDED", "REFUNDED"] as const;
    await Promise.all(all.map((paid, index) => world.until(paid, ends[index]!)));
    await settled();
    const batches = await world.db.collection("payout_batches").find({ tenantId }).toArray();
    expect(batches.map(({ state }) => state)).toEqual(batches.map(() => "SENT"));
    expect(batches.reduce((sum, { count }) => sum + Number(count), 0)).toBe(all.length);
    expect(await world.balance(tenantId, "remittance_clearing:USD")).toBe(0n);
    expect(await world.balance(tenantId, "partner_settlement:operator:NGN")).toBe(2n * 160_000_00n);
    expect((await world.operator.reconcilePayouts({}, on(tenantId))).differences).toEqual([]);
  });

  test("what is cancelled before its batch goes out is refunded, and the partner never hears of it", async () => {
    const part = { processingMode: "PROCESSING_MODE_AGGREGATION" as const };
    const [stays, leaves] = [await world.paid(tenantId, undefined, part), await world.paid(tenantId, undefined, part)];
    await waitFor(async () => (await world.find(tenantId, leaves.transactionId)).payout?.batchId !== undefined);
    await world.cancel(leaves);
    expect(since(await world.until(leaves, "REFUNDED"))).toEqual(["CANCELLING", "REFUNDED"]);
    await world.until(stays, "COMPLETED");
    expect(await world.atPartner(leaves)).toBe("404");
    await settled();
    expect(await world.balance(tenantId, "remittance_clearing:USD")).toBe(0n);
  });

  test("a batch whose answer is lost is handed in again and paid once", async () => {
    await world.force({ account: tenantId, behaviour: "AWAY" });
    const part = { processingMode: "PROCESSING_MODE_AGGREGATION" as const };
    const all = await Promise.all([1, 2, 3].map(() => world.paid(tenantId, undefined, part)));
    await waitFor(async () => {
      const found = await Promise.all(all.map(({ transactionId }) => world.find(tenantId, transactionId)));
      return found.every(({ status }) => status === "PROCESSING");
    });
    await runsFor(500);
    await world.unforce();
    await Promise.all(all.map((paid) => world.until(paid, "COMPLETED")));
    await settled();
    expect((await payouts()).map(({ reference }) => reference).toSorted()).toEqual(
      all.map(({ transactionId }) => transactionId).toSorted(),
    );
  });
});

describe("many at once", () => {
  test(`${manyPayments} payments with every kind of partner's mood: each served or refunded once`, async () => {
    const moods = ["ACCEPT", "REFUSE", "REFUSE_LATER", "HANG", "ANSWER_LATE", "LOSE_ANSWER", "ANSWER_TWICE"] as const;
    const count = manyPayments;
    const all = await Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const behaviour = moods[index % moods.length]!;
        return world.paid(tenantId, {
          behaviour,
          delayMs: 600,
          settleMs: 100,
          ...(behaviour === "HANG" && { times: 1 }),
        });
      }),
    );
    await waitFor(async () => {
      const found = await Promise.all(all.map(({ transactionId }) => world.find(tenantId, transactionId)));
      return found.every(({ status }) => status === "COMPLETED" || status === "REFUNDED");
    });
    await settled();
    const ends = await Promise.all(all.map(({ transactionId }) => world.find(tenantId, transactionId)));
    const completed = ends.filter(({ status }) => status === "COMPLETED");
    expect(completed).toHaveLength(
      ends.filter((_, index) => !moods[index % moods.length]!.startsWith("REFUSE")).length,
    );
    expect((await payouts()).map(({ reference }) => reference).toSorted()).toEqual(
      completed.map(({ transactionId }) => transactionId).toSorted(),
    );
    expect(await world.balance(tenantId, "remittance_clearing:USD")).toBe(0n);
    expect(await world.balance(tenantId, "partner_settlement:operator:NGN")).toBe(
      BigInt(completed.length) * 160_000_00n,
    );
    expect((await world.operator.reconcilePayouts({}, on(tenantId))).differences).toEqual([]);
  });
});

describe("an operator", () => {
  test("sees a parked row, tries it again when its cause is gone, and the payout goes on", async () => {
    const paid = await world.paid(tenantId, { behaviour: "STALL" });
    await waitFor(async () => (await world.find(tenantId, paid.transactionId)).payout?.acceptedAt !== undefined);
    const restore = await world.forgetAtPartner(paid);
    const row = await waitFor(async () => (await world.outbox.listRows({ tenantId }, on(tenantId))).rows[0]);
    await restore("PAID");
    const ask = { tenantId, rowId: row.rowId, who: "ops@manilla.example", why: "the partner has it again" };
    const { row: shown } = await world.outbox.showRow({ tenantId, rowId: row.rowId }, on(tenantId));
    expect(shown!.payload).toEqual({ transactionId: paid.transactionId });
    await world.outbox.retryRow(ask, on(tenantId));
    await world.until(paid, "COMPLETED");
    const { row: after } = await world.outbox.showRow({ tenantId, rowId: row.rowId }, on(tenantId));
    expect(after).toMatchObject({ state: "DONE", notes: [{ action: "retry", who: ask.who, why: ask.why }] });
  });

  test("404, 409 and 400 of rows; nobody else may look", async () => {
    const missing = { tenantId, rowId: randomUUID(), who: "ops", why: "because" };
    await expect(world.outbox.retryRow(missing, on(tenantId))).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(world.outbox.dropRow({ ...missing, why: " " }, on(tenantId))).rejects.toMatchObject({
      code: "INVALID_INPUT",
    });
    await expect(world.outbox.listRows({ state: "LOST" }, on(tenantId))).rejects.toMatchObject({
      code: "INVALID_INPUT",
    });
    const paid = await world.paid(tenantId);
    await world.until(paid, "COMPLETED");
    const done = (await world.outbox.listRows({ tenantId, state: "DONE" }, on(tenantId))).rows[0]!;
    const ask = { ...missing, rowId: done.rowId };
    await expect(world.outbox.dropRow(ask, on(tenantId))).rejects.toMatchObject({ code: "STATE_CONFLICT" });
    await expect(world.outboxAs("gateway").listRows({}, on(tenantId))).rejects.toMatchObject({
      code: "CALLER_NOT_ALLOWED",
    });
  });
});
