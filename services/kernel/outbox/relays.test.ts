import type { mongo } from "mongoose";
import { watchDisk } from "../mongo/disk-space.js";
import { silentLog, waitFor } from "../../../test/support/index.js";
import { createOutboxHarness, kindOf, type OutboxHarness } from "../../../test/support/outbox.js";
import { startRelay, startRelays, type Relay } from "./index.js";

const published = "event.publish";
const publishedRows = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ aggregate: `told:${index}`, seq: 1, kind: published }));

let harness: OutboxHarness;
let relay: Relay | undefined;
beforeAll(async () => {
  harness = await createOutboxHarness("relays");
});
afterAll(() => harness.close());
afterEach(async () => {
  await relay?.stop(0);
  relay = undefined;
  await harness.clean();
});

test("a fresh row is done at the first look while thousands of older ones of another kind hang", async () => {
  const outbox = harness.make();
  await harness.fill(publishedRows(3_000));
  let hanging = 0;
  const done: string[] = [];
  relay = startRelays([published], {
    outbox,
    concurrency: 4,
    // Only a wake makes it look again.
    pollMs: 60_000,
    handlers: {
      [published]: (_row, { signal }) =>
        new Promise((_resolve, reject) => {
          hanging += 1;
          signal.addEventListener("abort", () => reject(signal.reason as Error));
        }),
      note: async ({ aggregate }) => void done.push(aggregate),
    },
  });
  await waitFor(() => hanging === 4);
  await harness.add(outbox, { aggregate: "payout:1", seq: 1 });
  outbox.wake();
  await waitFor(() => done.length === 1);
  await harness.add(outbox, { aggregate: "payout:2", seq: 1 });
  await outbox.runNow(harness.tenantId, "payout:2");
  await outbox.runNow(harness.tenantId, "told:2999");
  expect(done).toEqual(["payout:1", "payout:2"]);
  expect(await harness.stored.count({ state: "PARKED" })).toBe(0);
}, 30_000);

test("each kind is done by its own relay, a row without a handler is parked, and stop ends both", async () => {
  const outbox = harness.make();
  const done: string[] = [];
  const note = async ({ kind }: { kind: string }) => void done.push(kind);
  relay = startRelays([published], { outbox, pollMs: 20, handlers: { [published]: note, note } });
  await harness.add(outbox, { aggregate: "told:1", seq: 1, kind: published }, { aggregate: "b", seq: 1 });
  await harness.add(outbox, { aggregate: "c", seq: 1, kind: "unknown" });
  await harness.whenAll("DONE", 2);
  await harness.whenAll("PARKED", 1);
  expect(done.toSorted()).toEqual([published, "note"]);
  await relay.stop(0);
  expect(await harness.commandsOf(async () => outbox.wake())).toEqual({});
});

test("rows rest while the disk is full, also those that are waited for, and are done once there is room", async () => {
  const outbox = harness.make();
  const done: string[] = [];
  const note = async ({ aggregate }: { aggregate: string }) => void done.push(aggregate);
  let used = 0.95;
  const look = { fullAt: 0.9, log: silentLog, read: async () => used, everyMs: 5 };
  const watch = await watchDisk(harness.database.db, look);
  try {
    relay = startRelays([published], { outbox, pollMs: 60_000, handlers: { [published]: note, note } });
    await harness.add(outbox, { aggregate: "a", seq: 1 }, { aggregate: "b", seq: 1 });
    const whileFull = async () => {
      outbox.wake();
      await outbox.runNow(harness.tenantId, "a");
    };
    expect(await harness.commandsOf(whileFull)).toEqual({});
    used = 0.5;
    await waitFor(() => !outbox.isPaused());
    await outbox.runNow(harness.tenantId, "a");
    outbox.wake();
    await waitFor(() => done.length === 2);
  } finally {
    watch.stop();
  }
  expect(done.toSorted()).toEqual(["a", "b"]);
});

test("a look at some kinds reads nothing of the others", async () => {
  const outbox = harness.make();
  await harness.fill(publishedRows(2_000));
  await harness.add(outbox, { aggregate: "a", seq: 1 }, { aggregate: "b", seq: 1 });
  const raw = harness.database.db.db?.collection("outbox") as mongo.Collection;
  const read = async (kind: object) => {
    const due = { kind, state: "DUE", dueAt: { $lte: new Date() }, $expr: { $lte: ["$leasedUntil", "$$NOW"] } };
    const plan = await raw.find(due).sort({ dueAt: 1 }).limit(32).explain("executionStats");
    return Number(plan["executionStats"].totalDocsExamined);
  };
  expect(await read({ $nin: [published] })).toBe(2);
  expect(await read({ $in: [published] })).toBe(32);
});

test("a relay does not start where a kind of its outbox has no handler, beside another neither", () => {
  const outbox = harness.make({ kinds: { told: kindOf(published), note: kindOf("note"), other: kindOf("other") } });
  const handlers = { [published]: async () => undefined, note: async () => undefined };
  expect(() => startRelay({ outbox, handlers })).toThrow("no handler for rows of other");
  expect(() => startRelays([published], { outbox, handlers })).toThrow("no handler for rows of other");
  expect(() => startRelays([published], { outbox, handlers: { note: handlers.note, other: handlers.note } })).toThrow(
    published,
  );
});
