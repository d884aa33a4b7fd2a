import { testTenant, waitFor } from "../../../test/support/index.js";
import { Refusal } from "../refusal.js";
import type { Outbox, RowHandler } from "./index.js";
import { createOutboxHarness, kindOf, type OutboxHarness } from "../../../test/support/outbox.js";
import { nothingFor, runsFor, takes } from "../../../test/support/time.js";

let harness: OutboxHarness;
let outbox: Outbox;
let tenantId: string;

beforeAll(async () => {
  harness = await createOutboxHarness("rows");
  ({ tenantId } = harness);
});
afterAll(() => harness.close());
beforeEach(() => {
  outbox = harness.make();
});
afterEach(() => harness.clean());

const start = (...[handlers, options]: Tail<OutboxHarness["start"]>) => harness.start(outbox, handlers, options);
const add = (...rows: Tail<OutboxHarness["add"]>) => harness.add(outbox, ...rows);
const whenAll: OutboxHarness["whenAll"] = (...given) => harness.whenAll(...given);

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
  const aborted = harness.commit(async (session) => {
    await outbox.add(
      { tenantId, aggregate: "a", seq: 1, kind: kindOf("note"), payload: {}, interactionId: "i", actor: "x" },
      session,
    );
    throw new Error("no");
  });
  await expect(aborted).rejects.toThrow("no");
  expect(await harness.stored.count({})).toBe(0);
});

test("its figures are the age of the oldest due row and the count of parked ones", async () => {
  expect(await outbox.figures()).toEqual({ oldestDueS: 0, parked: 0 });
  const refuse = async () => {
    throw new Refusal("CORRIDOR_NOT_FOUND", "for good");
  };
  start(refuse);
  await add({ seq: 1, aggregate: "parked" });
  outbox.wake();
  await whenAll("PARKED", 1);
  await add({ seq: 2, aggregate: "parked", dueAt: new Date(outbox.clock.now().getTime() - 60_000) });
  const { oldestDueS, parked } = await outbox.figures();
  expect(parked).toBe(1);
  // The relay may have moved the blocked row's next look already.
  expect(oldestDueS).toBeLessThan(65);
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
    await takes(10);
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
      await takes(5);
      inside--;
    },
    { concurrency: 3 },
  );
  await whenAll("DONE", 30);
  expect(most).toBe(3);
});

test("keeps to dueAt by the given clock, and to the order even when a later row is due first", async () => {
  let now = Date.now();
  outbox = harness.make({ clock: { now: () => new Date(now) } });
  const seen: number[] = [];
  start(async ({ seq }) => void seen.push(seq));
  await add({ seq: 1, dueAt: new Date(now + 60_000) }, { seq: 2 });
  await nothingFor(200);
  expect(seen).toEqual([]);
  now += 60_001;
  await whenAll("DONE", 2);
  expect(seen).toEqual([1, 2]);
});

describe("failures", () => {
  test("are tried again after a pause that grows with the attempts", async () => {
    const attempts: number[] = [];
    const requested: number[] = [];
    start(
      async (_, { attempt }) => {
        attempts.push(attempt);
        if (attempt < 4) throw new Refusal("UNAVAILABLE", "away");
      },
      { backoff: (n) => (requested.push(n), 20) },
    );
    await add({ seq: 1 }, { seq: 2, kind: "other" });
    await waitFor(() => attempts.length === 4);
    expect(attempts).toEqual([1, 2, 3, 4]);
    expect(requested).toEqual([1, 2, 3]);
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
    await nothingFor(300);
    expect(seen).toEqual(["b1"]);
    expect(await outbox.list({ state: "PARKED" })).toMatchObject([
      { aggregate: "a", seq: 1, attempts: 1, lastError: expect.any(String) },
    ]);
  });

  const wasTried = (id: string, attempts: number) =>
    harness.stored.updateOne({ _id: id }, { $set: { attempts, lastError: "earlier" } });

  test("a bug parks its row at the 20th try", async () => {
    const [id] = await add({ seq: 1 });
    await wasTried(id as string, 18);
    start(() => Promise.reject(new Error("bug")), { backoff: () => 20 });
    await whenAll("PARKED", 1);
    expect((await outbox.list({ state: "PARKED" }))[0]).toMatchObject({ attempts: 20, lastError: "bug" });
  });

  test.each([
    ["a neighbour", new Refusal("UNAVAILABLE", "away")],
    ["the database", Object.assign(new Error("away"), { name: "MongoNetworkError" })],
  ])("%s that is away is waited for, where the kind of row has no end", async (_name, error) => {
    const [waits, ends] = await add({ seq: 1 }, { seq: 1, aggregate: "b", kind: "other" });
    for (const id of [waits, ends]) await wasTried(id as string, 900_000);
    const fail = () => Promise.reject(error);
    start({ note: fail, other: fail }, { backoff: () => 60_000, maxAttemptsOf: { other: 900_001 } });
    await whenAll("PARKED", 1);
    expect(await outbox.list({ state: "PARKED" })).toMatchObject([{ id: ends }]);
    const again = await waitFor(async () => {
      const row = await harness.stored.findOne({ _id: waits as string });
      return row?.["lastError"] === "earlier" ? undefined : row;
    });
    expect(again).toMatchObject({ state: "DUE", attempts: 900_001 });
  });

  test("a row that kills its process at every try is parked too", async () => {
    const [id] = await add({ seq: 1 });
    await harness.stored.updateOne({ _id: id as string }, { $set: { attempts: 3 } });
    const handler = jest.fn();
    start(handler, { maxAttemptsOfBug: 3 });
    await whenAll("PARKED", 1);
    expect(handler).not.toHaveBeenCalled();
  });

  function refuse(code: "ACCOUNT_CLOSED" | "INVALID_INPUT"): never {
    throw new Refusal(code, "no");
  }
});

describe("rows whose work was done another way", () => {
  test("finish takes open rows away and cancel closes them in the caller's transaction, by id or by kind", async () => {
    const dueAt = new Date(Date.now() + 60_000);
    const [one] = await add({ seq: 1, dueAt }, { seq: 2, kind: "recovery", dueAt }, { seq: 3, kind: "expiry", dueAt });
    const aborted = harness.commit(async (session) => {
      await outbox.finish(tenantId, one as string, session);
      throw new Error("no");
    });
    await expect(aborted).rejects.toThrow("no");
    expect(await harness.states()).toEqual(["DUE", "DUE", "DUE"]);
    await harness.commit(async (session) => {
      await outbox.finish(testTenant(), one as string, session);
      await outbox.finish(tenantId, { aggregate: "payment:1", kind: "recovery" }, session);
      await outbox.cancel(tenantId, { aggregate: "payment:1", kind: "expiry" }, session);
    });
    expect(await harness.states()).toEqual(["DUE", "CANCELLED"]);
  });

  test("a row behind a finished one runs within moments", async () => {
    const seen: number[] = [];
    start(async ({ seq }) => void seen.push(seq));
    await add({ seq: 1, kind: "recovery", dueAt: new Date(Date.now() + 60_000) }, { seq: 2 });
    await runsFor(150);
    await harness.commit((session) => outbox.finish(tenantId, { aggregate: "payment:1", kind: "recovery" }, session));
    outbox.wake();
    await waitFor(() => seen.length === 1, { timeoutMs: 3_000 });
  });

  test("a handler closes its row in its own transaction", async () => {
    const sent: string[] = [];
    start(async (_, { complete }) => {
      await harness.commit(async (session) => complete(session));
      harness.database.db.getClient().on("commandStarted", ({ command, commandName }) => {
        if (commandName === "update" && !command["startTransaction"]) sent.push(commandName);
      });
    });
    await add({ seq: 1 });
    outbox.wake();
    await whenAll("DONE", 1);
    await nothingFor(50);
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
  await runsFor(50);
  await add({ seq: 1 }, { seq: 2 }, { seq: 3, dueAt: new Date(Date.now() + 60_000) });
  await outbox.runNow(tenantId, "payment:1");
  expect(await harness.stored.findOne({ seq: 1 })).toMatchObject({ attempts: 1, state: "DUE" });
  isAway = false;
  await outbox.runNow(tenantId, "payment:1");
  expect(seen).toEqual([1, 2]);
  expect(await harness.states()).toEqual(["DONE", "DONE", "DUE"]);
  await outbox.runNow(tenantId, "nothing");
  await outbox.runNow(testTenant(), "payment:1");
});

test("runNow beside a wake-up returns when the row is done, whoever took it", async () => {
  const seen: string[] = [];
  start(async ({ aggregate }) => {
    await takes(5);
    seen.push(aggregate);
  });
  for (let i = 0; i < 40; i++) {
    await add({ seq: 1, aggregate: `payment:${i}` });
    outbox.wake();
    if (i % 2 === 0) await runsFor(i / 4);
    await outbox.runNow(tenantId, `payment:${i}`);
    expect(seen).toHaveLength(i + 1);
  }
});

test("runNow waits for a row that is already running", async () => {
  const seen: number[] = [];
  start(async ({ seq }) => {
    await takes(200);
    seen.push(seq);
  });
  await add({ seq: 1 });
  outbox.wake();
  await runsFor(60);
  await outbox.runNow(tenantId, "payment:1");
  expect(seen).toEqual([1]);
});

test("closed rows are removed by MongoDB, dropped ones are not", async () => {
  await add({ seq: 1 }, { seq: 2 });
  const past = { expiresAt: new Date(0) };
  start(async () => undefined);
  await whenAll("DONE", 2);
  const row = await harness.stored.findOne({ seq: 1 });
  expect(Number(row?.expiresAt) - Date.now()).toBeGreaterThan(29 * 86_400_000);
  await harness.stored.updateOne({ tenantId: harness.tenantId, seq: 1 }, { $set: past });
  await waitFor(async () => (await harness.stored.count({})) === 1, { timeoutMs: 10_000 });
});

type Tail<F extends (first: never, ...rest: never[]) => unknown> =
  Parameters<F> extends [unknown, ...infer Rest] ? Rest : never;
