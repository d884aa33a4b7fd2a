import { randomUUID } from "node:crypto";
import { silentLog, testDatabase, testTenant, type TestDatabase } from "../../../test/support/index.js";
import type { BusinessClock } from "../../shared/clocks/business-clock.js";
import { holdOf } from "../../shared/mongo/held-tenants.js";
import { runMigrations } from "../../shared/mongo/migrations.js";
import { acrossTenants } from "../../shared/mongo/tenant-collection.js";
import type { Outbox } from "../../shared/outbox/index.js";
import { sandboxIdOf } from "../../shared/sandbox.js";
import { migrations } from "../store/migrations.js";
import { createRemittanceStore } from "../store/index.js";
import { startExpiry } from "./expiry.js";

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

function start() {
  const clock = { now: () => new Date() };
  const times = { forTenant: async () => clock } as unknown as BusinessClock;
  const outbox = { addAll: async () => undefined, wake: () => undefined } as unknown as Outbox;
  const store = createRemittanceStore(database.db);
  return startExpiry({ store, outbox, clock, times, log: silentLog, everyMs: 3_600_000 });
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
  for (const one of [held, heldSandbox]) await overdue(one, 101, 60_000);
  for (const one of [other, otherSandbox]) await overdue(one, 1, 1_000);
  await hold(held, heldSandbox);
  const job = start();
  await job.sweepNow();
  expect([await expired(held), await expired(heldSandbox)]).toEqual([0, 0]);
  expect([await expired(other), await expired(otherSandbox)]).toEqual([1, 1]);
  await job.stop();
});
