import type { ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requestLoad } from "../../services/compliance/lists/loading/request-load.js";
import { keepFile } from "../../services/compliance/lists/loading/uploads.js";
import { collections } from "../../services/compliance/common/store/collections.js";
import { migrations } from "../../services/compliance/store/migrations.js";
import { createScreeningListStore, type StoredList } from "../../services/compliance/lists/store/screening-lists.js";
import { runMigrations } from "../../services/kernel/mongo/migrations.js";
import { declaredCrashPoints, isListLoadPoint } from "../support/crash-points.js";
import { forkSource } from "../support/forked-source.js";
import { silentLog, testTenant, waitFor } from "../support/index.js";
import { startOwnServers, type OwnServers } from "../support/own-servers.js";

jest.setTimeout(120_000);

interface InMemory {
  version: number;
  entries: number;
}

const folder = mkdtempSync(join(tmpdir(), "manilla-list-kills-"));
const pointFile = join(folder, "point");
let servers: OwnServers;
let store: ReturnType<typeof createScreeningListStore>;
let isOver = false;
let kills = 0;

/** One replica: forked, and again whenever it is killed. */
interface Replica {
  child: ChildProcess;
  /** What it had in memory, whenever it said so. */
  seen: InMemory[];
}

/** Only the first is killed by itself; the other one never passes a point. */
function startReplica(isKillable: boolean): Replica {
  const replica: Replica = { child: undefined as never, seen: [] };
  const start = () => {
    replica.child = forkSource("list-load-process.ts", {
      ...(isKillable && { CRASH_POINT_FILE: pointFile }),
      LIST_LOAD_PROCESS: JSON.stringify({ uri: servers.mongoUri, database: servers.database }),
    });
    replica.child.on("message", (lists: InMemory[]) => replica.seen.push(...lists));
    replica.child.once("exit", () => {
      if (isOver || !replicas.includes(replica)) return;
      kills += 1;
      start();
    });
  };
  start();
  replicas.push(replica);
  return replica;
}

let replicas: Replica[] = [];

async function stopReplicas(): Promise<void> {
  const ended = replicas.map(({ child }) => child);
  replicas = [];
  for (const child of ended) child.kill("SIGKILL");
}

beforeAll(async () => {
  servers = await startOwnServers("list_kills");
  await runMigrations(servers.db, migrations, silentLog);
  store = createScreeningListStore(servers.db);
});
afterEach(stopReplicas);
afterAll(async () => {
  isOver = true;
  await stopReplicas();
  await servers.close();
  rmSync(folder, { recursive: true, force: true });
});

const before = 1_200;
const after = 1_300;

const csv = (entries: number, changed: string) =>
  [
    "id,name",
    ...Array.from({ length: entries }, (_, at) => `P${at},${at === 7 ? changed : "Person"} Number ${at}`),
    "",
  ].join("\n");

async function ask(owner: string, text: string): Promise<StoredList> {
  const now = new Date();
  const uploadId = createHash("sha256").update(text).digest("hex").slice(0, 16);
  async function* file() {
    yield Buffer.from(text);
  }
  const sha256 = await keepFile(store, { owner, uploadId, now }, file());
  return requestLoad(store, {
    owner,
    source: "CUSTOM",
    files: [{ part: "", uploadId, sha256 }],
    loadedBy: "connector",
    now,
  });
}

/** A lease of a process that was killed ends after half a minute: here at once. */
async function endLeases(owner: string): Promise<void> {
  const lists = servers.db.collection(collections.screeningLists);
  await lists.updateMany({ tenantId: owner, status: "LOADING" }, { $set: { dueAt: new Date(0) } });
}

/** Every row belongs to a version that is kept, and is there. */
async function expectNoHalfList(owner: string): Promise<void> {
  const stored = await store.forOwner(owner).list({ limit: 10 }, {});
  for (const { loadId, entries, status } of stored) {
    const rows = loadId === "" ? [] : await Array.fromAsync(store.entries.forOwner(owner).stream(loadId));
    expect(rows).toHaveLength(status === "LOADING" || loadId === "" ? 0 : entries);
  }
  const loads = await servers.db.collection(collections.screeningListEntries).distinct("loadId", { tenantId: owner });
  const known = stored.map(({ loadId }) => loadId).filter((loadId) => loadId !== "");
  expect(known).toEqual(expect.arrayContaining(loads));
}

const points = declaredCrashPoints("compliance")
  .filter(isListLoadPoint)
  .flatMap((point) => (point.endsWith(".entries") ? [`${point}:1`, `${point}:2`, `${point}:3`] : [point]));

test.each(points)("killed with -9 at %s, a list is in use whole, the one before or the new one", async (point) => {
  const owner = testTenant();
  const first = await ask(owner, csv(before, "Person"));
  const replica = startReplica(true);
  const active = () => store.forOwner(owner).findActive("CUSTOM");
  await waitFor(async () => (await active())?.listId === first.listId, {
    timeoutMs: 60_000,
    what: "the first version",
  });

  const killsBefore = kills;
  writeFileSync(pointFile, point);
  await ask(owner, csv(after, "Another"));
  await waitFor(() => kills > killsBefore, { timeoutMs: 60_000, what: "the kill" });
  // Nobody has put anything right yet.
  const meanwhile = await active();
  const rows = await Array.fromAsync(store.entries.forOwner(owner).stream(meanwhile!.loadId));
  expect(rows).toHaveLength(meanwhile!.entries);
  expect([before, after]).toContain(rows.length);

  await endLeases(owner);
  const second = await waitFor(async () => ((await active())?.version === 2 ? active() : undefined), {
    timeoutMs: 60_000,
    what: "the second version",
  });
  expect(second).toMatchObject({ entries: after, added: 100, changed: 1, removed: 0 });
  await waitFor(() => replica.seen.at(-1)?.version === 2, { timeoutMs: 60_000, what: "the second version in memory" });
  // Rows of what was cut off are gone, once whoever took the load up is done.
  await waitFor(async () => (await active())?.loadId === second!.loadId && !existsSync(pointFile), {
    timeoutMs: 10_000,
  });
  await expectNoHalfList(owner);
});

test("two replicas have the new version in memory, and never a part of one", async () => {
  const owner = testTenant();
  await ask(owner, csv(before, "Person"));
  const both = [startReplica(false), startReplica(false)];
  const versionsOf = ({ seen }: Replica) => seen.filter(({ entries }) => entries >= before).at(-1)?.version;
  await waitFor(() => both.every((one) => versionsOf(one) === 1), { timeoutMs: 60_000, what: "the first version" });
  await ask(owner, csv(after, "Another"));
  await waitFor(() => both.every((one) => versionsOf(one) === 2), { timeoutMs: 60_000, what: "the second version" });
  const wholes = new Set([`1 ${before}`, `2 ${after}`]);
  for (const { seen } of both) {
    expect(seen.map(({ version, entries }) => `${version} ${entries}`).filter((one) => !wholes.has(one))).toEqual([]);
  }
});
