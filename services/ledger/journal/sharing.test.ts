import { randomUUID } from "node:crypto";
import {
  createLedgerFixture,
  tenantCalls,
  transfer,
  type LedgerReplica,
} from "../../../test/support/ledger-fixture.js";
import { waitFor } from "../../../test/support/index.js";
import { storedJournal } from "../audit/stored-journal.js";
import { verifyJournal } from "../audit/verify.js";
import { acrossTenants } from "../../kernel/mongo/tenant-collection.js";
import { collections, type LeaseDocument, type ReplicaDocument } from "../store/collections.js";
import { createLedgerStore } from "../store/index.js";

const bank = "bank_settlement:USD";
const often = { SHARE_EVERY_MS: "100" };
const soon = { timeoutMs: 25_000 };
type Tenant = ReturnType<typeof tenantCalls>;

let fixture: Awaited<ReturnType<typeof createLedgerFixture>>;
const running: LedgerReplica[] = [];

beforeEach(async () => {
  fixture = await createLedgerFixture(`share_${randomUUID().slice(0, 4)}`);
});
afterEach(async () => {
  running.length = 0;
  await fixture.database.db.dropDatabase();
  await fixture.close();
});

async function start(env: Record<string, string> = often): Promise<LedgerReplica> {
  const replica = await fixture.start(env);
  running.push(replica);
  return replica;
}

/**
 * Tenants with a wallet and a first deposit, which makes the replica the owner of their journals.
 */
async function openTenants(count: number, owner: LedgerReplica, ids: string[] = []): Promise<Tenant[]> {
  const tenants = Array.from({ length: count }, (_, n) => tenantCalls(ids[n]));
  for (const tenant of tenants) {
    await tenant.open(owner, ["w1"]);
    await deposit(tenant, owner);
  }
  return tenants;
}

async function deposit(tenant: Tenant, replica: LedgerReplica): Promise<void> {
  const { posted } = await tenant.post(replica, transfer(randomUUID(), bank, "w1", 1n));
  expect(posted).toBeDefined();
}

const leases = () => acrossTenants<LeaseDocument>(fixture.database.db, collections.leases, "a test");
const replicas = () => acrossTenants<ReplicaDocument>(fixture.database.db, collections.replicas, "a test");

/** Journals that a replica owns, or is being handed, by the leases that run. */
async function ownedBy({ port }: LedgerReplica): Promise<string[]> {
  const found = await leases().find({ address: `127.0.0.1:${port}`, $expr: { $gt: ["$until", "$$NOW"] } });
  return found.map(({ _id }) => _id).toSorted();
}

/** Posts to every tenant through every running replica in turn; how often, for each tenant. */
function keepPosting(tenants: readonly Tenant[]) {
  let isRunning = true;
  const posted = new Map(tenants.map(({ tenantId }) => [tenantId, 1]));
  const clients = tenants.map(async (tenant, first) => {
    for (let n = first; isRunning; n++) {
      await deposit(tenant, running[n % running.length]!);
      posted.set(tenant.tenantId, posted.get(tenant.tenantId)! + 1);
    }
  });
  const all = Promise.all(clients);
  all.catch(() => undefined);
  return {
    async stop(): Promise<Map<string, number>> {
      isRunning = false;
      await all;
      return posted;
    },
  };
}

async function verify(tenantId: string, posted: number): Promise<void> {
  const store = createLedgerStore(fixture.database.db).forTenant(tenantId);
  const { faults } = await verifyJournal(storedJournal(store, tenantId));
  expect(faults).toEqual([]);
  expect((await store.findHead())?.seq).toBe(BigInt(posted));
}

test("a second replica gets its share of the journals while both are posted to: no caller sees it, nothing is lost or doubled", async () => {
  const one = await start();
  const tenants = await openTenants(8, one);
  const load = keepPosting(tenants);
  const two = await start();
  await waitFor(async () => (await ownedBy(two)).length >= 3, soon);
  const posted = await load.stop();
  const [mine, handed] = [await ownedBy(one), await ownedBy(two)];
  expect([...mine, ...handed].toSorted()).toEqual(tenants.map(({ tenantId }) => tenantId).toSorted());
  for (const [tenantId, count] of posted) await verify(tenantId, count);
});

test("a pinned journal is alone on its replica, also when it is idle: the others move, and new ones go elsewhere", async () => {
  const [pinned, ...others] = [tenantCalls().tenantId, tenantCalls().tenantId, tenantCalls().tenantId] as const;
  // Seldom enough that a busy machine does not make a replica look gone.
  const pins = { SHARE_EVERY_MS: "1000", PINNED_TENANTS: `other, ${pinned}` };
  const env = { ...pins, JOURNAL_IDLE_MS: "3000", LEASE_TTL_MS: "1000" };
  const one = await start(env);
  const tenants = await openTenants(3, one, [pinned, ...others]);
  const load = keepPosting(tenants.slice(1));
  const two = await start(env);
  await waitFor(async () => (await ownedBy(one)).join() === pinned && (await ownedBy(two)).length === 2, soon);
  const [newcomer] = await openTenants(1, one);
  expect(await ownedBy(two)).toContain(newcomer!.tenantId);
  await load.stop();
  await waitFor(async () => (await ownedBy(two)).length === 0, soon);
  expect(await ownedBy(one)).toEqual([pinned]);
});

test("a journal handed to a replica that has just died is taken over again when that one's lease would be over", async () => {
  const one = await start({ ...often, LEASE_TTL_MS: "1000" });
  const tenants = await openTenants(2, one);
  // Told of itself, and was killed: nobody listens at its address.
  const seenAt = new Date(Date.now() + 1_500);
  await replicas().insertOne({ _id: "127.0.0.1:1", holder: "gone", load: 0, isReserved: false, told: 1, seenAt });
  const load = keepPosting(tenants);
  const epochs = async () => (await leases().find({})).map(({ epoch }) => epoch);
  await waitFor(async () => (await epochs()).some((epoch) => epoch > 1n) && (await ownedBy(one)).length === 2, soon);
  for (const [tenantId, count] of await load.stop()) await verify(tenantId, count);
});

test("a replica that ends is handed nothing more, and what it owned goes to those that are asked", async () => {
  const env = { ...often, LEASE_TTL_MS: "1000" };
  const [one, two] = [await start(env), await start(env)];
  const tenants = await openTenants(4, two);
  await waitFor(async () => (await replicas().count({})) === 2);
  running.splice(0, 1);
  await one.stop();
  expect(await replicas().count({})).toBe(1);
  const load = keepPosting(tenants);
  await waitFor(async () => (await ownedBy(two)).length === 4, soon);
  await load.stop();
});
