import { waitFor } from "../../../test/support/index.js";
import { tracesIn } from "../../../test/support/erasure.js";
import { ada, ben, manager, on } from "../../../test/support/remittance-calls.js";
import { createWorld, type World } from "../../../test/support/remittance-fixture.js";
import { samplePartiesOf } from "../../../test/support/order-parties.js";
import { beneficiary, openTenant, order } from "../../../test/support/remittance-samples.js";
import { publishKind } from "../../platform/events/row.js";
import { collections } from "../store/collections.js";

let world: World;
beforeAll(async () => {
  world = await createWorld("erasure");
});
afterEach(() => world.reset());
afterAll(() => world.close());

const traces = ["Ngozi", "Okafor", "3012345671", "ngozi", "203.0.113.7", "Ada Obi", "for school"];
const create = (tenantId: string, part = {}) =>
  world.gateway
    .createTransaction(order({ descriptionText: "for school", ...part }), on(tenantId, ada))
    .then(({ transaction }) => transaction!.transactionId);
const row = (tenantId: string, transactionId: string) =>
  world.db.collection(collections.transactions).findOne({ tenantId, transactionId });
/** As its payout would leave it. */
const put = (tenantId: string, transactionId: string, change: object) =>
  world.db.collection(collections.transactions).updateOne({ tenantId, transactionId }, { $set: change });

/** Answers that staff was given go by themselves after a day; here they are seen to, and gone. */
async function forgetAnswersOfOthers(tenantId: string): Promise<void> {
  const answers = world.db.collection("idempotency");
  const others = { tenantId, caller: { $ne: ada.userId } };
  const dayMs = 86_400_000;
  for (const { createdAt, expiresAt } of await answers.find(others).toArray()) {
    expect(expiresAt.getTime() - createdAt.getTime()).toBeLessThanOrEqual(dayMs + 1_000);
  }
  await answers.deleteMany(others);
}

test("saved recipients and what nobody paid for go at once, what was paid for when the retention is over", async () => {
  const tenantId = await openTenant(world);
  const [paid, cancelled, waiting] = [await create(tenantId), await create(tenantId), await create(tenantId)];
  await put(tenantId, paid, { status: "COMPLETED", paidAt: new Date(), payout: { interactionId: "i" } });
  await put(tenantId, cancelled, { status: "CANCELLED" });
  const person = { tenantId, ...ada };
  expect(await world.openMoney(person)).toEqual({});
  for (const status of ["PAID", "FAILED", "BLOCKED"]) {
    await put(tenantId, cancelled, { status });
    expect([status, await world.openMoney(person)]).toEqual([status, { transactions: 1 }]);
  }
  await put(tenantId, cancelled, { status: "CANCELLED" });
  expect(await world.openMoney({ ...person, customerId: ben.customerId })).toEqual({});
  // What is told of them waits for the relay, and would be erased with them.
  const unpublished = { tenantId, kind: publishKind };
  await waitFor(async () => (await world.db.collection("outbox").countDocuments(unpublished)) === 0);

  const first = await world.erase(person, "AT_ONCE");
  expect(first).toEqual({
    erased: { beneficiaries: 1, "unpaid-transactions": 1, "kept-answers": 3 },
    kept: { transactions: 2 },
  });
  expect((await world.gateway.listBeneficiaries({}, on(tenantId, manager))).beneficiaries).toEqual([]);
  expect(await row(tenantId, cancelled)).toMatchObject({ sender: { name: "erased" }, creditParty: [] });
  // Whoever pays out still knows whom to.
  for (const id of [paid, waiting]) {
    expect(await row(tenantId, id)).toMatchObject({ recipient: { name: "Ngozi Okafor" }, ipAddress: "203.0.113.7" });
  }
  expect(await world.erase(person, "AT_ONCE")).toEqual(first);

  // One that still waits for its payment is kept, and erased as soon as it is over.
  const second = await world.erase(person, "AFTER_RETENTION");
  expect(second).toEqual({ erased: { transactions: 1 }, kept: { transactions: 1 } });
  const { price, transactionCode, status } = (await row(tenantId, paid))!;
  expect({ price, transactionCode, status }).toMatchObject({ price: { total: {} }, status: "COMPLETED" });
  await put(tenantId, waiting, { status: "EXPIRED" });
  const third = await world.erase(person, "AFTER_RETENTION");
  expect(third).toEqual({ erased: { transactions: 1, "unpaid-transactions": 1 }, kept: {} });
  await forgetAnswersOfOthers(tenantId);
  expect(await tracesIn(world.db.name, tenantId, traces)).toEqual([]);
});

test("a transaction that was erased can still be read by staff, and its receipt has no names", async () => {
  const tenantId = await openTenant(world);
  const id = await create(tenantId);
  await put(tenantId, id, { status: "COMPLETED", paidAt: new Date(), payout: { interactionId: "i" } });
  await world.erase({ tenantId, ...ada }, "AFTER_RETENTION");
  const { transaction } = await world.gateway.getTransaction({ transactionId: id }, on(tenantId, manager));
  expect(transaction).toMatchObject({ sender: { name: "erased", customerId: "c1" }, recipient: { name: "erased" } });
});

test("who paid and was paid, as a partner was told, stays readable until the retention is over, and for nobody after it", async () => {
  const tenantId = await openTenant(world);
  const [paid, cancelled] = [await create(tenantId), await create(tenantId)];
  const tenant = world.store.forTenant(tenantId);
  for (const transactionId of [paid, cancelled]) {
    const before = (await tenant.findTransaction(transactionId))!;
    const set = { orderParties: samplePartiesOf(transactionId), payer: { accountNumber: "1000000008" } };
    await tenant.change(before, { set }, { at: new Date(), actor: "test" });
  }
  const payout = { interactionId: "i", sentAt: new Date() };
  await put(tenantId, paid, { status: "COMPLETED", paidAt: new Date(), payout });
  await put(tenantId, cancelled, { status: "CANCELLED", payout });
  const toldOf = async (transactionId: string) =>
    (await world.gateway.getTransparency({ transactionId }, on(tenantId, manager))).sent?.originator?.name;
  const sealedOf = async (transactionId: string) =>
    Object.keys((await row(tenantId, transactionId))!).filter((name) => /^(sealed|linkedBy)/.test(name));
  const name = "Ada Obi";
  expect([await toldOf(paid), await toldOf(cancelled)]).toEqual([name, name]);

  await world.erase({ tenantId, ...ada }, "AT_ONCE");
  expect([await toldOf(paid), await toldOf(cancelled)]).toEqual([name, undefined]);
  expect(await sealedOf(paid)).toContain("sealedOrderParties");
  expect(await sealedOf(cancelled)).toEqual([]);

  await world.erase({ tenantId, ...ada }, "AFTER_RETENTION");
  expect(await toldOf(paid)).toBeUndefined();
  expect(await sealedOf(paid)).toEqual([]);
  expect((await tenant.findTransaction(paid))!.orderParties).toBeUndefined();
});

test("nobody else's go with it: another customer's, and the same customer's of another tenant", async () => {
  const [tenantId, elsewhere] = [await openTenant(world), await openTenant(world)];
  const bens = { ...beneficiary, idempotencyKey: "b-2", customerId: "c2", code: "B-BEN" };
  await world.operator.createBeneficiary(bens, on(tenantId));
  const theirs = await create(elsewhere);
  await put(elsewhere, theirs, { status: "COMPLETED" });
  await world.erase({ tenantId, ...ada }, "AFTER_RETENTION");
  const left = (await world.gateway.listBeneficiaries({}, on(tenantId, ben))).beneficiaries;
  expect(left).toMatchObject([{ code: "B-BEN", firstName: "Ngozi" }]);
  expect(await row(elsewhere, theirs)).toMatchObject({ recipient: { name: "Ngozi Okafor" } });
});

test("more than fits into one transaction goes in parts, each counted once", async () => {
  const tenantId = await openTenant(world);
  const all = world.db.collection(collections.beneficiaries);
  const { _id, ...one } = (await all.findOne({ tenantId }))!;
  await all.insertMany(
    Array.from({ length: 240 }, (_, index) => ({ ...one, code: `M-${index}`, beneficiaryId: `m-${index}` })),
  );
  expect((await world.erase({ tenantId, ...ada }, "AT_ONCE")).erased).toMatchObject({ beneficiaries: 241 });
  await forgetAnswersOfOthers(tenantId);
  expect(await tracesIn(world.db.name, tenantId, ["3012345671"])).toEqual([]);
});
