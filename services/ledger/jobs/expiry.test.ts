import { randomUUID } from "node:crypto";
import { TransferMode } from "../../../proto/gen/ledger/v1/ledger.js";
import { createLedgerFixture, tenantCalls, transfer } from "../../../test/support/ledger-fixture.js";
import { silentLog, waitFor } from "../../../test/support/index.js";
import { utcBusinessClock } from "../../../test/support/utc-clock.js";
import { systemClock } from "../../kernel/time/clock.js";
import { holdOf } from "../../kernel/mongo/held-tenants.js";
import { processMetrics } from "../../kernel/telemetry/metrics.js";
import { createCalendars } from "../journal/calendars.js";
import { takeOver } from "../journal/take-over.js";
import { collections } from "../store/collections.js";
import { createLedgerStore, type LedgerStore } from "../store/index.js";
import { createLeaseStore } from "../store/leases.js";
import { startExpirySweep } from "./expiry.js";

let fixture: Awaited<ReturnType<typeof createLedgerFixture>>;
const bank = "bank_settlement:USD";

beforeAll(async () => {
  fixture = await createLedgerFixture("ledger_expiry_held");
});
afterAll(() => fixture.close());

async function hold(...tenantIds: string[]): Promise<void> {
  for (const name of Object.values(collections)) {
    // The tenants' leases are renewed together and never held.
    if (name === collections.leases) continue;
    await fixture.database.db.db!.command({ collMod: name, validator: holdOf(tenantIds), validationLevel: "strict" });
  }
}

test("a held tenant's due pendings wait, those of tenants after it are released; its lease does not grow", async () => {
  const never = { EXPIRY_SWEEP_MS: "3600000" };
  const first = await fixture.start(never);
  const pendings: { tenant: ReturnType<typeof tenantCalls>; key: string }[] = [];
  for (const tenant of [tenantCalls(), tenantCalls()]) {
    await tenant.open(first, ["w1"]);
    const key = randomUUID();
    const pending = { mode: TransferMode.TRANSFER_MODE_PENDING, pendingTimeout: { seconds: 0n, nanos: 1_000_000 } };
    const { posted } = await tenant.post(first, transfer(key, bank, "w1", 1n, pending));
    expect(posted).toBeDefined();
    pendings.push({ tenant, key });
  }
  await first.stop();
  const [held, other] = pendings as [(typeof pendings)[0], (typeof pendings)[0]];
  await hold(held.tenant.tenantId);
  await fixture.start();
  const store = createLedgerStore(fixture.database.db);
  const stateOf = async ({ tenant, key }: typeof held) =>
    (await store.forTenant(tenant.tenantId).findPending(key))?.state;
  await waitFor(async () => (await stateOf(other)) === "EXPIRED", { timeoutMs: 20_000 });
  expect(await stateOf(held)).toBe("PENDING");

  // Whoever asks for the held journal takes its lease, cannot write its head, gives the lease back.
  const { db } = fixture.database;
  const { tenantId } = held.tenant;
  const leases = createLeaseStore(db, { address: Promise.resolve("127.0.0.1:1"), holder: "here", ttlMs: 60_000 });
  const calendars = createCalendars({ businessClock: utcBusinessClock(), log: silentLog });
  const about = { clock: systemClock, calendars, limits: {} as never };
  const deps = { db, leases, ...about, log: silentLog, onLost: () => undefined };
  for (let round = 0; round < 3; round++) await expect(takeOver(deps, tenantId)).rejects.toMatchObject({ code: 121 });
  const lease = await db.collection(collections.leases).findOne({ tenantId });
  expect(lease).toMatchObject({ address: "", holder: "", sessionIds: [] });

  await hold();
  await waitFor(async () => (await stateOf(held)) === "EXPIRED", { timeoutMs: 20_000 });
});

test("a tenant whose journal cannot be taken over does not keep the tenants after it", async () => {
  const store = {
    findDue: async () => ["one", "two"].map((tenantId) => ({ tenantId, key: "k" })),
  } as unknown as LedgerStore;
  const swept: string[] = [];
  const ownership = {
    async find(tenantId: string) {
      if (tenantId === "one") throw new Error("refused");
      return { kind: "self", journal: { post: async () => void swept.push(tenantId) } };
    },
  } as never;
  const job = startExpirySweep({ store, ownership, clock: systemClock, intervalMs: 20, log: silentLog });
  await waitFor(() => swept.length > 0);
  await job.stop();
  expect(swept).toContain("two");
});

test("a tenant of whom more is due than a look holds, and whose journal is another's, keeps back nobody", async () => {
  const others = await fixture.start({ EXPIRY_SWEEP_MS: "3600000" });
  const [many, one] = [tenantCalls(), tenantCalls()];
  const pending = { mode: TransferMode.TRANSFER_MODE_PENDING, pendingTimeout: { seconds: 0n, nanos: 1_000_000 } };
  for (const tenant of [many, one]) await tenant.open(others, ["w1"]);
  for (let at = 0; at < 5; at += 1) await many.post(others, transfer(randomUUID(), bank, "w1", 1n, pending));
  const key = randomUUID();
  await one.post(others, transfer(key, bank, "w1", 1n, pending));
  const polls: [string, number][][] = [];
  const store = createLedgerStore(fixture.database.db);
  const noted = {
    ...store,
    async findDue(...requested: Parameters<LedgerStore["findDue"]>) {
      const due = await store.findDue(...requested);
      const counts = [...Map.groupBy(due, ({ tenantId }) => tenantId)];
      polls.push(counts.map(([tenantId, rows]): [string, number] => [tenantId, rows.length]));
      return due;
    },
  };
  const released: string[] = [];
  const ownership = {
    async find(tenantId: string) {
      const post = async ({ transfers }: { transfers: { refersTo: string }[] }) =>
        void released.push(transfers[0]!.refersTo);
      return tenantId === many.tenantId ? { kind: "other" } : { kind: "self", journal: { post } };
    },
  } as never;
  const sweep = startExpirySweep({
    store: noted,
    ownership,
    clock: systemClock,
    intervalMs: 20,
    log: silentLog,
    perPoll: 2,
  });
  await waitFor(() => released.includes(key));
  await sweep.stop();
  expect(polls.flat()).toContainEqual([many.tenantId, 2]);
  await others.stop();
});

test("one pending transfer that cannot be released is left and counted, its tenant's others are released", async () => {
  const never = { EXPIRY_SWEEP_MS: "3600000" };
  const first = await fixture.start(never);
  const tenant = tenantCalls();
  const { tenantId } = tenant;
  await tenant.open(first, ["w1"]);
  const keys = [randomUUID(), randomUUID(), randomUUID()];
  const [sound, poisoned, other] = keys as [string, string, string];
  for (const key of keys) {
    const pending = { mode: TransferMode.TRANSFER_MODE_PENDING, pendingTimeout: { seconds: 0n, nanos: 1_000_000 } };
    const { posted } = await tenant.post(first, transfer(key, bank, "w1", 1n, pending));
    expect(posted).toBeDefined();
  }
  await first.stop();
  // Its account is of no ledger any more: its release can be planned by nobody.
  const pendings = fixture.database.db.collection(collections.pendings);
  await pendings.updateOne({ tenantId, key: poisoned }, { $set: { debitAccountId: "nobody:USD" } });
  const left = async () => {
    const counter = processMetrics.registry.getSingleMetric("manilla_rows_left_total");
    return (await counter!.get()).values.find(({ labels }) => labels["work"] === "expiry")!.value;
  };
  const before = await left();
  await fixture.start();
  const store = createLedgerStore(fixture.database.db).forTenant(tenantId);
  const stateOf = async (key: string) => (await store.findPending(key))?.state;
  await waitFor(async () => (await stateOf(sound)) === "EXPIRED" && (await stateOf(other)) === "EXPIRED", {
    timeoutMs: 20_000,
  });
  await waitFor(async () => (await left()) > before, { timeoutMs: 20_000 });
  expect(await stateOf(poisoned)).toBe("PENDING");
});
