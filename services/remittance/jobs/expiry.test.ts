import { randomUUID } from "node:crypto";
import mongoose, { type mongo } from "mongoose";
import { plansOf } from "../../../test/support/read-plans.js";
import { silentLog, testDatabase, testTenant, type TestDatabase } from "../../../test/support/index.js";
import type { BusinessClock } from "../../platform/preferences/business-clock.js";
import { holdOf } from "../../kernel/mongo/held-tenants.js";
import { runMigrations } from "../../kernel/mongo/migrations.js";
import { acrossTenants } from "../../kernel/mongo/tenant-collection.js";
import { createOutbox } from "../../kernel/outbox/index.js";
import { sandboxIdOf } from "../../platform/sandbox/sandbox.js";
import { migrations } from "../store/migrations.js";
import { createRemittanceStore } from "../store/index.js";
import type { Change, Transaction } from "../domain/transaction.js";
import type { ExpiredTogether } from "../sagas/outbox-rows.js";
import { groupSize, startExpiry } from "./expiry.js";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase("remittance_expiry");
  await runMigrations(database.db, migrations, silentLog);
});
afterEach(async () => {
  await hold();
  await acrossTenants(database.db, "transactions", "test").deleteMany({});
});
afterAll(() => database.close());

const transactions = () => database.db.collection("transactions");
const hold = (...tenantIds: string[]) =>
  database.db.db!.command({ collMod: "transactions", validator: holdOf(tenantIds), validationLevel: "strict" });

const usd = { minor: 100n, currency: "USD" };
const nobody = { customerId: "c1", customerCode: "C-1", name: "Ada Obi", country: "USA" };
/** What every transaction says of its price and its people, which its event repeats. */
const order = {
  terms: { delivery: { otherFees: [] } },
  price: {
    inclusive: false,
    rate: "1",
    principal: usd,
    total: usd,
    receive: usd,
    fees: [],
    totalFees: usd,
    totalTaxes: usd,
  },
  sender: nobody,
  recipient: nobody,
  transferInformation: { originCountry: "", receivingCountry: "", remittancePurpose: "", sourceOfFunds: "" },
  deliveryMethod: "ACCOUNTPAYMENT",
  processingMode: "REAL_TIME",
  interactionId: "i",
  descriptionText: "",
  createdAt: new Date(),
};

/** Unpaid transactions whose time was over this long ago. */
async function overdue(tenantId: string, count: number, agoMs: number): Promise<void> {
  const rows = Array.from({ length: count }, () => {
    const transactionId = randomUUID();
    const expiresAt = new Date(Date.now() - agoMs);
    const common = { ...order, version: 1, timeline: [], creditParty: [] };
    return {
      tenantId,
      transactionId,
      transactionCode: transactionId,
      status: "AWAITING_PAYMENT",
      expiresAt,
      ...common,
    };
  });
  await transactions().insertMany(rows);
}

const expired = (tenantId: string) => transactions().countDocuments({ tenantId, status: "EXPIRED" });

const clock = { now: () => new Date() };
const store = () => createRemittanceStore(database.db);

function start() {
  const times = { forTenant: async () => clock } as unknown as BusinessClock;
  const outbox = createOutbox({ db: database.db, clock, log: silentLog, service: "remittance" });
  return startExpiry({ store: store(), outbox, clock, times, log: silentLog, everyMs: 3_600_000 });
}

test("a sandbox that was held a moment ago keeps no other tenant's transaction from expiring", async () => {
  const [held, other] = [sandboxIdOf(testTenant()), testTenant()];
  const job = start();
  // By now the job believes that nobody is held.
  await job.sweepNow();
  await overdue(held, 1, 60_000);
  await overdue(other, 1, 1_000);
  await hold(held);
  await job.sweepNow();
  expect([await expired(held), await expired(other)]).toEqual([0, 1]);
  await hold();
  await job.sweepNow();
  expect(await expired(held)).toBe(1);
  await job.stop();
});

test("a held tenant with more overdue transactions than a sweep takes keeps no other's from expiring", async () => {
  const [held, other] = [testTenant(), testTenant()];
  const [heldSandbox, otherSandbox] = [sandboxIdOf(held), sandboxIdOf(other)];
  for (const one of [held, heldSandbox]) await overdue(one, groupSize + 1, 60_000);
  for (const one of [other, otherSandbox]) await overdue(one, 1, 1_000);
  await hold(held, heldSandbox);
  const job = start();
  await job.sweepNow();
  expect([await expired(held), await expired(heldSandbox)]).toEqual([0, 0]);
  expect([await expired(other), await expired(otherSandbox)]).toEqual([1, 1]);
  await job.stop();
});

interface Row {
  kind: string;
  seq: number;
  payload: Record<string, unknown>;
}

/** What an expiry has left to be done: of whom compliance and events are told. */
async function leftToTell(tenantId: string) {
  const rows = await database.db.collection<Row>("outbox").find({ tenantId }).toArray();
  const groups = rows
    .filter(({ kind }) => kind === "compliance.release-reservation")
    .map(({ payload }) => (payload as unknown as ExpiredTogether).expired);
  const published = rows.filter(({ kind }) => kind === "event.publish");
  return {
    groups,
    released: groups.flat().map(({ transactionId }) => transactionId),
    published: published.map(({ payload }) => payload["subjectId"] as string),
    types: [...new Set(published.map(({ payload }) => payload["type"]))],
    seqs: [...new Set(published.map(({ seq }) => seq))],
  };
}

const idsOf = async (tenantId: string, status: string) =>
  (await transactions().find({ tenantId, status }).toArray())
    .map(({ transactionId }) => transactionId as string)
    .toSorted();

test("a whole group expires by four commands to MongoDB, with an event each and one row for compliance", async () => {
  const tenantId = testTenant();
  await overdue(tenantId, groupSize, 1_000);
  const job = start();
  const sent = await commandsDuring(tenantId, () => job.sweepNow());
  expect(sent).toEqual(["find transactions", "update transactions", "insert outbox", "commitTransaction"]);
  const ids = await idsOf(tenantId, "EXPIRED");
  expect(ids).toHaveLength(groupSize);
  const { groups, released, published, types, seqs } = await leftToTell(tenantId);
  expect([groups.length, released.toSorted(), published.toSorted()]).toEqual([1, ids, ids]);
  // Of the second version: whatever comes after it is told after it.
  expect([types, seqs]).toEqual([["transaction.expired"], [2 * 2 ** 20]]);
  const [one] = await store().forTenant(tenantId).listTransactions({ ids });
  expect(one).toMatchObject({
    version: 2,
    timeline: [{ status: "EXPIRED", actor: "remittance", reason: "not paid in time" }],
  });
  await job.stop();
});

test("one that cannot expire keeps none of the others, and those behind it are looked at in the same sweep", async () => {
  const [tenantId, other] = [testTenant(), testTenant()];
  await overdue(tenantId, 1, 90_000);
  await transactions().updateOne({ tenantId }, { $set: { price: "nobody can read it" } });
  await overdue(tenantId, groupSize + 20, 60_000);
  await overdue(other, 5, 1_000);
  const job = start();
  await job.sweepNow();
  expect([await expired(tenantId), await expired(other)]).toEqual([groupSize + 20, 5]);
  const { released, published } = await leftToTell(tenantId);
  const ids = await idsOf(tenantId, "EXPIRED");
  expect([released.toSorted(), published.toSorted()]).toEqual([ids, ids]);
  await job.stop();
});

test("whoever pays at the same time has paid, or it has expired: never both", async () => {
  const tenantId = testTenant();
  await overdue(tenantId, 60, 1_000);
  const ids = await idsOf(tenantId, "AWAITING_PAYMENT");
  const own = store();
  const tenant = own.forTenant(tenantId);
  const claim: Change = { status: "PAYING", set: { paymentId: "p1" } };
  const pay = (id: string) =>
    own.transaction(
      async (session) => {
        const before = (await tenant.findTransaction(id, session)) as Transaction;
        if (before.status !== "AWAITING_PAYMENT") return false;
        return (await tenant.change(before, claim, { at: new Date(), actor: "wallet" }, session)) !== undefined;
      },
      async () => undefined,
    );
  const jobs = [start(), start()];
  const [paid] = await Promise.all([
    Promise.all(ids.filter((_id, index) => index % 3 === 0).map(pay)),
    ...jobs.map((job) => job.sweepNow()),
  ]);
  await Promise.all(jobs.map((job) => job.sweepNow()));
  const [paying, over] = [await idsOf(tenantId, "PAYING"), await idsOf(tenantId, "EXPIRED")];
  expect(paying).toHaveLength(paid.filter((isPaid) => isPaid).length);
  expect([...paying, ...over].toSorted()).toEqual(ids);
  const { released, published } = await leftToTell(tenantId);
  expect([released.toSorted(), published.toSorted()]).toEqual([over, over]);
  await Promise.all(jobs.map((job) => job.stop()));
});

/** Commands that name the tenant alone, and the ends of transactions. */
async function commandsDuring(tenantId: string, work: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = [];
  const watch = ({ commandName, command }: mongo.CommandStartedEvent) => {
    const text = JSON.stringify(command, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value));
    if (commandName === "commitTransaction") sent.push(commandName);
    else if (text.includes(tenantId)) sent.push(`${commandName} ${String(command[commandName])}`);
  };
  const clients = new Set(
    mongoose.connections.filter(({ readyState }) => readyState === 1).map((db) => db.getClient()),
  );
  for (const client of clients) client.on("commandStarted", watch);
  try {
    await work();
  } finally {
    for (const client of clients) client.off("commandStarted", watch);
  }
  return sent;
}

test("unpaid transactions are found by an index alone, those of sandboxes among everybody's", async () => {
  const [live, sandbox] = [testTenant(), sandboxIdOf(testTenant())];
  await overdue(live, 40, 2_000);
  await overdue(sandbox, 3, 1_000);
  const store = createRemittanceStore(database.db);
  const plans = await plansOf(database, async () => {
    expect(await store.findUnpaidInSandboxes(groupSize)).toHaveLength(3);
    expect(await store.findOverdue(new Date(), groupSize, [])).toHaveLength(43);
  });
  const ofTransactions = plans.filter(({ collection }) => collection === "transactions");
  expect(ofTransactions.map(({ plan }) => plan)).toEqual([expect.any(String), expect.any(String)]);
  // A key each, the end of the range, and no document.
  for (const { examined } of ofTransactions) expect(examined).toBeLessThanOrEqual(43 + 1);
});
