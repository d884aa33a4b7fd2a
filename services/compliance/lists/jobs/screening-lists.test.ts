import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { startPartner } from "../../../../deploy/partner/server.js";
import { silentLog, testDatabase, waitFor } from "../../../../test/support/index.js";
import { systemClock } from "../../../kernel/time/clock.js";
import { runMigrations } from "../../../kernel/mongo/migrations.js";
import type { ListSource } from "../domain/list-entry.js";
import { operatorsLists } from "../domain/list-owner.js";
import { requestLoad } from "../loading/request-load.js";
import { buildListIndex } from "../loading/build-index.js";
import { createListConnector } from "../loading/connector.js";
import { leaseMs, loadList } from "../loading/load-list.js";
import { createListSnapshots } from "../loading/snapshots.js";
import { keepFile } from "../loading/uploads.js";
import { collections } from "../../common/store/collections.js";
import { migrations } from "../../store/migrations.js";
import { createScreeningListStore } from "../store/screening-lists.js";
import { startListJobs, type ListJobs } from "./screening-lists.js";
import { nothingFor } from "../../../../test/support/time.js";

jest.setTimeout(60_000);

const apiKey = "test-key-of-the-sandbox";
let database: Awaited<ReturnType<typeof testDatabase>>;
let store: ReturnType<typeof createScreeningListStore>;
let partner: Awaited<ReturnType<typeof startPartner>>;
let folder: string;
let url: string;
const running: ListJobs[] = [];

beforeAll(async () => {
  database = await testDatabase("screening_list_jobs");
  await runMigrations(database.db, migrations, silentLog);
  store = createScreeningListStore(database.db);
  folder = await mkdtemp(join(tmpdir(), "manilla-list-jobs-"));
  partner = await startPartner({
    host: "127.0.0.1",
    port: 0,
    booksFile: join(folder, "books.db"),
    apiKey,
    callbackSecret: `whsec_${Buffer.from("a secret of the sandbox").toString("base64")}`,
    settleMs: 50,
    windowMs: 1_000,
  });
  url = `http://127.0.0.1:${partner.port}`;
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((jobs) => jobs.stop()));
  await fetch(`${url}/control/screening-lists`, { method: "DELETE" });
});
afterAll(async () => {
  await partner.stop();
  await database.close();
  await rm(folder, { recursive: true });
});

/** A replica that asks the partner every 100 ms for the lists of an owner. */
function startReplica(key = apiKey) {
  const snapshots = createListSnapshots({ store, buildIndex: buildListIndex });
  const connector = createListConnector({ url, apiKey: key }, "screening-lists");
  const jobs = startListJobs({
    store,
    snapshots,
    clock: systemClock,
    log: silentLog,
    fetchEveryMs: 100,
    listPollMs: 50,
    connectors: [{ owner: operatorsLists, connector }],
  });
  running.push(jobs);
  return { snapshots, jobs };
}

const publish = (source: string, text: string) =>
  fetch(`${url}/control/screening-lists/${source}/LIST`, { method: "PUT", body: text });
const versionsOf = (source: ListSource) => store.forOwner(operatorsLists).list({ limit: 20 }, { source });
const inMemory = ({ snapshots }: ReturnType<typeof startReplica>, source: ListSource) =>
  snapshots.snapshotOf("anybody", [source]).lists[0];

test("two replicas fetch together: each list is one version, and in the memory of both", async () => {
  const both = [startReplica(), startReplica()];
  await Promise.all(both.map(({ jobs }) => jobs.fetched));
  const sources: ListSource[] = ["OFAC_SDN", "EU", "UN", "UK", "PEP", "CUSTOM"];
  for (const source of sources) {
    // Of two who load it the one that did not take it is done before.
    await waitFor(() => both.every((one) => inMemory(one, source)?.version === 1), { timeoutMs: 20_000 });
    expect(await versionsOf(source)).toMatchObject([{ status: "ACTIVE", version: 1, loadedBy: "connector" }]);
  }
  // The parts of whoever was second go, too.
  await waitFor(
    async () =>
      (await database.db.collection(collections.screeningListParts).countDocuments({ tenantId: operatorsLists })) === 0,
  );
  // Asked again, the source publishes them still.
  const [before] = await versionsOf("EU");
  await waitFor(async () => (await versionsOf("EU"))[0]!.lastSeenAt > before!.lastSeenAt, { timeoutMs: 20_000 });
});

test("a new list is swapped in on both replicas; a cut one is FAILED once, and the one in use stays", async () => {
  const both = [startReplica(), startReplica()];
  const published = readFileSync("deploy/partner/lists/pep.csv", "utf8").trimEnd();
  const five = Array.from({ length: 5 }, (_, at) => `PEP-90${at + 4},Another Name,,,,,,,,`);
  await publish("PEP", [published.replaceAll(",COL,", ",ECU,"), ...five, ""].join("\n"));
  await waitFor(() => both.every((one) => inMemory(one, "PEP")?.version === 2), { timeoutMs: 30_000 });
  await publish("PEP", 'id,name\nPEP-901,A B\nPEP-902,"C');
  await waitFor(async () => (await versionsOf("PEP"))[0]!.status === "FAILED", { timeoutMs: 30_000 });
  // It is offered on, and not read again.
  const [newest] = await versionsOf("EU");
  await waitFor(async () => (await versionsOf("EU"))[0]!.lastSeenAt > newest!.lastSeenAt, { timeoutMs: 20_000 });
  expect(await versionsOf("PEP")).toMatchObject([
    {
      version: 3,
      status: "FAILED",
      reason: "opens a quote that nothing closes: the file is cut, or a quote is too many",
    },
    { version: 2, status: "ACTIVE", added: 5, changed: 1, removed: 0 },
    { version: 1, status: "SUPERSEDED" },
  ]);
  expect(both.map((one) => inMemory(one, "PEP")?.index.entries)).toEqual([8, 8]);
});

const people = (from: number, to: number) =>
  ["id,name", ...Array.from({ length: to - from }, (_, at) => `C${from + at},Person ${from + at}`), ""].join("\n");

test("what waits is loaded once, however often others are published between; it gives way when another comes into use", async () => {
  const { jobs } = startReplica();
  await jobs.fetched;
  const summary = async () =>
    (await versionsOf("CUSTOM"))
      .map(({ version, status, entries }) => [version, status, entries].join(" "))
      .toReversed();
  const whole = (await summary()).length + 1;
  const become = async (text: string, status: string) => {
    const before = (await summary()).length;
    await publish("CUSTOM", text);
    const newest = async () => {
      const [found, ...others] = await versionsOf("CUSTOM");
      return others.length === before && found?.status === status ? found : undefined;
    };
    return waitFor(newest, { timeoutMs: 30_000, what: `a version that is ${status}` });
  };
  /** Until the source was asked again, and nothing came of it. */
  const requestedAgain = async (listId: string) => {
    const at = new Date();
    const seen = async () => (await store.forOwner(operatorsLists).find(listId))!.lastSeenAt > at;
    await waitFor(seen, { timeoutMs: 20_000, what: "the content to be seen again" });
  };
  const shipped = readFileSync("deploy/partner/lists/custom.csv", "utf8").trimEnd();
  const all = `${shipped}\n${people(0, 100)
    .split("\n")
    .slice(1, -1)
    .map((line) => `${line},,,,,,,,`)
    .join("\n")}\n`;
  const without = (count: number) => all.split("\n").toSpliced(3, count).join("\n");
  await become(all, "ACTIVE");
  const fewer = await become(without(20), "WAITING");
  const fewest = await become(without(40), "WAITING");
  // The first one again: it waits already.
  await publish("CUSTOM", without(20));
  await requestedAgain(fewer.listId);
  await jobs.wake();
  expect((await summary()).slice(whole - 1)).toEqual([
    `${whole} ACTIVE 102`,
    `${whole + 1} WAITING 82`,
    `${whole + 2} WAITING 62`,
  ]);
  // A person puts the first one to use: the other was compared with what is in use no more.
  expect(await store.forOwner(operatorsLists).swap(fewer, { approvedBy: "operator:bob" })).toBe(true);
  await requestedAgain(fewer.listId);
  await jobs.wake();
  expect((await summary()).slice(whole - 1)).toEqual([
    `${whole} SUPERSEDED 102`,
    `${whole + 1} ACTIVE 82`,
    `${whole + 2} SUPERSEDED 62`,
  ]);
  expect(fewest.comparedWith).toBe(fewer.comparedWith);
});

test("a replica that has fetched a faulty file as long as another makes no second version of it", async () => {
  const owner = operatorsLists;
  const now = new Date();
  const after = (await store.forOwner(owner).findNewest("UK"))?.version ?? 0;
  const content = Buffer.from("no list at all\n");
  const ask = async () => {
    const uploadId = `together-${randomUUID()}`;
    const sha256 = await keepFile(store, { owner, uploadId, now }, Readable.from([content]));
    const files = [{ part: "", uploadId, sha256 }];
    return requestLoad(store, { owner, source: "UK", files, loadedBy: "connector", now, after });
  };
  const first = await ask();
  await loadList((await store.takeDue(new Date(), new Date(Date.now() + leaseMs)))!, { store, now: () => new Date() });
  expect(await store.forOwner(owner).find(first.listId)).toMatchObject({ status: "FAILED" });
  expect((await ask()).listId).toBe(first.listId);
});

test("a connector that refuses leaves everything as it is, and is asked again", async () => {
  const { jobs } = startReplica("another-key-of-nobody");
  const isFetched = await Promise.race([jobs.fetched.then(() => true), nothingFor(500).then(() => false)]);
  expect(isFetched).toBe(false);
});

test("a load that the end of its process stops is given back: it counts as no try", async () => {
  const now = new Date();
  const uploadId = "stopped";
  async function* file() {
    yield Buffer.from("id,name\nX1,A\n");
  }
  const owner = "stopping";
  const sha256 = await keepFile(store, { owner, uploadId, now }, file());
  const files = [{ part: "", uploadId, sha256 }];
  const { listId } = await requestLoad(store, { owner, source: "CUSTOM", files, loadedBy: "test", now });
  const take = async () => (await store.takeDue(new Date(), new Date(Date.now() + leaseMs)))!;
  await loadList(await take(), { store, now: () => new Date(), signal: AbortSignal.abort() });
  expect(await store.forOwner(owner).find(listId)).toMatchObject({ status: "LOADING", attempts: 0 });
  await loadList(await take(), { store, now: () => new Date() });
  // An own first list takes the place of the operator's, which the tests above have loaded.
  expect(await store.forOwner(owner).find(listId)).toMatchObject({ status: "WAITING", attempts: 1, entries: 1 });
});
