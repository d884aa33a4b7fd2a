import { silentLog, testDatabase, waitFor, type TestDatabase } from "../../../test/support/index.js";
import { processMetrics } from "../telemetry/metrics.js";
import { assertDiskHasRoom, isDiskFull, watchDisk } from "./disk-space.js";
import { createTakeDue } from "./take-due.js";

let database: TestDatabase;
let watch: { stop(): void } | undefined;
beforeAll(async () => {
  database = await testDatabase("disk_space");
  // Of a database in which nothing is stored MongoDB does not say it.
  await database.db.createCollection("things");
});
afterAll(() => database.close());
afterEach(async () => {
  watch?.stop();
  // Nothing that comes after finds the disk full.
  (await watchDisk(database.db, { fullAt: 1, log: silentLog, read: async () => 0 })).stop();
});

const metric = async (name: string) =>
  Number(new RegExp(`^${name} (.*)$`, "m").exec((await processMetrics.text()).body)?.[1]);

test("MongoDB says how full its disk is, which is told, and writes go on below the share", async () => {
  watch = await watchDisk(database.db, { fullAt: 1.01, log: silentLog });
  const used = await metric("manilla_database_disk_used_ratio");
  expect(used).toBeGreaterThan(0);
  expect(used).toBeLessThan(1);
  expect(await metric("manilla_database_writes_stopped")).toBe(0);
  watch.stop();
  watch = await watchDisk(database.db, { fullAt: 0, log: silentLog });
  expect(await metric("manilla_database_writes_stopped")).toBe(1);
  expect(() => assertDiskHasRoom(database.db)).toThrow(
    expect.objectContaining({ code: "STORAGE_FULL", details: { retryAfterS: 30 } }),
  );
});

test("while it cannot be seen the last answer stands, and room is seen by itself", async () => {
  const reads: (() => Promise<number | undefined>)[] = [
    async () => 0.9,
    () => Promise.reject(new Error("away")),
    async () => undefined,
    async () => 0.89,
  ];
  const seen: boolean[] = [];
  const read = () => {
    seen.push(isDiskFull(database.db));
    return (reads.shift() ?? (async () => 0.89))();
  };
  watch = await watchDisk(database.db, { fullAt: 0.9, log: silentLog, read, everyMs: 5 });
  await waitFor(() => seen.length > 4);
  expect(seen.slice(0, 5)).toEqual([false, true, true, true, false]);
});

test("nothing that is due is taken while the disk is full", async () => {
  let used = 0.95;
  watch = await watchDisk(database.db, { fullAt: 0.9, log: silentLog, read: async () => used, everyMs: 5 });
  const rows = database.db.db!.collection<{ tenantId: string; name: string; dueAt: Date }>("due_works");
  await rows.insertOne({ tenantId: "t", name: "a", dueAt: new Date(0) });
  const take = createTakeDue<{ tenantId: string; name: string; dueAt: Date }>(database.db, "due_works", {
    key: ["name"],
    reason: "a test",
  });
  const until = new Date(8e15);
  expect(await take(new Date(), until)).toBeUndefined();
  used = 0.5;
  await waitFor(() => !isDiskFull(database.db));
  expect(await take(new Date(), until)).toMatchObject({ name: "a", dueAt: until });
});
