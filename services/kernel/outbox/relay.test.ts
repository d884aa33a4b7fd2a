import type { mongo } from "mongoose";
import { pino } from "pino";
import { waitFor } from "../../../test/support/index.js";
import { type Outbox, type RowHandler } from "./index.js";
import { createOutboxHarness, type OutboxHarness } from "../../../test/support/outbox.js";
import { nothingFor, outlast, runsFor, takes } from "../../../test/support/time.js";

let harness: OutboxHarness;
let tenantId: string;
beforeAll(async () => {
  harness = await createOutboxHarness("relay");
  ({ tenantId } = harness);
});
afterAll(() => harness.close());
afterEach(() => harness.clean());

const make = (leaseMs = 10_000): Outbox => harness.make({ leaseMs });
const many = (count: number, aggregates: number) =>
  Array.from({ length: count }, (_, i) => ({ aggregate: `a:${i % aggregates}`, seq: Math.floor(i / aggregates) + 1 }));

test("three relays share the rows: each runs once, in order", async () => {
  const seen: Record<string, number[]> = {};
  const inside = new Set<string>();
  const handler: RowHandler = async ({ aggregate, seq }) => {
    expect(inside.has(aggregate)).toBe(false);
    inside.add(aggregate);
    await takes(Math.random() * 5);
    inside.delete(aggregate);
    (seen[aggregate] ??= []).push(seq);
  };
  for (let i = 0; i < 3; i++) harness.start(make(), handler, { concurrency: 4 });
  await harness.fill(many(200, 20));
  await harness.whenAll("DONE", 200);
  const order = Array.from({ length: 10 }, (_, i) => i + 1);
  expect(Object.values(seen)).toEqual(Array.from({ length: 20 }, () => order));
  expect((await harness.stored.find({})).every(({ attempts }) => attempts === 1)).toBe(true);
});

test("a killed relay's row is taken over when its lease has run out, and not before", async () => {
  const dead = make(600);
  const [lost] = (await takeAfterAdding(dead)).taken;
  const takenAt = performance.now();
  const seen: { attempt: number; afterMs: number }[] = [];
  harness.start(make(600), async (_, { attempt }) => void seen.push({ attempt, afterMs: performance.now() - takenAt }));
  await harness.whenAll("DONE", 1);
  expect(seen).toEqual([{ attempt: 2, afterMs: expect.any(Number) }]);
  expect(seen[0]?.afterMs).toBeGreaterThan(550);
  // What the dead one would still write finds its token gone.
  expect(await dead.leases.complete(lost as never)).toBe(false);
});

test("a stale token can neither complete, nor give back, nor renew", async () => {
  const outbox = make(50);
  const [stale] = (await takeAfterAdding(outbox)).taken;
  if (!stale) throw new Error("nothing taken");
  await outlast(80);
  const [current] = (await outbox.leases.takeDue({ limit: 1 })).taken;
  if (!current) throw new Error("nothing taken again");
  expect(await outbox.leases.complete(stale)).toBe(false);
  expect(await outbox.leases.giveBack(stale, { state: "PARKED" })).toBe(false);
  expect(await outbox.leases.renew([stale])).toEqual(new Set());
  expect(await outbox.leases.renew([stale, { ...current, token: "x" }])).toEqual(new Set());
  expect(await outbox.leases.complete(current)).toBe(true);
  expect(await outbox.leases.complete(current)).toBe(false);
});

async function takeAfterAdding(outbox: Outbox) {
  await harness.add(outbox, { aggregate: "a", seq: 1 });
  return outbox.leases.takeDue({ limit: 10 });
}

test("a long run keeps its lease", async () => {
  const seen: number[] = [];
  const handler: RowHandler = async (_, { attempt, signal }) => {
    await takes(700);
    expect(signal.aborted).toBe(false);
    seen.push(attempt);
  };
  harness.start(make(200), handler);
  harness.start(make(200), handler);
  await harness.add(make(), { aggregate: "a", seq: 1 });
  await harness.whenAll("DONE", 1);
  expect(seen).toEqual([1]);
});

test("a row whose time has not come is taken again a second later: no try is counted, and nobody is warned", async () => {
  const warned: unknown[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void warned.push(line) });
  const attempts: number[] = [];
  const handler: RowHandler = async (_, { attempt }) => {
    attempts.push(attempt);
    return attempts.length < 3 ? "later" : undefined;
  };
  harness.start(harness.make({ log }), handler);
  await harness.add(make(), { aggregate: "a", seq: 1 }, { aggregate: "a", seq: 2 });
  await harness.whenAll("DONE", 2);
  expect(attempts).toEqual([1, 1, 1, 1]);
  expect((await harness.stored.find({})).map(({ attempts: tries, lastError }) => [tries, lastError])).toEqual([
    [1, undefined],
    [1, undefined],
  ]);
  expect(warned).toEqual([]);
});

test("a run whose lease is lost is told so", async () => {
  const outbox = make(200);
  let isPublished = false;
  harness.start(outbox, async (_, { signal, attempt }) => {
    if (attempt > 1) return;
    await harness.stored.updateOne(
      { tenantId: harness.tenantId },
      { $set: { leaseToken: "another", leasedUntil: new Date(Date.now() + 300) } },
    );
    await waitFor(() => signal.aborted);
    isPublished = true;
    throw new Error("cut off");
  });
  await harness.add(outbox, { aggregate: "a", seq: 1 });
  await harness.whenAll("DONE", 1);
  expect(isPublished).toBe(true);
  expect(await harness.stored.findOne({})).toMatchObject({ attempts: 2, state: "DONE" });
});

test("a run that hangs gives its slot and its row up", async () => {
  const outbox = make(150);
  const attempts: number[] = [];
  const handlers: Record<string, RowHandler> = {
    async note({ aggregate }, { attempt }) {
      attempts.push(attempt);
      if (attempt === 1 && aggregate === "a") await new Promise(() => undefined);
    },
  };
  harness.start(outbox, handlers, { concurrency: 1, maxRunMs: 100 });
  await harness.fill([
    { aggregate: "a", seq: 1 },
    { aggregate: "b", seq: 1 },
  ]);
  await harness.whenAll("DONE", 2);
  expect(attempts.toSorted((a, b) => a - b)).toEqual([1, 1, 2]);
});

test("stop waits for what runs and takes nothing more", async () => {
  const outbox = make();
  const seen: string[] = [];
  const relay = harness.start(
    outbox,
    async ({ aggregate }) => {
      await takes(150);
      seen.push(aggregate);
    },
    { concurrency: 2 },
  );
  await harness.fill(many(6, 6));
  outbox.wake();
  await runsFor(60);
  await relay.stop();
  expect(seen).toHaveLength(2);
  await nothingFor(200);
  expect(seen).toHaveLength(2);
  expect(await harness.stored.count({ state: "DONE" })).toBe(2);
});

test("a parked row with hundreds behind it keeps nobody else waiting", async () => {
  const outbox = make();
  await harness.fill(many(300, 1).map(({ seq }) => ({ aggregate: "stuck", seq })));
  await harness.stored.updateOne({ tenantId: harness.tenantId, seq: 1 }, { $set: { state: "PARKED" } });
  await harness.fill(many(10, 10));
  const seen: string[] = [];
  harness.start(outbox, async ({ aggregate }) => void seen.push(aggregate), { concurrency: 2 });
  await harness.whenAll("DONE", 10);
  expect(seen).not.toContain("stuck");
  await runsFor(100);
  const idle = await harness.commandsOf(() => nothingFor(500));
  expect(idle["find"]).toBeGreaterThan(5);
  expect(idle["aggregate"] ?? 0).toBe(0);
});

describe("drains", () => {
  /** Commands per row, without the counting of finished rows. */
  const drain = async (handler: RowHandler, rows: { aggregate: string; seq: number }[]) => {
    await harness.fill(rows);
    const { aggregate: _, ...sent } = await harness.commandsOf(async () => {
      harness.start(make(), handler, { concurrency: 16 });
      await harness.whenAll("DONE", rows.length, 100);
    });
    return Object.values(sent).reduce((sum, n) => sum + n, 0) / rows.length;
  };

  test("1,000 rows of 500 aggregates with less than three round trips a row", async () => {
    const seen = new Set<string>();
    expect(await drain(async ({ id }) => void seen.add(id), many(1_000, 500))).toBeLessThan(3);
    expect(seen.size).toBe(1_000);
  });

  test("300 rows of one aggregate in their order", async () => {
    const seen: number[] = [];
    expect(await drain(async ({ seq }) => void seen.push(seq), many(300, 1))).toBeLessThan(6);
    expect(seen).toEqual(Array.from({ length: 300 }, (_, i) => i + 1));
  });
});

test("an idle look is one round trip, a single row four, and both use their index", async () => {
  const outbox = make();
  expect(await harness.commandsOf(() => outbox.leases.takeDue({ limit: 8 }))).toEqual({ find: 1 });
  await harness.add(outbox, { aggregate: "a", seq: 1 });
  const single = await harness.commandsOf(async () => {
    const [leased] = (await outbox.leases.takeDue({ limit: 8 })).taken;
    await outbox.leases.complete(leased as never);
  });
  expect(single).toEqual({ find: 1, aggregate: 1, findAndModify: 1, update: 1 });
  await harness.fill(many(40, 40).map(({ aggregate }) => ({ aggregate, seq: 9 })));
  expect(await harness.commandsOf(() => outbox.leases.takeDue({ limit: 40 }))).toEqual({
    find: 2,
    aggregate: 1,
    update: 1,
  });
});

test("the looks use their indexes and read no more than they find", async () => {
  await harness.fill(many(60, 60));
  await harness.stored.updateMany({ seq: 1 }, { $set: { state: "DONE" } });
  await harness.fill(many(5, 5).map(({ aggregate }) => ({ aggregate, seq: 2 })));
  const plans: mongo.Document[] = [];
  const raw = harness.database.db.db?.collection("outbox") as mongo.Collection;
  const due = { state: "DUE", dueAt: { $lte: new Date() }, $expr: { $lte: ["$leasedUntil", "$$NOW"] } };
  plans.push(await raw.find(due).sort({ dueAt: 1 }).limit(32).explain("executionStats"));
  const open = { tenantId, aggregate: "a:1", state: { $in: ["DUE", "PARKED"] } };
  plans.push(await raw.find(open).sort({ seq: 1, _id: 1 }).limit(2).explain("executionStats"));
  expect(plans.map((plan) => Number(plan["executionStats"].totalDocsExamined))).toEqual([5, 1]);
  for (const plan of plans)
    expect(JSON.stringify(plan["queryPlanner"].winningPlan)).not.toMatch(/COLLSCAN|"stage":"SORT"/);
});

describe("rows that wait for a partner without a free place", () => {
  const underWay = new Map<string, number>();
  const most = 2;
  const placesOf = (key: string) => ({ key, most, free: () => most - (underWay.get(key) ?? 0), isShut: () => false });
  const partnerOf = ({ aggregate }: { aggregate: string }) => aggregate.split(":")[0]!;
  beforeEach(() => underWay.clear());

  /**
   * Hangs at the partner "slow" until it is released; how often rows
   * were taken, and which are done.
   */
  function callsOf() {
    const taken: string[] = [];
    const done: string[] = [];
    let release!: () => void;
    const released = new Promise<void>((resolve) => (release = resolve));
    const handler: RowHandler = async (row) => {
      taken.push(row.aggregate);
      const key = partnerOf(row);
      const places = placesOf(key);
      if (places.free() === 0) return places;
      underWay.set(key, (underWay.get(key) ?? 0) + 1);
      if (key === "slow") await released;
      underWay.set(key, underWay.get(key)! - 1);
      done.push(row.aggregate);
    };
    return { taken, done, release, handler };
  }
  const rowsOf = (key: string, count: number) =>
    Array.from({ length: count }, (_, each) => ({ aggregate: `${key}:${each}`, seq: 1 }));

  test("are taken once, however long it hangs, hold up no other, and go when it answers", async () => {
    const { taken, done, release, handler } = callsOf();
    harness.start(make(), handler, { concurrency: 4 });
    await harness.add(make(), ...rowsOf("slow", 40));
    await waitFor(() => taken.length === 40);
    await nothingFor(2_500);
    expect(taken).toHaveLength(40);

    await harness.add(make(), ...rowsOf("quick", 20));
    await waitFor(() => done.length === 20);
    // Its rows are out of the window of what is due.
    expect(await harness.stored.count({ state: "DUE", dueAt: { $lte: new Date() }, leasedUntil: new Date(0) })).toBe(0);
    expect(taken.slice(40).every((aggregate) => aggregate.startsWith("quick"))).toBe(true);
    release();
    await harness.whenAll("DONE", 60);
    expect(new Set(done).size).toBe(60);
    expect((await harness.stored.find({ attempts: { $ne: 1 } })).length).toBe(0);
  });

  test("go on in another process, which knows nothing of it", async () => {
    const { taken, done, release, handler } = callsOf();
    const first = harness.start(make(300), handler, { concurrency: 4 });
    await harness.add(make(), ...rowsOf("slow", 8));
    await waitFor(() => taken.length === 8);
    await first.stop(0);
    release();
    underWay.clear();
    // Half a minute later.
    await harness.stored.updateMany({ waitsFor: "slow" }, { $set: { dueAt: new Date() } });
    harness.start(make(300), handler, { concurrency: 4 });
    await harness.whenAll("DONE", 8);
    expect(new Set(done).size).toBe(8);
  });
});
