import { testTenant } from "../../../test/support/index.js";
import { Refusal } from "../refusal.js";
import type { Outbox } from "./index.js";
import { createOutboxHarness, type OutboxHarness } from "../../../test/support/outbox.js";
import { runsFor } from "../../../test/support/time.js";

let harness: OutboxHarness;
let outbox: Outbox;
let tenantId: string;

beforeAll(async () => {
  harness = await createOutboxHarness("operators");
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
  await runsFor(120);
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
  const row = await harness.stored.findOne({ _id: parked });
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

type Tail<F extends (first: never, ...rest: never[]) => unknown> =
  Parameters<F> extends [unknown, ...infer Rest] ? Rest : never;
