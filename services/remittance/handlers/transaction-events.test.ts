import { randomUUID } from "node:crypto";
import { Decision } from "../../../proto/gen/compliance/v1/compliance.js";
import { readerOf } from "../../platform/events/shapes/codec.js";
import { StoredTransaction } from "../../platform/events/shapes/transaction-shape.js";
import { parseJson, printJson } from "../../kernel/json.js";
import { ada, on } from "../../../test/support/remittance-calls.js";
import { waitFor } from "../../../test/support/index.js";
import { createWorld, type World } from "../../../test/support/remittance-fixture.js";
import { openTenant, order } from "../../../test/support/remittance-samples.js";

let world: World;
beforeAll(async () => void (world = await createWorld("told")));
afterEach(() => {
  world.reset();
  Object.assign(world.events.state, { faults: [], isAway: false });
});
afterAll(() => world.close());

async function created(tenantId: string): Promise<string> {
  return (await world.gateway.createTransaction(order(), on(tenantId, ada))).transaction!.transactionId;
}
const read = readerOf(StoredTransaction);
const shown = async (tenantId: string, transactionId: string) =>
  read((await world.gateway.getTransaction({ transactionId }, on(tenantId, ada))).transaction);
const publishedAs = (transactionId: string, types: string[]) =>
  waitFor(async () => world.events.of(transactionId).length >= types.length).then(() =>
    expect(world.events.typesOf(transactionId)).toEqual(types),
  );
/** Everything that was to be told is told: what is not there then was never to be told. */
const allPublished = (tenantId: string) =>
  waitFor(async () => (await world.db.collection("outbox").countDocuments({ tenantId, kind: "event.publish" })) === 0);
async function pay(tenantId: string, transactionId: string): Promise<void> {
  const paymentId = randomUUID();
  const { price } = (await world.store.forTenant(tenantId).findTransaction(transactionId))!;
  const totalAmount = { amountMinor: price.total.minor, currency: price.total.currency };
  await world.wallet.claimTransaction({ transactionId, paymentId, customerId: "c1", totalAmount }, on(tenantId));
  await world.wallet.markTransactionPaid({ transactionId, paymentId, paidAt: world.now() }, on(tenantId));
}

describe("what becomes of a transaction is told", () => {
  test("once and in order, as its owner reads it", async () => {
    const tenantId = await openTenant(world);
    const transactionId = await created(tenantId);
    const first = printJson(await shown(tenantId, transactionId));
    await publishedAs(transactionId, ["transaction.created"]);
    const [published] = world.events.of(transactionId);
    expect(published).toMatchObject({ tenantId, customerId: "c1", subjectType: "transaction", isConfidential: false });
    expect(printJson(parseJson(published!.dataJson))).toBe(first);
    await pay(tenantId, transactionId);
    await publishedAs(transactionId, ["transaction.created", "transaction.paid", "transaction.processing"]);
    await allPublished(tenantId);
    expect(world.events.typesOf(transactionId)).toHaveLength(3);
  });

  test("whose recipient's numbers are readable in no row that waits, and are told", async () => {
    const tenantId = await openTenant(world);
    world.events.state.isAway = true;
    const transactionId = await created(tenantId);
    const rows = await world.db.collection("outbox").find({ tenantId }).toArray();
    expect(rows.map(({ kind }) => kind as string)).toContain("event.publish");
    const number = order().creditParty!.find(({ key }) => key === "bankaccountno")!.value!;
    expect(JSON.stringify(rows)).not.toContain(number);
    world.events.state.isAway = false;
    await publishedAs(transactionId, ["transaction.created"]);
    expect(world.events.of(transactionId)[0]!.dataJson).toContain(number);
  });

  test("sixteen that are made at once, each once", async () => {
    const tenantId = await openTenant(world);
    const ids = await Promise.all(Array.from({ length: 16 }, () => created(tenantId)));
    await allPublished(tenantId);
    for (const id of ids) expect(world.events.typesOf(id)).toEqual(["transaction.created"]);
  });

  test("one that compliance refuses at once is rejected and never created", async () => {
    const tenantId = await openTenant(world);
    world.neighbours.check = async () => ({ decision: Decision.DECISION_REJECTED, policyVersion: 1, reasonCode: "X" });
    await expect(created(tenantId)).rejects.toMatchObject({ code: "COMPLIANCE_REJECTED" });
    await allPublished(tenantId);
    const published = world.events.state.published.filter((one) => one.tenantId === tenantId);
    expect(published.map(({ type }) => type)).toEqual(["transaction.rejected"]);
  });

  test("one that waits for compliance is created, and rejected when that is decided", async () => {
    const tenantId = await openTenant(world);
    world.neighbours.check = async () => ({ decision: Decision.DECISION_REVIEW, policyVersion: 1, reasonCode: "HIT" });
    const transactionId = await created(tenantId);
    await publishedAs(transactionId, ["transaction.created"]);
    expect(world.events.of(transactionId)[0]!.dataJson).not.toContain("HIT");
    const decided = { transactionId, decision: Decision.DECISION_REJECTED, reasonCode: "X", policyVersion: 1 };
    await world.compliance.decideTransaction(decided, on(tenantId));
    await world.compliance.decideTransaction(decided, on(tenantId));
    await publishedAs(transactionId, ["transaction.created", "transaction.rejected"]);
  });

  test("a review that ends well is told in the same way, whatever it was about", async () => {
    const tenantId = await openTenant(world);
    const approved = async (reasonCode: string) => {
      world.neighbours.check = async () => ({ decision: Decision.DECISION_REVIEW, policyVersion: 1, reasonCode });
      const transactionId = await created(tenantId);
      const decided = { transactionId, decision: Decision.DECISION_APPROVED, reasonCode: "", policyVersion: 1 };
      await world.compliance.decideTransaction(decided, on(tenantId));
      await world.compliance.decideTransaction(decided, on(tenantId));
      await publishedAs(transactionId, ["transaction.created", "transaction.approved"]);
      const { dataJson } = world.events.of(transactionId)[1]!;
      expect(printJson(parseJson(dataJson))).toBe(printJson(await shown(tenantId, transactionId)));
      expect(parseJson(dataJson)).toMatchObject({ status: "AWAITING_PAYMENT" });
      return dataJson;
    };
    const [hit, rule] = [await approved("SCREENING_HIT"), await approved("AMOUNT_ABOVE_LIMIT")];
    expect(Object.keys(JSON.parse(hit) as object)).toEqual(Object.keys(JSON.parse(rule) as object));
    expect(hit + rule).not.toMatch(/SCREENING|HIT|ABOVE_LIMIT/);
  });

  test("one that is approved while a block waits is told when the block has ended, as every other", async () => {
    const tenantId = await openTenant(world);
    world.neighbours.check = async () => ({ decision: Decision.DECISION_REVIEW, policyVersion: 1, reasonCode: "HIT" });
    const transactionId = await created(tenantId);
    const blockId = `hit-${randomUUID()}`;
    await world.compliance.blockTransactions({ blockId, transactionIds: [transactionId] }, on(tenantId));
    const decided = { transactionId, decision: Decision.DECISION_APPROVED, reasonCode: "", policyVersion: 1 };
    await world.compliance.decideTransaction(decided, on(tenantId));
    await allPublished(tenantId);
    expect(world.events.typesOf(transactionId)).toEqual(["transaction.created"]);
    await world.compliance.releaseBlockedTransactions({ blockId, outcome: "CONTINUE" }, on(tenantId));
    await publishedAs(transactionId, ["transaction.created", "transaction.approved"]);
    expect(world.events.of(transactionId)[1]!.dataJson).not.toMatch(/BLOCKED|block|HIT/);
  });

  test("one that nobody pays expires", async () => {
    const tenantId = await openTenant(world);
    const transactionId = await created(tenantId);
    world.pass(31 * 60_000);
    await publishedAs(transactionId, ["transaction.created", "transaction.expired"]);
  });
});

describe("a block is told to nobody", () => {
  const block = (tenantId: string, transactionId: string, blockId: string) =>
    world.compliance.blockTransactions({ blockId, transactionIds: [transactionId] }, on(tenantId));
  const release = (tenantId: string, blockId: string, outcome: string) =>
    world.compliance.releaseBlockedTransactions({ blockId, outcome }, on(tenantId));

  test("neither when it comes nor when it goes; what comes after it is told", async () => {
    const tenantId = await openTenant(world);
    const transactionId = await created(tenantId);
    const blockId = `hit-${randomUUID()}`;
    await block(tenantId, transactionId, blockId);
    await release(tenantId, blockId, "CONTINUE");
    await allPublished(tenantId);
    expect(world.events.typesOf(transactionId)).toEqual(["transaction.created"]);
    await pay(tenantId, transactionId);
    await publishedAs(transactionId, ["transaction.created", "transaction.paid", "transaction.processing"]);
    for (const { dataJson } of world.events.of(transactionId)) {
      expect(dataJson).not.toMatch(new RegExp(`BLOCKED|block|${blockId}`));
    }
  });

  test("one that is ended instead tells its end, as its owner reads it", async () => {
    const tenantId = await openTenant(world);
    const transactionId = await created(tenantId);
    const blockId = `hit-${randomUUID()}`;
    await block(tenantId, transactionId, blockId);
    await release(tenantId, blockId, "REFUND");
    await publishedAs(transactionId, ["transaction.created", "transaction.cancelled"]);
    const { dataJson } = world.events.of(transactionId)[1]!;
    expect(printJson(parseJson(dataJson))).toBe(printJson(await shown(tenantId, transactionId)));
    expect(dataJson).not.toMatch(new RegExp(`BLOCKED|block|${blockId}|compliance:`));
  });

  test("one that is blocked while it is paid is told as paid, like all others", async () => {
    const tenantId = await openTenant(world);
    const transactionId = await created(tenantId);
    const paymentId = randomUUID();
    const { price } = (await world.store.forTenant(tenantId).findTransaction(transactionId))!;
    const totalAmount = { amountMinor: price.total.minor, currency: price.total.currency };
    await world.wallet.claimTransaction({ transactionId, paymentId, customerId: "c1", totalAmount }, on(tenantId));
    await block(tenantId, transactionId, "hit-while-paying");
    await world.wallet.markTransactionPaid({ transactionId, paymentId, paidAt: world.now() }, on(tenantId));
    await publishedAs(transactionId, ["transaction.created", "transaction.paid"]);
    await allPublished(tenantId);
    expect(parseJson(world.events.of(transactionId)[1]!.dataJson)).toMatchObject({ status: "PAID" });
    expect(world.events.typesOf(transactionId)).toHaveLength(2);
  });
});

describe("until it is told", () => {
  test.each(["REFUSED", "LOST"] as const)("an event that is %s is told again under the same id", async (fault) => {
    const tenantId = await openTenant(world);
    world.events.state.faults.push(fault, fault);
    const transactionId = await created(tenantId);
    await publishedAs(transactionId, ["transaction.created"]);
    await allPublished(tenantId);
    const [{ eventId } = { eventId: "" }] = world.events.of(transactionId);
    expect(world.events.state.requested.filter((one) => one.eventId === eventId).length).toBeGreaterThan(1);
    expect(world.events.of(transactionId)).toHaveLength(1);
  });

  test("those of one transaction keep their order while nobody can be told", async () => {
    const tenantId = await openTenant(world);
    world.events.state.isAway = true;
    const transactionId = await created(tenantId);
    await pay(tenantId, transactionId);
    expect(world.events.of(transactionId)).toEqual([]);
    world.events.state.isAway = false;
    await publishedAs(transactionId, ["transaction.created", "transaction.paid", "transaction.processing"]);
  });

  test("an erased customer's are told to nobody", async () => {
    const tenantId = await openTenant(world);
    world.events.state.isAway = true;
    const transactionId = await created(tenantId);
    const rows = () => world.db.collection("outbox").countDocuments({ tenantId, kind: "event.publish" });
    expect(await rows()).toBe(1);
    await world.erase({ tenantId, customerId: "c1", userId: "u1" }, "AT_ONCE");
    expect(await rows()).toBe(0);
    world.events.state.isAway = false;
    expect(world.events.of(transactionId)).toEqual([]);
  });
});
