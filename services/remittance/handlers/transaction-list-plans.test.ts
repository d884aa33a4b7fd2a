import { ada, agent, cashier, manager, on } from "../../../test/support/remittance-calls.js";
import { plansOf } from "../../../test/support/read-plans.js";
import { createWorld, type World } from "../../../test/support/remittance-fixture.js";
import { openTenant, order } from "../../../test/support/remittance-samples.js";
import type { ListTransactionsRequest } from "../../../proto/gen/remittance/v1/remittance.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import { deliveryMethods } from "../domain/corridor.js";
import { transactionStatuses } from "../domain/transaction.js";

let world: World;
beforeAll(async () => void (world = await createWorld("list-plans")));
afterEach(() => world.reset());
afterAll(() => world.close());

type User = typeof ada | typeof agent | typeof manager | typeof cashier;
const create = async (tenantId: string) =>
  (await world.gateway.createTransaction(order({}), on(tenantId, ada))).transaction!;
const list = (tenantId: string, part: WirePartial<ListTransactionsRequest>, user: User = manager) =>
  world.gateway.listTransactions(part, on(tenantId, user));
const ids = async (tenantId: string, part: WirePartial<ListTransactionsRequest>, user?: User) =>
  (await list(tenantId, part, user)).transactions.map(({ transactionId }) => transactionId);

/** How the lists among the reads were found, beside what jobs read meanwhile. */
async function listPlans(work: () => Promise<unknown>) {
  const plans = await plansOf({ uri: world.uri, database: world.database }, work);
  const lists = plans.filter(
    ({ collection, sort }) => collection === "transactions" && sort === "createdAt,transactionId",
  );
  expect(lists.length).toBeGreaterThan(0);
  return lists;
}

test("each list reads along an index: no more keys than its page, nothing sorted in memory", async () => {
  const tenantId = await openTenant(world);
  const { transactionId } = await create(tenantId);
  const collection = world.db.collection("transactions");
  const { _id, sealedParties: _sealed, ...model } = (await collection.findOne({ tenantId, transactionId }))!;
  // Of ten one is like it, and nine are so in nothing: a list that went along
  // another index would pass over those.
  const unlike = {
    status: "COMPLETED",
    deliveryMethod: "WALLET",
    createdBy: "somebody",
    agentId: "somebody",
    searchWords: ["somebody"],
    sender: { ...model["sender"], customerId: "somebody", customerCode: "C-OTHER" },
    recipient: { ...model["recipient"], customerCode: "B-OTHER" },
    transferInformation: { ...model["transferInformation"], receivingCountry: "KEN" },
    price: { ...model["price"], principal: { ...model["price"].principal, currency: "GBP" } },
  };
  const rows = Array.from({ length: 600 }, (_, index) => ({
    ...model,
    ...(index % 10 !== 0 && unlike),
    // What lies sealed opens for its own transaction alone.
    creditParty: [],
    transactionId: `${transactionId}-${index}`,
    transactionCode: `MN${index}`,
    createdAt: new Date(model["createdAt"].getTime() + index),
  }));
  await collection.insertMany(rows as never[]);
  const end = new Date(rows[400]!.createdAt.getTime() + 1);
  const cursor = `${rows[400]!.createdAt.getTime()}.${rows[400]!.transactionId}`;
  const requested: [WirePartial<ListTransactionsRequest>, User?][] = [
    [{}],
    [{}, ada],
    [{}, cashier],
    [{}, agent],
    [{ statuses: ["AWAITING_PAYMENT"] }],
    [{ statuses: ["AWAITING_PAYMENT"] }, ada],
    [{ statuses: ["AWAITING_PAYMENT", "CANCELLED"] }, agent],
    // None is so: a short list is not put in order in memory either.
    [{ statuses: ["REJECTED"] }, agent],
    [{ statuses: ["REJECTED"], type: "DELIVERY_METHOD_CASH_PICKUP" }, agent],
    [{ receivingCountry: "GB" }],
    [{ search: "ngozi" }],
    [{ held: true }],
    [{ held: true, statuses: ["PAID"] }],
    [{ receivingCountry: "NG" }],
    [{ receivingCountry: "NG", statuses: ["AWAITING_PAYMENT", "CANCELLED"] }],
    [{ receivingCountry: "NG", type: "DELIVERY_METHOD_ACCOUNTPAYMENT" }],
    [{ sendCurrency: "USD" }],
    [{ type: "DELIVERY_METHOD_ACCOUNTPAYMENT" }],
    [{ type: "DELIVERY_METHOD_ACCOUNTPAYMENT", statuses: ["AWAITING_PAYMENT"] }],
    [{ senderCustomerCode: model["sender"].customerCode }],
    [{ recipientCode: model["recipient"].customerCode }],
  ];
  for (const [part, user] of requested) {
    for (const from of [{}, { cursor }, { to: end }, { from: new Date(0), to: end, cursor }]) {
      const [read] = await listPlans(() => list(tenantId, { ...part, ...from, pageSize: 20 }, user));
      expect([part, from, read!.plan, read!.isSorted]).toEqual([part, from, expect.stringMatching(/^IXSCAN/), false]);
      // A key and a document each, one beyond the page, and the cursor's own.
      expect([part, from, read!.plan, read!.examined <= 2 * 22]).toEqual([part, from, read!.plan, true]);
    }
  }
});

test("no filter hides a status or a way that there is", async () => {
  const tenantId = await openTenant(world);
  const { transactionId } = await create(tenantId);
  const rows = world.db.collection("transactions");
  const { _id, sealedParties: _sealed, ...fields } = (await rows.findOne({ tenantId, transactionId }))!;
  // What lies sealed opens for its own transaction alone.
  const model = { ...fields, creditParty: [] };
  const each = transactionStatuses.flatMap((status) =>
    deliveryMethods.map((deliveryMethod) => ({ status, deliveryMethod })),
  );
  const names = (index: number) => ({
    transactionId: `${transactionId}-${index}`,
    transactionCode: `MN-${tenantId}-${index}`,
  });
  await rows.insertMany(each.map((one, index) => ({ ...model, ...one, ...names(index) })) as never[]);
  await rows.deleteOne({ tenantId, transactionId });
  const found = async (part: WirePartial<ListTransactionsRequest>, user?: User) =>
    (await ids(tenantId, { ...part, pageSize: 100 }, user)).length;
  expect(await found({})).toBe(each.length);
  expect(await found({}, ada)).toBe(each.length);
  expect(await found({ receivingCountry: "NG" })).toBe(each.length);
  for (const status of transactionStatuses) {
    expect([status, await found({ statuses: [status] })]).toEqual([status, deliveryMethods.length]);
  }
  for (const way of deliveryMethods) {
    expect([way, await found({ type: `DELIVERY_METHOD_${way}` })]).toEqual([way, transactionStatuses.length]);
  }
});

describe("lists of many", () => {
  /** The oldest of a tenant's transactions, and so many newer ones beside it. */
  async function amongMany(oldest: object, others: (index: number) => object) {
    const tenantId = await openTenant(world);
    const { transactionId } = await create(tenantId);
    const collection = world.db.collection("transactions");
    const model = (await collection.findOne({ tenantId, transactionId }))!;
    await collection.updateOne({ tenantId, transactionId }, { $set: oldest });
    const rows = Array.from({ length: 500 }, (_, index) => {
      const { _id, sealedParties: _sealed, ...fields } = model;
      const row = { ...fields, creditParty: [] };
      const names = { transactionId: `${transactionId}-${index}`, transactionCode: `MN-${tenantId}-${index}` };
      return { ...row, ...names, createdAt: new Date(model["createdAt"].getTime() + 1 + index) };
    });
    await collection.insertMany(rows as never[]);
    const set = (index: number) => ({
      updateOne: { filter: { tenantId, transactionId: rows[index]!.transactionId }, update: { $set: others(index) } },
    });
    await collection.bulkWrite(rows.map((_, index) => set(index)) as never[]);
    return { tenantId, transactionId };
  }

  const country = (name: string) => ({ "transferInformation.receivingCountry": name });

  test.each([
    ["a country", country("KEN"), { receivingCountry: "KEN" }],
    ["a currency", { "price.principal.currency": "GBP" }, { sendCurrency: "GBP" }],
    ["a way", { deliveryMethod: "WALLET" }, { type: "DELIVERY_METHOD_WALLET" as const }],
    ["a sender", { "sender.customerCode": "C-RARE" }, { senderCustomerCode: "C-RARE" }],
    ["a recipient", { "recipient.customerCode": "B-RARE" }, { recipientCode: "B-RARE" }],
  ])(
    "what is rare, of %s, is found without looking at the others, oldest as it may be",
    async (_what, rare, requested) => {
      const { tenantId, transactionId } = await amongMany(rare, () => ({ version: 1 }));
      const [read] = await listPlans(async () => expect(await ids(tenantId, requested)).toEqual([transactionId]));
      expect(read!.examined).toBeLessThan(10);
    },
  );

  const theirs = { "sender.customerId": "somebody else" };
  const [cancelled, wallet] = [{ status: "CANCELLED" }, { deliveryMethod: "WALLET" }];
  const type = "DELIVERY_METHOD_WALLET" as const;
  const statuses = ["CANCELLED"];
  test.each<[string, object, object, WirePartial<ListTransactionsRequest>, User]>([
    ["a country and a status", country("KEN"), cancelled, { receivingCountry: "KEN", statuses }, manager],
    ["a country and a status, by an agent", country("KEN"), cancelled, { receivingCountry: "KEN", statuses }, agent],
    ["a country and a way", country("KEN"), wallet, { receivingCountry: "KEN", type }, manager],
    ["a way and a status", wallet, cancelled, { type, statuses }, manager],
    ["a customer and a status", { version: 1 }, { ...theirs, ...cancelled }, { statuses }, ada],
  ])(
    "of two that many have and one has both, %s, that one is found at once",
    async (_what, one, other, requested, user) => {
      const { "sender.customerId": _, ...both } = { "sender.customerId": "", ...one, ...other };
      const { tenantId, transactionId } = await amongMany(both, (index) => (index % 2 === 0 ? one : other));
      const end = world.now().getTime() + 600_000;
      for (const from of [{}, { cursor: `${end}.zz` }, { from: new Date(0), to: new Date(end) }]) {
        const [read] = await listPlans(async () =>
          expect(await ids(tenantId, { ...requested, ...from }, user)).toEqual([transactionId]),
        );
        expect([read!.plan, read!.isSorted, read!.examined < 30]).toEqual([read!.plan, false, true]);
      }
    },
  );
});
