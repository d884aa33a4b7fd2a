import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { mongo } from "mongoose";
import { silentLog, testDatabase, testTenant, waitFor, type TestDatabase } from "../../../test/support/index.js";
import { systemClock } from "../clock.js";
import { acrossTenants } from "../mongo/tenant-collection.js";
import { inTransaction } from "../mongo/transaction.js";
import { createOutbox, createOutboxIndexes, startRelay, type Outbox, type Relay, type RowHandler } from "./index.js";
import type { StoredRow } from "./row.js";

// A relay sees all tenants, so each test has a database of its own.
let database: TestDatabase;
let tenantId: string;
const relays: Relay[] = [];

beforeEach(async () => {
  database = await testDatabase(`relay_${randomUUID().slice(0, 8)}`);
  await createOutboxIndexes(database.db);
  tenantId = testTenant();
});
afterEach(async () => {
  await Promise.all(relays.splice(0).map((relay) => relay.stop(0)));
  await database.db.dropDatabase();
  await database.close();
});

const make = (leaseMs = 10_000): Outbox =>
  createOutbox({ db: database.db, clock: systemClock, log: silentLog, service: "wallet", leaseMs });

function start(outbox: Outbox, handler: RowHandler, concurrency = 8): Relay {
  const relay = startRelay({ outbox, handlers: { note: handler }, pollMs: 50, backoff: () => 30, concurrency });
  relays.push(relay);
  return relay;
}

async function add(outbox: Outbox, rows: { aggregate: string; seq: number }[]): Promise<void> {
  const base = { tenantId, kind: "note", payload: {}, interactionId: "i", actor: "user-1" };
  await inTransaction(
    database.db,
    async (session) => {
      for (const row of rows) await outbox.add({ ...base, ...row }, session);
    },
    { readBack: async () => undefined },
  );
}

const stored = () => acrossTenants<StoredRow>(database.db, "outbox", "test");
const whenDone = (count: number, timeoutMs = 10_000) =>
  waitFor(async () => (await stored().count({ state: "DONE" })) === count, { timeoutMs, what: `${count} rows done` });
const many = (count: number, aggregates: number) =>
  Array.from({ length: count }, (_, i) => ({ aggregate: `a:${i % aggregates}`, seq: Math.floor(i / aggregates) + 1 }));

/** Commands on the outbox while `work` runs, by name. */
async function commandsOf(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const sent: Record<string, number> = {};
  const watch = ({ commandName, command }: mongo.CommandStartedEvent) => {
    if (command[commandName] === "outbox") sent[commandName] = (sent[commandName] ?? 0) + 1;
  };
  database.db.getClient().on("commandStarted", watch);
  await work();
  database.db.getClient().off("commandStarted", watch);
  return sent;
}

test("three relays share the rows: each runs once, in order", async () => {
  const seen: Record<string, number[]> = {};
  const inside = new Set<string>();
  const handler: RowHandler = async ({ aggregate, seq }) => {
    expect(inside.has(aggregate)).toBe(false);
    inside.add(aggregate);
    await sleep(Math.random() * 5);
    inside.delete(aggregate);
    (seen[aggregate] ??= []).push(seq);
  };
  for (let i = 0; i < 3; i++) start(make(), handler, 4);
  await add(make(), many(200, 20));
  await whenDone(200);
  const order = Array.from({ length: 10 }, (_, i) => i + 1);
  expect(Object.values(seen)).toEqual(Array.from({ length: 20 }, () => order));
  expect((await stored().find({})).every(({ attempts }) => attempts === 1)).toBe(true);
});

test("a killed relay's row is taken over when its lease has run out, and not before", async () => {
  const dead = make(600);
  const [lost] = (await takeAfterAdding(dead)).taken;
  const takenAt = performance.now();
  const seen: { attempt: number; afterMs: number }[] = [];
  start(make(600), async (_, { attempt }) => void seen.push({ attempt, afterMs: performance.now() - takenAt }));
  await whenDone(1);
  expect(seen).toEqual([{ attempt: 2, afterMs: expect.any(Number) }]);
  expect(seen[0]?.afterMs).toBeGreaterThan(550);
  // What the dead one would still write finds its token gone.
  expect(await dead.leases.complete(lost as never)).toBe(false);
});

test("a stale token can neither complete, nor give back, nor renew", async () => {
  const outbox = make(50);
  const [stale] = (await takeAfterAdding(outbox)).taken;
  if (!stale) throw new Error("nothing taken");
  await sleep(80);
  const [current] = (await outbox.leases.takeDue(1)).taken;
  if (!current) throw new Error("nothing taken again");
  expect(await outbox.leases.complete(stale)).toBe(false);
  expect(await outbox.leases.giveBack(stale, { state: "PARKED" })).toBe(false);
  expect(await outbox.leases.renew([stale])).toEqual(new Set());
  expect(await outbox.leases.renew([stale, { ...current, token: "x" }])).toEqual(new Set());
  expect(await outbox.leases.complete(current)).toBe(true);
  expect(await outbox.leases.complete(current)).toBe(false);
});

async function takeAfterAdding(outbox: Outbox) {
  await add(outbox, [{ aggregate: "a", seq: 1 }]);
  return outbox.leases.takeDue(10);
}

test("a long run keeps its lease", async () => {
  const seen: number[] = [];
  const handler: RowHandler = async (_, { attempt, signal }) => {
    await sleep(700);
    expect(signal.aborted).toBe(false);
    seen.push(attempt);
  };
  start(make(200), handler);
  start(make(200), handler);
  await add(make(), [{ aggregate: "a", seq: 1 }]);
  await whenDone(1);
  expect(seen).toEqual([1]);
});

test("a run whose lease is lost is told so", async () => {
  const outbox = make(200);
  let isTold = false;
  start(outbox, async (_, { signal, attempt }) => {
    if (attempt > 1) return;
    await stored().updateOne({}, { $set: { leaseToken: "another", leasedUntil: new Date(Date.now() + 300) } });
    await waitFor(() => signal.aborted);
    isTold = true;
    throw new Error("cut off");
  });
  await add(outbox, [{ aggregate: "a", seq: 1 }]);
  await whenDone(1);
  expect(isTold).toBe(true);
  expect(await stored().findOne({})).toMatchObject({ attempts: 2, state: "DONE" });
});

test("stop waits for what runs and takes nothing more", async () => {
  const outbox = make();
  const seen: string[] = [];
  const relay = start(
    outbox,
    async ({ aggregate }) => {
      await sleep(150);
      seen.push(aggregate);
    },
    2,
  );
  await add(outbox, many(6, 6));
  outbox.wake();
  await sleep(60);
  await relay.stop();
  expect(seen).toHaveLength(2);
  await sleep(200);
  expect(seen).toHaveLength(2);
  expect(await stored().count({ state: "DONE" })).toBe(2);
});

test("a parked row with hundreds behind it keeps nobody else waiting", async () => {
  const outbox = make();
  await add(
    outbox,
    Array.from({ length: 300 }, (_, i) => ({ aggregate: "stuck", seq: i + 1 })),
  );
  await stored().updateOne({ seq: 1 }, { $set: { state: "PARKED" } });
  await add(outbox, many(10, 10));
  const seen: string[] = [];
  start(outbox, async ({ aggregate }) => void seen.push(aggregate), 2);
  await whenDone(10, 3_000);
  expect(seen).not.toContain("stuck");
  await sleep(100);
  const idle = await commandsOf(() => sleep(500));
  expect(idle["find"]).toBeGreaterThan(5);
  expect(idle["aggregate"] ?? 0).toBe(0);
});

test("drains 1,000 rows of 500 aggregates", async () => {
  const outbox = make();
  for (let i = 0; i < 10; i++) {
    await add(
      outbox,
      many(100, 50).map(({ aggregate, seq }) => ({ aggregate: `${aggregate}:${i}`, seq })),
    );
  }
  const seen = new Set<string>();
  const startedAt = performance.now();
  const sent = await commandsOf(async () => {
    start(outbox, async ({ id }) => void seen.add(id), 16);
    await whenDone(1_000, 60_000);
  });
  expect(seen.size).toBe(1_000);
  const perRow = Object.values(sent).reduce((sum, n) => sum + n, 0) / 1_000;
  expect(perRow).toBeLessThan(3.5);
});

test("drains 1,000 rows of one aggregate in order", async () => {
  const outbox = make();
  for (let i = 0; i < 10; i++) {
    await add(
      outbox,
      Array.from({ length: 100 }, (_, n) => ({ aggregate: "one", seq: i * 100 + n + 1 })),
    );
  }
  const seen: number[] = [];
  const startedAt = performance.now();
  const sent = await commandsOf(async () => {
    start(outbox, async ({ seq }) => void seen.push(seq));
    await whenDone(1_000, 60_000);
  });
  expect(seen).toEqual(Array.from({ length: 1_000 }, (_, i) => i + 1));
});

test("an idle look is one round trip, a single row four, and both use their index", async () => {
  const outbox = make();
  expect(await commandsOf(() => outbox.leases.takeDue(8))).toEqual({ find: 1 });
  await add(outbox, [{ aggregate: "a", seq: 1 }]);
  const single = await commandsOf(async () => {
    const [leased] = (await outbox.leases.takeDue(8)).taken;
    await outbox.leases.complete(leased as never);
  });
  expect(single).toEqual({ find: 1, aggregate: 1, findAndModify: 1, update: 1 });
  await add(
    outbox,
    many(40, 40).map(({ aggregate }) => ({ aggregate, seq: 9 })),
  );
  expect(await commandsOf(() => outbox.leases.takeDue(40))).toEqual({ find: 2, aggregate: 1, update: 1 });
});

test("the looks use their indexes and read no more than they find", async () => {
  const outbox = make();
  await add(outbox, many(60, 60));
  await stored().updateMany({ seq: 1 }, { $set: { state: "DONE" } });
  await add(
    outbox,
    many(5, 5).map(({ aggregate }) => ({ aggregate, seq: 2 })),
  );
  const plans: mongo.Document[] = [];
  const raw = database.db.db?.collection("outbox") as mongo.Collection;
  const due = { state: "DUE", dueAt: { $lte: new Date() }, $expr: { $lte: ["$leasedUntil", "$$NOW"] } };
  plans.push(await raw.find(due).sort({ dueAt: 1 }).limit(32).explain("executionStats"));
  const open = { tenantId, aggregate: "a:1", state: { $in: ["DUE", "PARKED"] } };
  plans.push(await raw.find(open).sort({ seq: 1, _id: 1 }).limit(2).explain("executionStats"));
  expect(plans.map((plan) => Number(plan["executionStats"].totalDocsExamined))).toEqual([5, 1]);
  for (const plan of plans) expect(JSON.stringify(plan["queryPlanner"].winningPlan)).not.toMatch(/COLLSCAN|"stage":"SORT"/);
});
