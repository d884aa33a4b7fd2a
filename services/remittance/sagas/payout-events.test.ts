import { parseJson } from "../../kernel/json.js";
import { waitFor as waitShortly } from "../../../test/support/index.js";
import { insist } from "../../../test/support/insist.js";
import { on } from "../../../test/support/remittance-calls.js";
import { createPayoutWorld, type Paid, type PayoutWorld } from "../../../test/support/payout-fixture.js";

let world: PayoutWorld;
let tenantId: string;
beforeAll(async () => void (world = await createPayoutWorld("told_payouts")));
beforeEach(async () => void (tenantId = await world.tenant()));
afterEach(async () => {
  world.events.state.faults = [];
  await world.reset();
});
afterAll(() => world.close());

jest.setTimeout(180_000);

const waitFor = <T>(ask: () => T | Promise<T>) => waitShortly(ask, { timeoutMs: 90_000 });
async function publishedAs({ transactionId }: Paid, types: string[]): Promise<void> {
  await waitFor(async () => (await world.openRows(tenantId)) === 0);
  const published = world.events.of(transactionId);
  expect(published.map(({ type }) => type.replace("transaction.", ""))).toEqual(types);
  // Its status is the event's.
  for (const { type, dataJson } of published) {
    const { status } = parseJson(dataJson) as { status: string };
    if (!type.endsWith("created")) expect(status).toBe(type.replace("transaction.", "").toUpperCase());
  }
}

test("a payout is told from its payment to its end, each state once, also where answers are lost", async () => {
  for (const faults of [[], ["LOST", "REFUSED", "LOST"]] as const) {
    world.events.state.faults.push(...faults);
    const paid = await world.paid(tenantId, { behaviour: "ACCEPT", settleMs: 0 });
    await world.until(paid, "COMPLETED");
    await publishedAs(paid, ["created", "paid", "processing", "completed"]);
  }
});

test("those of a batch that go out together are told one by one", async () => {
  const part = { processingMode: "PROCESSING_MODE_AGGREGATION" as const };
  const all = [];
  for (let count = 0; count < 3; count++) all.push(await world.paid(tenantId, undefined, part));
  for (const paid of all) await world.until(paid, "COMPLETED");
  for (const paid of all) await publishedAs(paid, ["created", "paid", "processing", "completed"]);
});

test("one that the partner refuses has failed and is refunded", async () => {
  const paid = await world.paid(tenantId, { behaviour: "REFUSE" });
  await world.until(paid, "REFUNDED");
  await publishedAs(paid, ["created", "paid", "processing", "failed", "refunded"]);
  const last = parseJson(world.events.of(paid.transactionId).at(-1)!.dataJson) as { refundedAmount: string };
  expect(last.refundedAmount).toBe("102.69");
});

test("one that comes back is returned and refunded", async () => {
  const paid = await world.paid(tenantId, { behaviour: "ACCEPT", settleMs: 0 });
  await world.until(paid, "COMPLETED");
  await world.sendBack(paid, "0");
  await world.until(paid, "REFUNDED");
  await publishedAs(paid, ["created", "paid", "processing", "completed", "returned", "refunded"]);
});

test("one that is recalled under a block, and then sent back, tells its refund and nothing of the block", async () => {
  const paid = await world.paid(tenantId, { behaviour: "STALL" });
  await waitFor(async () => (await world.atPartner(paid)) === "ACCEPTED");
  const lay = () => world.compliance.blockTransactions({ blockId: "hit-1", customerId: "c1" }, on(tenantId));
  await lay();
  await waitFor(async () => (await lay()).underWay === 0);
  await publishedAs(paid, ["created", "paid", "processing"]);
  const release = { blockId: "hit-1", outcome: "REFUND" };
  // Compliance asks again, too, where a busy machine has not answered.
  await insist(() => world.compliance.releaseBlockedTransactions(release, on(tenantId)));
  await world.until(paid, "REFUNDED");
  await publishedAs(paid, ["created", "paid", "processing", "refunded"]);
  for (const { dataJson } of world.events.of(paid.transactionId)) expect(dataJson).not.toMatch(/BLOCKED|hit-1/);
});
