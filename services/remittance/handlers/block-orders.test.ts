import { randomUUID } from "node:crypto";
import type { ApprovalEffect } from "../../../proto/gen/identity/v1/approvals.js";
import { atDepth } from "../../../test/support/depth.js";
import { waitFor as waitShortly } from "../../../test/support/index.js";
import { createPayoutWorld, type Paid, type PayoutWorld } from "../../../test/support/payout-fixture.js";
import { on, refused } from "../../../test/support/remittance-calls.js";
import { effectFromWire, effectText } from "../../platform/approvals/approval-effects.js";
import { isUnderBlock } from "../domain/block.js";

let world: PayoutWorld;
let tenantId: string;
beforeAll(async () => void (world = await createPayoutWorld("block_orders")));
beforeEach(async () => void (tenantId = await world.tenant()));
afterEach(() => world.reset());
afterAll(() => world.close());

jest.setTimeout(240_000);

const waitFor = <T>(ask: () => T | Promise<T>) => waitShortly(ask, { timeoutMs: 90_000 });
const block = (blockId: string, part: object = { customerId: "c1" }) =>
  world.compliance.blockTransactions({ blockId, ...part }, on(tenantId));
const release = (blockId: string, outcome: string) =>
  world.compliance.releaseBlockedTransactions({ blockId, outcome }, on(tenantId));
/** What a block or its release would do, as it is shown before it is approved. */
const textsOf = ({ effects }: { effects: ApprovalEffect[] }) => effects.map(effectFromWire).map(effectText);
const foreseenBy = async (requested: Promise<{ effects: ApprovalEffect[] }>) => textsOf(await requested);
const foreseeBlock = (blockId: string, part: object = { customerId: "c1" }) =>
  foreseenBy(world.compliance.foreseeBlock({ blockId, ...part }, on(tenantId)));
const foreseeRelease = (blockId: string, outcome: string) =>
  foreseenBy(world.compliance.foreseeBlockRelease({ blockId, outcome }, on(tenantId)));
const find = ({ transactionId }: { transactionId: string }) => world.find(tenantId, transactionId);
const statusOf = async (one: { transactionId: string }) => (await find(one)).status;

/** Where everybody's money is, once it has come to an end. */
async function expectWhole(paid: Paid): Promise<void> {
  const { status } = await waitFor(async () => {
    const now = await find(paid);
    return ["COMPLETED", "REFUNDED"].includes(now.status) ? now : undefined;
  });
  const { short, clearing } = await world.money(paid);
  expect({ status, short, clearing }).toEqual({ status, short: status === "REFUNDED" ? 0n : 102_69n, clearing: 0n });
  expect((await world.trialBalance(tenantId)).lines.every(({ debits, credits }) => debits === credits)).toBe(true);
}

describe("block and release in any order", () => {
  test("a block that comes behind its release lays nothing, on nothing that is new either", async () => {
    const transactionId = await world.create(tenantId);
    expect(await release("b-1", "CONTINUE")).toMatchObject({ released: 0 });
    expect(await block("b-1")).toMatchObject({ blocked: 0, underWay: 0, tooLate: [] });
    expect(await statusOf({ transactionId })).toBe("AWAITING_PAYMENT");
    await block("b-2");
    await release("b-2", "CONTINUE");
    const later = await world.create(tenantId);
    expect(await block("b-2")).toMatchObject({ blocked: 0, underWay: 0, tooLate: [] });
    expect([await statusOf({ transactionId }), await statusOf({ transactionId: later })]).toEqual([
      "AWAITING_PAYMENT",
      "AWAITING_PAYMENT",
    ]);
  });

  test("a block that is told twice is laid once; another end than the first one is refused", async () => {
    const transactionId = await world.create(tenantId);
    const answers = await Promise.all([block("b-1"), block("b-1"), block("b-1")]);
    expect(answers.map(({ blocked }) => blocked)).toEqual([1, 1, 1]);
    const { timeline, block: stored } = await find({ transactionId });
    expect(timeline.filter(({ status }) => status === "BLOCKED")).toHaveLength(1);
    expect(stored!.by).toHaveLength(1);
    await release("b-1", "CONTINUE");
    expect((await refused(release("b-1", "REFUND"))).code).toBe("STATE_CONFLICT");
    expect(await statusOf({ transactionId })).toBe("AWAITING_PAYMENT");
  });

  test("two blocks hold until both are released, and one that asks for the money back has its way", async () => {
    const ends = { CONTINUE: "AWAITING_PAYMENT", REFUND: "CANCELLED" } as const;
    for (const outcome of ["CONTINUE", "REFUND"] as const) {
      const transactionId = await world.create(tenantId);
      const [one, two] = [`${outcome}-1`, `${outcome}-2`];
      const stopped = [`TRANSACTION_BLOCKED transaction:${transactionId} 102.69 USD`];
      expect(await foreseeBlock(one)).toEqual(stopped);
      expect(await foreseeBlock(one, { transactionIds: [transactionId] })).toEqual(stopped);
      expect(await statusOf({ transactionId })).toBe("AWAITING_PAYMENT");
      await block(one);
      await block(two);
      // The other block holds it as long as it stands.
      expect(await foreseeRelease(one, "CONTINUE")).toEqual([]);
      expect(await foreseeRelease(one, "REFUND")).toEqual([]);
      expect(await release(one, outcome)).toMatchObject({ released: 1, effects: [] });
      expect(await statusOf({ transactionId })).toBe("BLOCKED");
      const kind = { CONTINUE: "TRANSACTION_RELEASED", REFUND: "TRANSACTION_SENT_BACK" }[outcome];
      expect(await foreseeRelease(two, "CONTINUE")).toEqual([`${kind} transaction:${transactionId} 102.69 USD`]);
      expect(await foreseeRelease(two, "REFUND")).toEqual([
        `TRANSACTION_SENT_BACK transaction:${transactionId} 102.69 USD`,
      ]);
      expect(await foreseeRelease("nobody's", "CONTINUE")).toEqual([]);
      const ended = [`${kind} transaction:${transactionId} 102.69 USD`];
      expect(textsOf(await release(two, "CONTINUE"))).toEqual(ended);
      expect(await statusOf({ transactionId })).toBe(ends[outcome]);
      // Whoever asks again is told the same.
      expect(textsOf(await release(two, "CONTINUE"))).toEqual(ended);
      await world.cancel({ tenantId, transactionId });
      // However late, and whatever came since: each is told what its own end did.
      expect(textsOf(await release(two, "CONTINUE"))).toEqual(ended);
      expect(textsOf(await release(one, outcome))).toEqual([]);
    }
  });

  test("in a race of a block, once more told, with its release nothing stays blocked", async () => {
    for (let round = 0; round < atDepth({ quick: 3, ci: 6, long: 40 }); round += 1) {
      const made = await Promise.all([world.create(tenantId), world.create(tenantId), world.create(tenantId)]);
      const id = randomUUID();
      await Promise.all([block(id), block(id), release(id, "CONTINUE"), block(id)]);
      const after = await Promise.all(made.map((transactionId) => find({ transactionId })));
      expect(after.map(({ status }) => status)).toEqual(made.map(() => "AWAITING_PAYMENT"));
      expect(after.some(isUnderBlock)).toBe(false);
      for (const transactionId of made) await world.cancel({ tenantId, transactionId });
    }
  });
});

test("in a race with payment, callbacks and cancellation the money is where the state says, and whole in the end", async () => {
  for (let round = 0; round < atDepth({ quick: 2, ci: 5, long: 30 }); round += 1) {
    const paying = await world.debit(tenantId, await world.create(tenantId));
    const id = randomUUID();
    await Promise.allSettled([
      world.markPaid(paying),
      block(id),
      world.callback(paying, "PAID"),
      world.cancel(paying),
      block(id),
    ]);
    await world.markPaid(paying);
    await waitFor(async () => (await block(id)).underWay === 0);
    const { status } = await find(paying);
    const { short, clearing } = await world.money(paying);
    // Faster than the block, or kept.
    if (status === "BLOCKED") expect({ short, clearing }).toEqual({ short: 102_69n, clearing: 100_00n });
    else expect(["COMPLETED", "REFUNDED", "CANCELLING"]).toContain(status);
    await release(id, round % 2 === 0 ? "CONTINUE" : "REFUND");
    await expectWhole(paying);
  }
});

describe("killed between any two writes", () => {
  /** The process dies at the point: what it was doing ends there. */
  async function crashAt(point: string, work: () => Promise<unknown>): Promise<void> {
    const kill = jest.spyOn(process, "kill").mockImplementation(() => {
      throw new Error("crashed");
    });
    process.env["CRASH_POINT"] = point;
    try {
      await refused(work());
      expect(kill).toHaveBeenCalledWith(process.pid, "SIGKILL");
    } finally {
      delete process.env["CRASH_POINT"];
      kill.mockRestore();
    }
  }

  test.each(["remittance.block.ordered", "remittance.block.written"])(
    "%s: told again, it is laid on all",
    async (at) => {
      const made = await Promise.all([world.create(tenantId), world.create(tenantId), world.create(tenantId)]);
      await crashAt(at, () => block("b"));
      expect(await block("b")).toMatchObject({ blocked: 3 });
      for (const transactionId of made) expect(await statusOf({ transactionId })).toBe("BLOCKED");
    },
  );

  test.each(["remittance.block.release-ordered", "remittance.block.written"])(
    "%s: told again, it is released on all; a block told late changes nothing",
    async (at) => {
      const made = await Promise.all([world.create(tenantId), world.create(tenantId), world.create(tenantId)]);
      await block("b");
      await crashAt(at, () => release("b", "CONTINUE"));
      await block("b");
      expect(await release("b", "CONTINUE")).toMatchObject({ released: 3 });
      for (const transactionId of made) expect(await statusOf({ transactionId })).toBe("AWAITING_PAYMENT");
    },
  );

  test("remittance.block.looked: the row that looks for a credit into a wallet looks again", async () => {
    world.told.statuses.set("c2", "BLOCKED");
    const { part } = await world.recipientWallet(tenantId);
    const paid = await world.paid(tenantId, undefined, part);
    await world.until(paid, "PROCESSING");
    await crashAt("remittance.block.looked", async () => {
      await block("b");
      await waitFor(() => jest.isMockFunction(process.kill) && jest.mocked(process.kill).mock.calls.length > 0);
      throw (await refused(release("unheard of", "NOTHING"))) as Error;
    });
    world.pass(61_000);
    await waitFor(async () => (await block("b")).underWay === 0);
    expect((await world.money(paid)).clearing).toBe(100_00n);
    await release("b", "REFUND");
    await expectWhole(paid);
  });
});

test("a refund whose booking nobody has told of yet is found, told and not held", async () => {
  const paid = await world.paid(tenantId, { behaviour: "REFUSE" });
  await world.until(paid, "REFUNDED");
  // As a process leaves it that dies between the ledger's answer and its own commit.
  const transactions = world.db.collection("transactions");
  const about = { tenantId, transactionId: paid.transactionId };
  await transactions.updateOne(about, {
    $set: { status: "FAILED" },
    $unset: { "payout.refundedAt": 1, "payout.refunded": 1 },
    $pop: { timeline: 1 },
  } as never);
  expect(await block("b")).toMatchObject({ blocked: 1, underWay: 1 });
  const { payout } = await world.until(paid, "REFUNDED");
  expect(payout!.refunded).toEqual({ minor: 102_69n, currency: "USD" });
  expect(await block("b")).toMatchObject({ blocked: 0, underWay: 0, tooLate: [] });
  await expectWhole(paid);
});
