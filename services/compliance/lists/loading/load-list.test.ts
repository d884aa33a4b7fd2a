import { createHash, randomUUID } from "node:crypto";
import { silentLog, testDatabase, testTenant } from "../../../../test/support/index.js";
import { runMigrations } from "../../../kernel/mongo/migrations.js";
import type { ListEntry, ListSource } from "../domain/list-entry.js";
import { operatorsOwnerFor, operatorsSandboxLists } from "../domain/list-owner.js";
import { createScreeningListStore, type ScreeningListStore } from "../store/screening-lists.js";
import { migrations } from "../../store/migrations.js";
import { requestLoad } from "./request-load.js";
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
const people = (count: number) => Array.from({ length: count }, (_, index) => `P${index} Person`);
const ten = people(10);
const hundred = people(100);

async function ask(owner: string, text: string, sha256?: string, loadedBy = "connector") {
  const uploadId = randomUUID();
  const data = Buffer.from(text);
  await store.parts.forOwner(owner).put(uploadId, 0, data, new Date(Date.now() + 3_600_000));
  const files = [{ part: "", uploadId, sha256: sha256 ?? createHash("sha256").update(data).digest("hex") }];
  return requestLoad(store, { owner, source: "CUSTOM", files, loadedBy, now });
}

async function load(owner: string, text: string, sha256?: string, loadedBy = "connector") {
  const requested = await ask(owner, text, sha256, loadedBy);
  await loadDue();
  return (await store.forOwner(owner).find(requested.listId))!;
}

async function loadDue(): Promise<void> {
  for (
    let due = await store.takeDue(now, new Date(now.getTime() + 1));
    due;
    due = await store.takeDue(now, new Date(now.getTime() + 1))
  ) {
    await loadList(due, { store, now: () => now });
  }
}

async function collected(_source: ListSource, entries: AsyncIterable<ListEntry>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { entryId } of entries) ids.push(entryId);
  return ids.sort();
}

test("counts what a version adds, changes, removes and takes names from, and keeps it for re-screening", async () => {
  const owner = testTenant();
  expect(await load(owner, csv(...hundred))).toMatchObject({ status: "ACTIVE", version: 1, entries: 100, added: 100 });
  const second = await load(owner, csv(...hundred.slice(1, 99), "P99 Other", "P100 New"));
  const counts = { added: 1, changed: 1, removed: 1, losingNames: 1, losingDetails: 0 };
  expect(second).toMatchObject({ status: "ACTIVE", version: 2, ...counts });
  const changes = await store.entries.forOwner(owner).changes(second.loadId, { limit: 10 });
  expect(changes.map(({ entryId, change }) => [entryId, change])).toEqual([
    ["P0", "REMOVED"],
    ["P100", "ADDED"],
    ["P99", "CHANGED"],
  ]);
});

/** As many people as lines, each with what the columns say of them. */
const table = (columns: string, count: number, line: (index: number) => string) =>
  [columns, ...Array.from({ length: count }, (_, index) => `P${index},Person ${index},${line(index)}`), ""].join("\n");
const aliased = (without: number) => table("id,name,aliases", 100, (at) => (at < without ? "" : `Alias ${at}`));
const born = (without: number) =>
  table("id,name,dates_of_birth,documents", 100, (at) => (at < without ? "," : `1961-02-14,PASSPORT:A12345${at}:NGA`));
const renamed = (others: number) =>
  ["id,name", ...hundred.map((name, at) => (at < others ? `P${at},Nobody ${at}` : `P${at},${name}`)), ""].join("\n");

test.each([
  ["aliases", aliased, "takes names from 3 of 100 entries (3 %), such as P0, P1, P2"],
  ["whole names", renamed, "takes names from 3 of 100 entries (3 %), such as P0, P1, P2"],
  [
    "dates and documents",
    born,
    "takes every date of birth or document from 3 of 100 entries (3 %), such as P0, P1, P2",
  ],
])("a list whose entries keep their ids and lose %s waits, a few may", async (_what, listOf, reason) => {
  const owner = testTenant();
  await load(owner, listOf(0));
  expect(await load(owner, listOf(1))).toMatchObject({ status: "ACTIVE", version: 2, removed: 0, changed: 1 });
  // The version before had lost one already.
  expect(await load(owner, listOf(4))).toMatchObject({
    status: "WAITING",
    reason: reason.replace("P0, P1, P2", "P1, P2, P3"),
  });
  const other = testTenant();
  await load(other, listOf(0), undefined, "MA1");
  const sentence = reason.replace("3 of 100", "1 of 100").replace("3 %", "1 %").replace(", P1, P2", "");
  // Of a person of an organisation not one is taken.
  expect(await load(other, listOf(1), undefined, "MA1")).toMatchObject({
    status: "WAITING",
    reason: `changes 1 of 100 entries (1 %); ${sentence}`,
  });
});

test("a list of which a comment could not be read waits for a second person, who reads the row", async () => {
  const owner = testTenant();
  const sdn = '36,"AEROTEC","","CUBA",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- \r\n';
  const files = [];
  for (const [part, text] of [
    ["SDN", sdn],
    ["COMMENTS", '36,"a.k.a. "AERO" "\r\n'],
  ] as const) {
    const uploadId = randomUUID();
    const data = Buffer.from(text);
    await store.parts.forOwner(owner).put(uploadId, 0, data, new Date(Date.now() + 3_600_000));
    files.push({ part, uploadId, sha256: createHash("sha256").update(data).digest("hex") });
  }
  const requested = await requestLoad(store, { owner, source: "OFAC_SDN", files, loadedBy: "connector", now });
  await loadDue();
  expect(await store.forOwner(owner).find(requested.listId)).toMatchObject({
    status: "WAITING",
    entries: 1,
    reason: 'nothing was read of COMMENTS line 1, whose quotes are broken: 36,"a.k.a. "AERO" "',
  });
});

test("what a person loads in place of a wrong list waits, as short or as long as it may be, and is put to use", async () => {
  // Not of live tenants: theirs would be replaced by what other tests load.
  const owner = operatorsSandboxLists;
  const demo = await load(owner, csv("DEMO-1 Example", "DEMO-2 Example"));
  const real = await load(owner, csv(...hundred), undefined, "operator:ann");
  expect(real).toMatchObject({
    status: "WAITING",
    reason: "removes 2 of 2 entries (100 %)",
    comparedWith: demo.listId,
  });
  expect(await store.forOwner(owner).swap(real, { approvedBy: "operator:bob" })).toBe(true);
  const short = await load(owner, csv(...ten), undefined, "operator:ann");
  expect(short).toMatchObject({ status: "WAITING", reason: "removes 90 of 100 entries (90 %)" });
});

test("a version that waits gives way when another comes into use, an older or a newer one", async () => {
  const owner = testTenant();
  const lists = store.forOwner(owner);
  const statusOf = async ({ listId }: { listId: string }) => (await lists.find(listId))?.status;
  await load(owner, csv(...hundred));
  const [older, newer] = [
    await load(owner, csv(...ten.slice(0, 8), ...hundred.slice(50))),
    await load(owner, csv(...hundred.slice(20))),
  ];
  expect([older, newer].map(({ status }) => status)).toEqual(["WAITING", "WAITING"]);
  expect(await lists.swap(older, { approvedBy: "MA2" })).toBe(true);
  expect(await Promise.all([older, newer].map(statusOf))).toEqual(["ACTIVE", "SUPERSEDED"]);
});

test("a version is judged by the one in use when its load ends, not when it began", async () => {
  const owner = testTenant();
  const lists = store.forOwner(owner);
  await load(owner, csv(...hundred));
  const waiting = await load(owner, csv(...hundred.slice(20)));
  const requested = await ask(owner, csv(...hundred.slice(40)));
  const due = await store.takeDue(now, new Date(now.getTime() + 1));
  let isApproved = false;
  // Once it is compared, and before it ends.
  const renewing: ScreeningListStore = {
    ...store,
    forOwner: (of) => ({
      ...store.forOwner(of),
      async renew(list, until) {
        if (!isApproved) isApproved = await lists.swap(waiting, { approvedBy: "MA2" });
        return store.forOwner(of).renew(list, until);
      },
    }),
  };
  await loadList(due!, { store: renewing, now: () => now });
  expect(isApproved).toBe(true);
  expect(await lists.find(requested.listId)).toMatchObject({
    status: "WAITING",
    reason: "removes 20 of 80 entries (25 %)",
    comparedWith: waiting.listId,
  });
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
  const requested = await ask(owner, csv(...ten));
  let at = now;
  for (let attempt = 1; attempt <= 3; attempt++) {
    expect((await store.takeDue(at, new Date(at.getTime() + 30_000)))?.attempts).toBe(attempt);
    expect(await store.takeDue(at, at)).toBeUndefined();
    at = new Date(at.getTime() + 30_000);
  }
  await loadList((await store.takeDue(at, new Date(at.getTime() + 30_000)))!, { store, now: () => at });
  expect(await store.forOwner(owner).find(requested.listId)).toMatchObject({
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

test("a replica that cannot read an organisation's own list does not use the operator's in its place", async () => {
  const [owner, other] = [testTenant(), testTenant()];
  const operators = operatorsOwnerFor(owner);
  const list = { source: "CUSTOM", version: 1, entries: 1, publishedAt: now, lastSeenAt: now } as const;
  const active = [
    { ...list, tenantId: operators, listId: "theirs", loadId: "theirs" },
    { ...list, tenantId: owner, listId: "own", loadId: "own" },
  ];
  let isBroken = true;
  const faults: string[] = [];
  const entry = { entryId: "P1" } as ListEntry;
  const snapshots = createListSnapshots({
    store: {
      ...store,
      findActive: () => Promise.resolve(active as never),
      entries: {
        ...store.entries,
        forOwner: (of: string) => ({
          ...store.entries.forOwner(of),
          async *stream() {
            if (of === owner && isBroken) throw new Error("no such row");
            yield Promise.resolve(entry);
          },
        }),
      } as never,
    },
    buildIndex: collected,
    onFault: ({ listId }) => void faults.push(listId),
  });
  await snapshots.refresh();
  expect(faults).toEqual(["own"]);
  expect(snapshots.snapshotOf(owner, ["CUSTOM"]).lists).toEqual([]);
  expect(snapshots.snapshotOf(other, ["CUSTOM"]).lists).toMatchObject([{ listId: "theirs" }]);
  isBroken = false;
  await snapshots.refresh();
  expect(snapshots.snapshotOf(owner, ["CUSTOM"]).lists).toMatchObject([{ listId: "own" }]);
});
