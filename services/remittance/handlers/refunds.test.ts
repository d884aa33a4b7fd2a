import { randomUUID } from "node:crypto";
import { Refusal } from "../../kernel/refusal.js";
import { corridor } from "../../../test/support/remittance-samples.js";
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
async function publishedOf(paid: Paid, count: number) {
  const published = () => world.told.refunded.filter(({ paymentId }) => paymentId === paid.paymentId);
  await waitFor(() => published().length >= count, { timeoutMs: 10_000, what: "the wallet to be told" });
  return published();
}
const totalMinor = 102_69n;

describe("RequestRefund", () => {
  test("in parts and then whole: each booked once, never above what was paid, wallet told of every part", async () => {
    const paid = await completed();
    const first = (await ask(paid, "2.69")).refund!;
    expect(first).toMatchObject({ status: "ASKED", amount: { amountMinor: 2_69n }, askedBy: "MA1" });
    expect((await world.money(paid)).short).toBe(totalMinor);
    const { noted } = await approve(paid, first);
    expect(noted).toEqual([`MONEY_REFUNDED transaction:${paid.transactionId} 2.69 USD`]);
    await approve(paid, first);
    await world.until(paid, "PARTIALLY_REFUNDED");
    expect((await world.money(paid)).short).toBe(100_00n);
    expect(await publishedOf(paid, 1)).toMatchObject([{ refunded: { amountMinor: 2_69n }, isPart: true }]);
    const rest = (await ask(paid)).refund!;
    expect(rest.amount!.amountMinor).toBe(100_00n);
    expect((await refused(ask(paid, "0.01"))).details?.figures).toEqual({ refundable: "0.00", currency: "USD" });
    await approve(paid, rest);
    await world.until(paid, "REFUNDED");
    expect((await world.money(paid)).short).toBe(0n);
    expect(await world.balance(tenantId, "refund_expense:USD")).toBe(-totalMinor);
    const published = await publishedOf(paid, 2);
    expect(published[1]).toMatchObject({ refunded: { amountMinor: totalMinor }, isPart: false });
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

  test.each(["INVALID_INPUT", "FORBIDDEN"] as const)(
    "what identity takes no question about is over, for a repeat too, and holds nothing: %s",
    async (code) => {
      const paid = await completed();
      const key = randomUUID();
      const { mayAsk } = world.people;
      world.people.mayAsk = () => {
        throw new Refusal(code, "is not asked about");
      };
      const first = await refused(ask(paid, "", { key })).finally(() => (world.people.mayAsk = mayAsk));
      expect(first.code).toBe(code);
      expect((await refused(ask(paid, "", { key }))).code).toBe(code);
      const { refunds } = await world.find(tenantId, paid.transactionId);
      expect(refunds).toMatchObject([{ status: "REFUSED", refusedBecause: code }]);
      expect(refunds![0]!.approvalId).toBeUndefined();
      expect((await ask(paid)).refund).toMatchObject({ status: "ASKED", amount: { amountMinor: totalMinor } });
    },
  );

  test.each([" ", "a\u0007b", "x".repeat(301)])(
    "a reason that an approval refuses writes nothing: %j",
    async (reason) => {
      const paid = await completed();
      const { transactionId } = paid;
      const before = await world.find(tenantId, transactionId);
      const idempotencyKey = randomUUID();
      const by = on(tenantId, manager);
      const outcome = { idempotencyKey, transactionId, outcome: "PAID", kept: "", reason };
      const corridors = world.db.collection("corridor_changes");
      const asks = [
        () => ask(paid, "1.00", { reason }),
        () => world.gateway.askPayoutOutcome(outcome, by),
        () => world.gateway.putCorridor({ corridor: { ...corridor, isActive: false } as never, reason }, by),
      ];
      // A corridor needs none, and a blank one is none.
      for (const one of reason === " " ? asks.slice(0, 2) : asks) {
        expect(await refused(one())).toMatchObject({
          code: "INVALID_INPUT",
          details: { errors: [{ path: "reason" }] },
        });
      }
      expect(await world.find(tenantId, transactionId)).toEqual(before);
      expect(await corridors.countDocuments({ tenantId })).toBe(0);
    },
  );

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

describe("ListTransactionEntries", () => {
  /** Entries of the journal that name the transaction or its payment, found account by account. */
  async function inTheJournal({ transactionId, paymentId, walletId }: Paid): Promise<string[]> {
    const { price } = await world.find(tenantId, transactionId);
    const codes = ["remittance_clearing", "fee_income", "tax_payable", "bank_charges", "exchange_position"];
    const ids = [
      walletId,
      "refund_expense:USD",
      ...[...codes, "partner_settlement:operator"].flatMap((code) => [
        `${code}:USD`,
        `${code}:${price.receive.currency}`,
      ]),
    ];
    const pages = await Promise.all(
      ids.map(async (accountId) => {
        try {
          const { entries } = await world.books.listAccountEntries({ accountId, pageSize: 1_000 }, on(tenantId));
          return entries;
        } catch {
          // An account that nothing was booked on is not there.
          return [];
        }
      }),
    );
    const own = pages
      .flat()
      .filter(({ transferId }) => transferId.includes(transactionId) || transferId.includes(paymentId));
    return own.map(({ entryId }) => entryId).toSorted();
  }
  const entriesOf = ({ transactionId }: { transactionId: string }, more: object = {}, user: User = manager) =>
    world.gateway.listTransactionEntries({ transactionId, ...more }, on(tenantId, user));

  test("gives payment, payout and refunds of one transaction, whoever asked for them, and nothing else", async () => {
    const [paid, other] = await Promise.all([completed(), completed()]);
    for (const amount of ["1.00", "2.00"]) {
      await approve(paid, (await ask(paid, amount)).refund!);
      await waitFor(
        async () => (await world.find(tenantId, paid.transactionId)).refunds!.every(({ status }) => status === "DONE"),
        {
          timeoutMs: 10_000,
          what: "the refund to be booked",
        },
      );
    }
    const { entries, nextCursor } = await entriesOf(paid);
    expect(nextCursor).toBe("");
    expect(entries.map(({ entryId }) => entryId).toSorted()).toEqual(await inTheJournal(paid));
    expect([...new Set(entries.map(({ kind }) => kind))]).toEqual(
      expect.arrayContaining(["wallet_payment", "fee", "settlement", "refund"]),
    );
    expect(entries.map(({ sequence }) => sequence)).toEqual(
      entries.map(({ sequence }) => sequence).toSorted((one, two) => Number(one - two)),
    );
    expect((await entriesOf(other)).entries.map(({ entryId }) => entryId).toSorted()).toEqual(
      await inTheJournal(other),
    );

    const paged: string[] = [];
    let cursor = "";
    do {
      const page = await entriesOf(paid, { pageSize: 4, cursor });
      paged.push(...page.entries.map(({ entryId }) => entryId));
      cursor = page.nextCursor;
    } while (cursor !== "");
    expect(paged.toSorted()).toEqual(await inTheJournal(paid));
  });

  test("gives what came back of one that a bank returned", async () => {
    const paid = await completed();
    await world.sendBack(paid, "100.00");
    await world.until(paid, "REFUNDED");
    const { entries } = await entriesOf(paid);
    expect(entries.map(({ entryId }) => entryId).toSorted()).toEqual(await inTheJournal(paid));
    expect(entries.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(["payout_return", "bank_charge", "fee_refund"]),
    );
  });

  test("none before it is paid; 404, 403 and 400 name what is wrong", async () => {
    const transactionId = await world.create(tenantId);
    expect((await entriesOf({ transactionId })).entries).toEqual([]);
    expect((await refused(entriesOf({ transactionId: "nothing" }))).code).toBe("TRANSACTION_NOT_FOUND");
    expect((await refused(entriesOf({ transactionId }, {}, ada))).code).toBe("FORBIDDEN");
    for (const [more, path] of [
      [{ cursor: "x" }, "cursor"],
      [{ pageSize: 101 }, "pageSize"],
      [{ pageSize: -1 }, "pageSize"],
    ] as const) {
      expect(await refused(entriesOf({ transactionId }, more))).toMatchObject({
        code: "INVALID_INPUT",
        details: { errors: [{ path }] },
      });
    }
  });
});
