import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { ClientSession } from "mongoose";
import { silentLog, testDatabase, testTenant, waitFor, type TestDatabase } from "../../../test/support/index.js";
import { systemClock, type Clock } from "../clock.js";
import { acrossTenants } from "../mongo/tenant-collection.js";
import { inTransaction } from "../mongo/transaction.js";
import { Refusal } from "../refusal.js";
import {
  createOutbox,
  createOutboxIndexes,
  startRelay,
  type NewRow,
  type Outbox,
  type Relay,
  type RelayOptions,
  type RowHandler,
} from "./index.js";
import type { StoredRow } from "./row.js";

// A relay sees all tenants, so each test has a database of its own.
let database: TestDatabase;
let tenantId: string;
let outbox: Outbox;
const relays: Relay[] = [];

beforeEach(async () => {
  database = await testDatabase(`outbox_${randomUUID().slice(0, 8)}`);
  await createOutboxIndexes(database.db);
  tenantId = testTenant();
  outbox = make();
});
afterEach(async () => {
  await Promise.all(relays.splice(0).map((relay) => relay.stop(0)));
  await database.db.dropDatabase();
  await database.close();
});

function make(options: { clock?: Clock; leaseMs?: number } = {}): Outbox {
  return createOutbox({ db: database.db, clock: systemClock, log: silentLog, service: "wallet", ...options });
}

function start(handlers: Record<string, RowHandler> | RowHandler, options: Partial<RelayOptions> = {}): Relay {
  const perKind = typeof handlers === "function" ? { note: handlers } : handlers;
  const relay = startRelay({ outbox, handlers: perKind, pollMs: 50, backoff: () => 30, ...options });
  relays.push(relay);
  return relay;
}

const commit = (work: (session: ClientSession) => Promise<void>) =>
  inTransaction(database.db, work, { readBack: async () => undefined });

async function add(...rows: (Partial<NewRow> & { seq: number })[]): Promise<string[]> {
  const ids: string[] = [];
  await commit(async (session) => {
    ids.length = 0;
    const base = { tenantId, aggregate: "payment:1", kind: "note", payload: {}, interactionId: "i", actor: "user-1" };
    for (const row of rows) ids.push(await outbox.add({ ...base, ...row }, session));
  });
  return ids;
}

const stored = () => acrossTenants<StoredRow>(database.db, "outbox", "test");
const states = async () => (await stored().find({}, { sort: { seq: 1 } })).map(({ state }) => state);
const whenAll = (state: string, count: number, timeoutMs = 10_000) =>
  waitFor(async () => (await stored().count({ state } as never)) === count, { timeoutMs, what: `${count} ${state}` });

test("hands a row to its handler as it was added", async () => {
  const payload = { amountMinor: 2n ** 62n, small: 1n, at: new Date(5), list: [{ text: "x", n: 3 }], nothing: null };
  const seen: unknown[] = [];
  start(async (row, { attempt }) => void seen.push(row, attempt));
  const [id] = await add({ seq: 7, payload });
  outbox.wake();
  await whenAll("DONE", 1);
  const row = { id, tenantId, aggregate: "payment:1", seq: 7, kind: "note", interactionId: "i", actor: "user-1" };
  expect(seen).toEqual([{ ...row, payload }, 1]);
});

test("a row exists only if its transaction commits", async () => {
  const aborted = commit(async (session) => {
    await outbox.add(
      { tenantId, aggregate: "a", seq: 1, kind: "note", payload: {}, interactionId: "i", actor: "x" },
      session,
    );
    throw new Error("no");
  });
  await expect(aborted).rejects.toThrow("no");
  expect(await stored().count({})).toBe(0);
});

test("the same step of an aggregate cannot be added twice", async () => {
  await add({ seq: 1 }, { seq: 1, kind: "event.paid" });
  await expect(add({ seq: 1 })).rejects.toThrow(/duplicate key/);
});

test("runs an aggregate's rows in order and one at a time, other aggregates beside it", async () => {
  const seen: Record<string, number[]> = {};
  const inside = new Map<string, number>();
  let most = 0;
  const other = testTenant();
  await add(
    ...[3, 1, 2, 5, 4].flatMap((seq) => ["a", "b", "c"].map((aggregate) => ({ seq, aggregate }))),
    ...[2, 1].map((seq) => ({ seq, aggregate: "a", tenantId: other })),
  );
  start(async ({ tenantId: of, aggregate, seq }) => {
    const key = `${of === tenantId ? "own" : "other"}:${aggregate}`;
    expect(inside.get(key) ?? 0).toBe(0);
    inside.set(key, 1);
    most = Math.max(
      most,
      [...inside.values()].reduce((sum, n) => sum + n, 0),
    );
    await sleep(10);
    (seen[key] ??= []).push(seq);
    inside.set(key, 0);
  });
  await whenAll("DONE", 17);
  const order = [1, 2, 3, 4, 5];
  expect(seen).toEqual({ "own:a": order, "own:b": order, "own:c": order, "other:a": [1, 2] });
  expect(most).toBeGreaterThan(1);
});

test("never runs more rows at once than it may", async () => {
  let inside = 0;
  let most = 0;
  await add(...Array.from({ length: 30 }, (_, i) => ({ seq: 1, aggregate: `a:${i}` })));
  start(
    async () => {
      most = Math.max(most, ++inside);
      await sleep(5);
      inside--;
    },
    { concurrency: 3 },
  );
  await whenAll("DONE", 30);
  expect(most).toBe(3);
});

test("keeps to dueAt by the given clock, and to the order even when a later row is due first", async () => {
  let now = Date.now();
  outbox = make({ clock: { now: () => new Date(now) } });
  const seen: number[] = [];
  start(async ({ seq }) => void seen.push(seq));
  await add({ seq: 1, dueAt: new Date(now + 60_000) }, { seq: 2 });
  await sleep(200);
  expect(seen).toEqual([]);
  now += 60_001;
  await whenAll("DONE", 2);
  expect(seen).toEqual([1, 2]);
});

describe("failures", () => {
  test("are tried again after a pause that grows with the attempts", async () => {
    const attempts: number[] = [];
    const asked: number[] = [];
    start(
      async (_, { attempt }) => {
        attempts.push(attempt);
        if (attempt < 4) throw new Refusal("UNAVAILABLE", "away");
      },
      { backoff: (n) => (asked.push(n), 20) },
    );
    await add({ seq: 1 }, { seq: 2, kind: "other" });
    await waitFor(() => attempts.length === 4);
    expect(attempts).toEqual([1, 2, 3, 4]);
    expect(asked).toEqual([1, 2, 3]);
  });

  test.each<[string, () => never]>([
    ["a definite refusal", () => refuse("ACCOUNT_CLOSED")],
    ["an unknown kind", () => refuse("INVALID_INPUT")],
  ])("%s parks the row at once, which blocks its aggregate and no other", async (name, fail) => {
    const seen: string[] = [];
    const handler: RowHandler = async ({ aggregate, seq }) => {
      if (aggregate === "a" && seq === 1) fail();
      seen.push(`${aggregate}${seq}`);
    };
    start(name.includes("kind") ? { other: handler } : { note: handler, other: handler });
    await add(
      { seq: 1, aggregate: "a" },
      { seq: 2, aggregate: "a", kind: "other" },
      { seq: 1, aggregate: "b", kind: "other" },
    );
    await whenAll("PARKED", 1);
    await sleep(300);
    expect(seen).toEqual(["b1"]);
    expect(await outbox.list({ state: "PARKED" })).toMatchObject([
      { aggregate: "a", seq: 1, attempts: 1, lastError: expect.any(String) },
    ]);
  });

  test("park after the last attempt", async () => {
    start(() => Promise.reject(new Error("bug")), { maxAttempts: 3 });
    await add({ seq: 1 });
    await whenAll("PARKED", 1);
    expect((await outbox.list({ state: "PARKED" }))[0]).toMatchObject({ attempts: 3, lastError: "bug" });
  });

  test("a row that kills its process at every try is parked too", async () => {
    const [id] = await add({ seq: 1 });
    await stored().updateOne({ _id: id as string }, { $set: { attempts: 3 } });
    const handler = jest.fn();
    start(handler, { maxAttempts: 3 });
    await whenAll("PARKED", 1);
    expect(handler).not.toHaveBeenCalled();
  });

  function refuse(code: "ACCOUNT_CLOSED" | "INVALID_INPUT"): never {
    throw new Refusal(code, "no");
  }
});

describe("operators", () => {
  const by = { who: "operator-1", why: "the bank said so" };
  let isBroken: boolean;
  let seen: number[];
  let parked: string;
  beforeEach(async () => {
    [isBroken, seen] = [true, []];
    start(async ({ seq }) => {
      if (seq === 1 && isBroken) throw new Refusal("ACCOUNT_CLOSED", "no");
      seen.push(seq);
    });
    [parked] = (await add({ seq: 1 }, { seq: 2 }, { seq: 3 })) as [string];
    await whenAll("PARKED", 1);
    await sleep(120);
  });

  test("retry: the row and those behind it go on at once", async () => {
    isBroken = false;
    const startedAt = performance.now();
    expect(await outbox.retry(tenantId, parked, by)).toMatchObject({ state: "DUE", attempts: 0 });
    await whenAll("DONE", 3);
    expect(seen).toEqual([1, 2, 3]);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    expect(await outbox.show(tenantId, parked)).toMatchObject({ notes: [{ action: "retry", ...by }] });
  });

  test("drop: the row stays, with who and why, and those behind it go on at once", async () => {
    const startedAt = performance.now();
    expect(await outbox.drop(tenantId, parked, by)).toMatchObject({ state: "DROPPED" });
    await whenAll("DONE", 2);
    expect(seen).toEqual([2, 3]);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    const row = await stored().findOne({ _id: parked });
    expect(row).toMatchObject({ state: "DROPPED", notes: [{ action: "drop", ...by, at: expect.any(Date) }] });
    expect(row).not.toHaveProperty("expiresAt");
  });

  test("are refused what is not parked, not there or another tenant's", async () => {
    await outbox.drop(tenantId, parked, by);
    for (const act of [outbox.retry, outbox.drop]) {
      await expect(act(tenantId, parked, by)).rejects.toMatchObject({ code: "STATE_CONFLICT" });
      await expect(act(tenantId, "none", by)).rejects.toMatchObject({ code: "NOT_FOUND" });
      await expect(act(testTenant(), parked, by)).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
    await expect(outbox.show(testTenant(), parked)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("list pages through, of one tenant or all, without lease tokens", async () => {
    await add(...[1, 2, 3].map((n) => ({ seq: 1, aggregate: `z:${n}`, dueAt: new Date(Date.now() + 60_000) })));
    const first = await outbox.list({ tenantId, state: "DUE", limit: 3 });
    const rest = await outbox.list({ tenantId, state: "DUE", limit: 3, after: first.at(-1)?.id as string });
    expect([...first, ...rest]).toHaveLength(5);
    expect(await outbox.list({ tenantId: testTenant(), state: "DUE" })).toEqual([]);
    expect(await outbox.list({ state: "DUE" })).toHaveLength(5);
    expect(Object.keys(first[0] ?? {})).not.toContain("leaseToken");
  });
});

describe("rows whose work was done another way", () => {
  test("finish and cancel close open rows in the caller's transaction, by id or by kind", async () => {
    const dueAt = new Date(Date.now() + 60_000);
    const [one] = await add({ seq: 1, dueAt }, { seq: 2, kind: "recovery", dueAt }, { seq: 3, kind: "expiry", dueAt });
    const aborted = commit(async (session) => {
      await outbox.finish(tenantId, one as string, session);
      throw new Error("no");
    });
    await expect(aborted).rejects.toThrow("no");
    expect(await states()).toEqual(["DUE", "DUE", "DUE"]);
    await commit(async (session) => {
      await outbox.finish(testTenant(), one as string, session);
      await outbox.finish(tenantId, { aggregate: "payment:1", kind: "recovery" }, session);
      await outbox.cancel(tenantId, { aggregate: "payment:1", kind: "expiry" }, session);
    });
    expect(await states()).toEqual(["DUE", "DONE", "CANCELLED"]);
  });

  test("a row behind a finished one runs within moments", async () => {
    const seen: number[] = [];
    start(async ({ seq }) => void seen.push(seq));
    await add({ seq: 1, kind: "recovery", dueAt: new Date(Date.now() + 60_000) }, { seq: 2 });
    await sleep(150);
    await commit((session) => outbox.finish(tenantId, { aggregate: "payment:1", kind: "recovery" }, session));
    outbox.wake();
    await waitFor(() => seen.length === 1, { timeoutMs: 3_000 });
  });

  test("a handler closes its row in its own transaction", async () => {
    const sent: string[] = [];
    start(async (_, { complete }) => {
      await commit(async (session) => complete(session));
      database.db.getClient().on("commandStarted", ({ command, commandName }) => {
        if (commandName === "update" && !command["startTransaction"]) sent.push(commandName);
      });
    });
    await add({ seq: 1 });
    outbox.wake();
    await whenAll("DONE", 1);
    await sleep(50);
    expect(sent).toEqual([]);
  });
});

test("runNow drives an aggregate's due rows before it returns, past backoff but not before their time", async () => {
  let isAway = true;
  const seen: number[] = [];
  start(
    async ({ seq }) => {
      if (isAway) throw new Refusal("UNAVAILABLE", "away");
      seen.push(seq);
    },
    { pollMs: 60_000, backoff: () => 60_000 },
  );
  await sleep(50);
  await add({ seq: 1 }, { seq: 2 }, { seq: 3, dueAt: new Date(Date.now() + 60_000) });
  await outbox.runNow(tenantId, "payment:1");
  expect(await stored().findOne({ seq: 1 })).toMatchObject({ attempts: 1, state: "DUE" });
  isAway = false;
  await outbox.runNow(tenantId, "payment:1");
  expect(seen).toEqual([1, 2]);
  expect(await states()).toEqual(["DONE", "DONE", "DUE"]);
  await outbox.runNow(tenantId, "nothing");
  await outbox.runNow(testTenant(), "payment:1");
});

test("runNow waits for a row that is already running", async () => {
  const seen: number[] = [];
  start(async ({ seq }) => {
    await sleep(200);
    seen.push(seq);
  });
  await add({ seq: 1 });
  outbox.wake();
  await sleep(60);
  await outbox.runNow(tenantId, "payment:1");
  expect(seen).toEqual([1]);
});

test("closed rows are removed by MongoDB, dropped ones are not", async () => {
  await add({ seq: 1 }, { seq: 2 });
  const past = { expiresAt: new Date(0) };
  start(async () => undefined);
  await whenAll("DONE", 2);
  const row = await stored().findOne({ seq: 1 });
  expect(Number(row?.expiresAt) - Date.now()).toBeGreaterThan(29 * 86_400_000);
  await stored().updateOne({ seq: 1 }, { $set: past });
  await waitFor(async () => (await stored().count({})) === 1, { timeoutMs: 10_000 });
});
