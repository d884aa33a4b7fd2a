import { randomUUID } from "node:crypto";
import { asCash, cashPoint, handOut, owedToAgent, tillOf } from "../../../test/support/cash-point.js";
import { createPayoutWorld, type PayoutWorld } from "../../../test/support/payout-fixture.js";
import { ada, ben, cashier, manager, on, refused } from "../../../test/support/remittance-calls.js";
import { Refusal } from "../../kernel/refusal.js";
import { waitFor } from "../../../test/support/index.js";

let world: PayoutWorld;
beforeAll(async () => void (world = await createPayoutWorld("cash")));
afterEach(() => world.reset());
afterAll(() => world.close());

jest.setTimeout(120_000);

/** A tenant with a cash point of its own. */
async function tenantWithPoint(part: object = {}): Promise<string> {
  const tenantId = await world.tenant();
  await world.gateway.putPayoutPoint({ point: { ...cashPoint, ...part } }, on(tenantId, manager));
  return tenantId;
}
async function ready(tenantId: string) {
  const paid = await world.paid(tenantId, undefined, asCash);
  const transaction = await world.until(paid, "READY_FOR_PICKUP");
  return { ...paid, transactionCode: transaction.transactionCode };
}
const issue = (tenantId: string, transactionId: string, user: object = ada) =>
  world.gateway.issuePickupCode({ transactionId }, on(tenantId, user as typeof ada));
const payOut = (tenantId: string, transactionCode: string, pickupCode: string, by = {}) =>
  handOut(world, tenantId, transactionCode, pickupCode, by);

/** What wallet asks where nobody knows the code any more. */
const recovered = (transactionId: string, idempotencyKey: string) => ({
  idempotencyKey,
  transactionId,
  cashierId: "CA1",
  pickupCode: "",
});

describe("a collector who is named wrongly", () => {
  const amended = (tenantId: string, transactionId: string, name: string) =>
    world.gateway.amendTransaction(
      {
        idempotencyKey: randomUUID(),
        transactionId,
        accountHolderName: name,
        reason: "It was misspelled",
        password: "right",
      },
      on(tenantId, ada),
    );
  const collectorOf = async (tenantId: string, transactionId: string) =>
    (await world.find(tenantId, transactionId)).creditParty.find(({ key }) => key === "recipientname")?.value;

  test("is put right at the point, after which the old code pays nobody", async () => {
    const tenantId = await tenantWithPoint();
    const { transactionId, transactionCode } = await ready(tenantId);
    const { code } = await issue(tenantId, transactionId);
    await amended(tenantId, transactionId, "Ngozi Okafor-Eze");
    expect(await collectorOf(tenantId, transactionId)).toBe("Ngozi Okafor-Eze");
    expect((await refused(payOut(tenantId, transactionCode, code))).code).toBe("PICKUP_CODE_LOCKED");
    const { code: next } = await issue(tenantId, transactionId);
    await payOut(tenantId, transactionCode, next);
    const late = await refused(amended(tenantId, transactionId, "Ngozi Eze"));
    expect(late.code).toBe("STATE_CONFLICT");
  });

  test("and handed out at once: one is first, and the other is refused", async () => {
    const tenantId = await tenantWithPoint();
    for (let round = 0; round < 5; round += 1) {
      const { transactionId, transactionCode } = await ready(tenantId);
      const { code } = await issue(tenantId, transactionId);
      const [amendment, handedOut] = await Promise.allSettled([
        amended(tenantId, transactionId, "Ngozi Okafor-Eze"),
        payOut(tenantId, transactionCode, code),
      ]);
      expect([amendment.status, handedOut.status].toSorted()).toEqual(["fulfilled", "rejected"]);
      const isAmended = amendment.status === "fulfilled";
      expect((await collectorOf(tenantId, transactionId)) === "Ngozi Okafor-Eze").toBe(isAmended);
      expect((await world.find(tenantId, transactionId)).pickup?.handOutId === undefined).toBe(isAmended);
    }
  });
});

describe("cash of our own", () => {
  test("that an agent hands out of their own notes is owed to them, and comes out of no till", async () => {
    const tenantId = await tenantWithPoint();
    const paid = await ready(tenantId);
    const { code } = await issue(tenantId, paid.transactionId);
    await payOut(tenantId, paid.transactionCode, code, { cashierId: "AG1", ofAgent: true });
    // A liability, where cash in a till is an asset.
    await untilBalance(tenantId, owedToAgent("AG1"), 160_000_00n);
    expect((await world.money(paid)).clearing).toBe(0n);
  });

  test("waits at its point, is handed out once against the code, and is booked", async () => {
    const tenantId = await tenantWithPoint();
    const paid = await ready(tenantId);
    expect(await world.atPartner(paid)).toBe("404");
    const { code } = await issue(tenantId, paid.transactionId);
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/);
    const key = randomUUID();
    const done = await payOut(tenantId, paid.transactionCode, code.toLowerCase().replace("-", " "), { key });
    expect(done).toMatchObject({
      amount: { amountMinor: 160_000_00n, currency: "NGN" },
      recipientName: "Ngozi Okafor",
    });
    expect(await payOut(tenantId, paid.transactionCode, code, { key })).toEqual({ ...done, isHandedOut: true });
    // Recovery has no code, and is told that it is done.
    const decided = await world.wallet.handOutCash(recovered(paid.transactionId, key), on(tenantId));
    expect(decided.refused).toBeUndefined();
    expect((await refused(payOut(tenantId, paid.transactionCode, code))).code).toBe("STATE_CONFLICT");
    await untilBalance(tenantId, tillOf("CA1"), 160_000_00n);
    const { transfer } = await world.books.getTransfer({ key: decided.settlementKey }, on(tenantId));
    expect(transfer?.transfer?.creditAccountId).toBe(tillOf("CA1"));
    expect((await world.money(paid)).clearing).toBe(0n);
    expect((await world.money(paid)).partner).toBe(0n);
    expect((await world.find(tenantId, paid.transactionId)).timeline.at(-1)).toMatchObject({
      status: "COMPLETED",
      actor: "CA1",
    });
  });

  test("counts for the day on which it was handed out, however late it is booked", async () => {
    const tenantId = await tenantWithPoint();
    const paid = await ready(tenantId);
    const { code } = await issue(tenantId, paid.transactionId);
    // The wallet took it out of the till then, and was cut off before it asked.
    const handedOutAt = new Date(Date.now() - 3 * 86_400_000);
    await payOut(tenantId, paid.transactionCode, code, { handedOutAt });
    await untilBalance(tenantId, tillOf("CA1"), 160_000_00n);
    const { transfer } = await world.books.getTransfer({ key: `clearing:${paid.transactionId}` }, on(tenantId));
    expect(transfer?.transfer?.effectiveAt).toEqual(handedOutAt);
    expect(transfer?.day).toBe(handedOutAt.toISOString().slice(0, 10));
  });

  test("one winner where many come with the code at once", async () => {
    const tenantId = await tenantWithPoint();
    const paid = await ready(tenantId);
    const { code } = await issue(tenantId, paid.transactionId);
    const cashiers = ["CA1", "CA2", "CA3", "CA4", "CA5", "CA6", "CA7", "CA8"];
    const all = await Promise.allSettled(
      cashiers.map((cashierId) => payOut(tenantId, paid.transactionCode, code, { cashierId })),
    );
    const winners = cashiers.filter((_cashier, index) => all[index]?.status === "fulfilled");
    expect(winners).toHaveLength(1);
    const losers = all.flatMap((one) => (one.status === "rejected" ? [(one.reason as Refusal).code] : []));
    expect(new Set(losers)).toEqual(new Set(["STATE_CONFLICT"]));
    expect((await world.find(tenantId, paid.transactionId)).pickup?.tries).toBe(0);
    await untilBalance(tenantId, tillOf(winners[0]!), 160_000_00n);
  });

  test("five wrong codes lock it until the sender asks for a new one; the code itself is nowhere kept", async () => {
    const tenantId = await tenantWithPoint();
    const { transactionId, transactionCode } = await ready(tenantId);
    expect((await refused(payOut(tenantId, transactionCode, "00000-00000"))).code).toBe("PICKUP_CODE_LOCKED");
    const { code } = await issue(tenantId, transactionId);
    for (const triesLeft of ["4", "3", "2", "1", "0"]) {
      expect(await refused(payOut(tenantId, transactionCode, "00000-00000"))).toMatchObject({
        code: "PICKUP_CODE_WRONG",
        details: { figures: { triesLeft } },
      });
    }
    expect((await refused(payOut(tenantId, transactionCode, code))).code).toBe("PICKUP_CODE_LOCKED");
    const second = await issue(tenantId, transactionId);
    expect((await refused(payOut(tenantId, transactionCode, code))).code).toBe("PICKUP_CODE_WRONG");
    const stored = JSON.stringify(await world.find(tenantId, transactionId), (_key, value: unknown) =>
      typeof value === "bigint" ? value.toString() : value,
    );
    expect(stored).not.toContain(second.code.replace("-", ""));
    await payOut(tenantId, transactionCode, second.code);
  });

  test("a hand-out is decided once: what was refused is never handed out under its id, whatever comes later", async () => {
    const tenantId = await tenantWithPoint();
    const { transactionId, transactionCode } = await ready(tenantId);
    const { code } = await issue(tenantId, transactionId);
    const [wrong, given] = [randomUUID(), randomUUID()];
    expect((await refused(payOut(tenantId, transactionCode, "00000-00000", { key: wrong }))).code).toBe(
      "PICKUP_CODE_WRONG",
    );
    const { refused: cutOff } = await world.wallet.handOutCash(recovered(transactionId, given), on(tenantId));
    expect(cutOff).toMatchObject({ code: "STATE_CONFLICT", retryAfterS: 1 });
    for (const key of [wrong, given]) {
      expect(await refused(payOut(tenantId, transactionCode, code, { key }))).toBeInstanceOf(Refusal);
    }
    expect((await world.find(tenantId, transactionId)).status).toBe("READY_FOR_PICKUP");
    expect((await world.find(tenantId, transactionId)).pickup?.tries).toBe(1);
    await payOut(tenantId, transactionCode, code);
  });

  test("wrong codes that come at once are counted each", async () => {
    const tenantId = await tenantWithPoint();
    const { transactionId, transactionCode } = await ready(tenantId);
    const { code } = await issue(tenantId, transactionId);
    const wrong = Array.from({ length: 8 }, () => refused(payOut(tenantId, transactionCode, "00000-00000")));
    const codes = (await Promise.all(wrong)).map((refusal) => refusal.code).toSorted();
    expect(codes.filter((code) => code === "PICKUP_CODE_WRONG")).toHaveLength(5);
    expect(codes.filter((code) => code === "PICKUP_CODE_LOCKED")).toHaveLength(3);
    expect((await refused(payOut(tenantId, transactionCode, code))).code).toBe("PICKUP_CODE_LOCKED");
  });

  test("a cancellation before it is handed out refunds at once, and afterwards is too late", async () => {
    const tenantId = await tenantWithPoint();
    const first = await ready(tenantId);
    const { code } = await issue(tenantId, first.transactionId);
    await world.cancel(first);
    await world.until(first, "REFUNDED");
    expect((await world.money(first)).short).toBe(0n);
    expect((await refused(payOut(tenantId, first.transactionCode, code))).code).toBe("STATE_CONFLICT");
    const second = await ready(tenantId);
    await payOut(tenantId, second.transactionCode, (await issue(tenantId, second.transactionId)).code);
    expect((await refused(world.cancel(second))).code).toBe("STATE_CONFLICT");
  });

  test("who may do what, and other people's codes", async () => {
    const tenantId = await tenantWithPoint();
    const { transactionId, transactionCode } = await ready(tenantId);
    expect((await refused(issue(tenantId, transactionId, ben))).code).toBe("FORBIDDEN");
    expect((await refused(issue(tenantId, transactionId, manager))).code).toBe("FORBIDDEN");
    const { code } = await issue(tenantId, transactionId);
    for (const client of [world.gateway, world.operator]) {
      const work = client.handOutCash(recovered(transactionId, randomUUID()), on(tenantId, cashier));
      expect((await refused(work)).code).toBe("CALLER_NOT_ALLOWED");
    }
    for (const user of [ada, manager]) {
      expect((await refused(world.wallet.findPickup({ transactionCode }, on(tenantId, user)))).code).toBe("FORBIDDEN");
    }
    const elsewhere = await tenantWithPoint();
    expect((await refused(payOut(elsewhere, transactionCode, code))).code).toBe("TRANSACTION_NOT_FOUND");
    expect((await refused(issue(elsewhere, transactionId))).code).toBe("TRANSACTION_NOT_FOUND");
    expect((await refused(payOut(tenantId, "", code))).code).toBe("INVALID_INPUT");
    expect((await refused(payOut(tenantId, transactionCode, code, { key: "" }))).code).toBe("HEADER_REQUIRED");
  });

  test("a point that does not pay out this is refused, one of a partner goes to the partner", async () => {
    const closed = await tenantWithPoint({ enabled: false });
    await expect(world.create(closed, asCash)).rejects.toMatchObject({ code: "CREDIT_PARTY_INVALID" });
    const small = await tenantWithPoint({ maximumMinor: 1_001_00n });
    await expect(world.create(small, asCash)).rejects.toMatchObject({
      code: "AMOUNT_OUT_OF_LIMITS",
      details: { figures: { minimum: "1000.00", maximum: "1001.00", currency: "NGN" } },
    });
    const partners = await tenantWithPoint({ partner: "sandbox" });
    const paid = await world.paid(partners, undefined, asCash);
    await world.until(paid, "COMPLETED");
    expect((await refused(issue(partners, paid.transactionId))).code).toBe("STATE_CONFLICT");
  });
});

async function untilBalance(tenantId: string, accountId: string, amount: bigint): Promise<void> {
  const what = `${accountId} to have ${amount}`;
  await waitFor(async () => (await world.balance(tenantId, accountId)) === amount, { what });
}
