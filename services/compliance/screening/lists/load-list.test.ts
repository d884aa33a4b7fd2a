import { createHash, randomUUID } from "node:crypto";
import { silentLog, testDatabase, testTenant } from "../../../../test/support/index.js";
import { runMigrations } from "../../../shared/mongo/migrations.js";
import type { ListEntry, ListSource } from "../../domain/screening/list-entry.js";
import { createScreeningListStore, type ScreeningListStore } from "../../store/screening-lists.js";
import { migrations } from "../../store/migrations.js";
import { askForLoad } from "./ask-for-load.js";
import { loadList } from "./load-list.js";
import { createListSnapshots } from "./snapshots.js";

let database: Awaited<ReturnType<typeof testDatabase>>;
let store: ScreeningListStore;
beforeAll(async () => {
  database = await testDatabase("screening_lists");
  await runMigrations(database.db, migrations, silentLog);
  store = createScreeningListStore(database.db);
});
afterAll(() => database.close());

const now = new Date("2026-05-01T12:00:00Z");
const csv = (...names: readonly string[]) =>
  ["id,name", ...names.map((name) => `${name.split(" ")[0]},${name}`), ""].join("\n");
const ten = Array.from({ length: 10 }, (_, index) => `P${index} Person`);

async function ask(owner: string, text: string, sha256?: string) {
  const uploadId = randomUUID();
  const data = Buffer.from(text);
  await store.parts.forOwner(owner).put(uploadId, 0, data, new Date(Date.now() + 3_600_000));
  const files = [{ part: "", uploadId, sha256: sha256 ?? createHash("sha256").update(data).digest("hex") }];
  return askForLoad(store, { owner, source: "CUSTOM", files, loadedBy: "MA1", now });
}

async function load(owner: string, text: string, sha256?: string) {
  const asked = await ask(owner, text, sha256);
  for (
    let due = await store.takeDue(now, new Date(now.getTime() + 1));
    due;
    due = await store.takeDue(now, new Date(now.getTime() + 1))
  ) {
    await loadList(due, { store, now: () => now });
  }
  return (await store.forOwner(owner).find(asked.listId))!;
}

async function collected(_source: ListSource, entries: AsyncIterable<ListEntry>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { entryId } of entries) ids.push(entryId);
  return ids.sort();
}

test("counts what a version adds, changes and removes, and keeps it for re-screening", async () => {
  const owner = testTenant();
  expect(await load(owner, csv(...ten))).toMatchObject({ status: "ACTIVE", version: 1, entries: 10, added: 10 });
  const second = await load(owner, csv(...ten.slice(1, 9), "P9 Other", "P10 New"));
  expect(second).toMatchObject({ status: "ACTIVE", version: 2, added: 1, changed: 1, removed: 1 });
  const changes = await store.entries.forOwner(owner).changes(second.loadId, { limit: 10 });
  expect(changes.map(({ entryId, change }) => [entryId, change])).toEqual([
    ["P0", "REMOVED"],
    ["P10", "ADDED"],
    ["P9", "CHANGED"],
  ]);
});

test("the same file again makes no version; another order of the same lines changes nothing", async () => {
  const owner = testTenant();
  const first = await load(owner, csv(...ten));
  expect((await load(owner, csv(...ten))).listId).toBe(first.listId);
  const turned = await load(owner, csv(...ten.toReversed()));
  expect(turned).toMatchObject({ status: "ACTIVE", version: 2, added: 0, changed: 0, removed: 0 });
});

test.each([
  ["empty", csv(), { status: "FAILED", reason: "the list is empty" }],
  ["cut", 'id,name\nP1,"Per', { status: "FAILED", reason: expect.stringContaining("cut") }],
  [
    "holding an entry twice",
    csv("P1 A", "P2 B", "P1 A"),
    { status: "FAILED", line: 4, reason: expect.stringContaining("again") },
  ],
  ["absurdly smaller", csv(...ten.slice(7)), { status: "FAILED", reason: "removes 7 of 10 entries (70 %)" }],
  ["much smaller", csv(...ten.slice(4)), { status: "WAITING", reason: "removes 4 of 10 entries (40 %)" }],
] as const)("a file that is %s leaves the list in use", async (_what, text, expected) => {
  const owner = testTenant();
  const first = await load(owner, csv(...ten));
  expect(await load(owner, text)).toMatchObject(expected);
  expect((await store.forOwner(owner).findActive("CUSTOM"))?.listId).toBe(first.listId);
});

test("a file of other bytes than its digest says is failed", async () => {
  expect(await load(testTenant(), csv(...ten), "0".repeat(64))).toMatchObject({ status: "FAILED" });
});

test("a load that is cut off is taken up again, and failed after three times: never stuck", async () => {
  const owner = testTenant();
  const asked = await ask(owner, csv(...ten));
  let at = now;
  for (let attempt = 1; attempt <= 3; attempt++) {
    expect((await store.takeDue(at, new Date(at.getTime() + 30_000)))?.attempts).toBe(attempt);
    expect(await store.takeDue(at, at)).toBeUndefined();
    at = new Date(at.getTime() + 30_000);
  }
  await loadList((await store.takeDue(at, new Date(at.getTime() + 30_000)))!, { store, now: () => at });
  expect(await store.forOwner(owner).find(asked.listId)).toMatchObject({
    status: "FAILED",
    reason: "the load was cut off 3 times",
  });
});

test("a replica has the versions in use in memory, a tenant's own before the operator's", async () => {
  const owner = testTenant();
  const snapshots = createListSnapshots({ store, buildIndex: collected });
  await load(owner, csv("P1 A"));
  await snapshots.refresh();
  expect(snapshots.snapshotOf(owner, ["CUSTOM", "EU"]).lists).toMatchObject([{ version: 1, index: ["P1"] }]);
  await load(owner, csv("P1 A", "P2 B"));
  await snapshots.refresh();
  expect(snapshots.snapshotOf(owner, ["CUSTOM"]).lists).toMatchObject([{ version: 2, index: ["P1", "P2"] }]);
  expect(snapshots.snapshotOf(testTenant(), ["CUSTOM"]).lists).toEqual([]);
});
