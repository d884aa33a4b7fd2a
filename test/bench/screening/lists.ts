// `npm run bench:lists`: the four published lists from their files into MongoDB and into memory, as
// a replica does; what it takes, and what a second replica takes that finds them loaded.
import { createReadStream, mkdtempSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { startMongo } from "../../../deploy/local/servers.js";
import { operatorsLists } from "../../../services/compliance/lists/domain/list-owner.js";
import { requestLoad } from "../../../services/compliance/lists/loading/request-load.js";
import { buildListIndex } from "../../../services/compliance/lists/loading/build-index.js";
import { leaseMs, loadList } from "../../../services/compliance/lists/loading/load-list.js";
import { createListSnapshots } from "../../../services/compliance/lists/loading/snapshots.js";
import { keepFile } from "../../../services/compliance/lists/loading/uploads.js";
import { migrations } from "../../../services/compliance/store/migrations.js";
import { createScreeningListStore } from "../../../services/compliance/lists/store/screening-lists.js";
import { openDatabase } from "../../../services/kernel/mongo/open-database.js";
import { findRealLists, type RealList } from "../../support/real-lists.js";

const log = pino({ level: "silent" });
const newest: Readonly<Record<string, string>> = { OFAC_SDN: "2025", EU: "2024", UK: "2024", UN: "2026" };
const lists = (await findRealLists()).filter(({ source, what }) => newest[source] === what);
const dir = mkdtempSync(join(tmpdir(), "manilla-bench-lists-"));
const server = await startMongo({ dir });
const { db, close } = await openDatabase({ MONGODB_URI: server.uri, MONGODB_DATABASE: "bench" }, { migrations, log });
const store = createScreeningListStore(db);
try {
  const before = used();
  const began = performance.now();
  for (const list of lists) await load(list);
  const loaded = performance.now();
  const cpu = process.cpuUsage();
  const first = createListSnapshots({ store, buildIndex: buildListIndex, onFault });
  await first.refresh();
  const inMemory = performance.now();
  const after = used();
  const all = first.all();
  const [entries, names] = [sum(all.map(({ index }) => index.entries)), sum(all.map(({ index }) => index.names))];
  print(`${cpus().length} cores, load ${loadavg()[0]!.toFixed(1)}, Node ${process.version}`);
  print(`four lists: ${entries} entries, ${names} names`);
  print(`files read, written and put to use: ${seconds(loaded - began)}`);
  print(
    `of a processor, where others use the machine: ${seconds((cpu.user + cpu.system) / 1_000)} with the start, MongoDB's apart`,
  );
  const built = process.cpuUsage(cpu);
  print(
    `into memory: ${seconds(inMemory - loaded)} (${seconds((built.user + built.system) / 1_000)} of a processor); together ${seconds(inMemory - began)} (at most 15 s)`,
  );
  print(
    `memory they take: ${megabytes(after - before)} (at most 200 MB); highest of the process ${megabytes(process.resourceUsage().maxRSS * 1024)}`,
  );
  print(`of it by the indexes' own count: ${megabytes(sum(all.map(({ index }) => index.bytes)))}`);
} finally {
  await close();
  await server.stop();
  rmSync(dir, { recursive: true, force: true });
}

async function load({ source, what, files }: RealList): Promise<void> {
  const began = performance.now();
  const now = new Date();
  const requested = [];
  for (const { part, path } of files) {
    const uploadId = `bench-${source}-${part}`;
    const sha256 = await keepFile(store, { owner: operatorsLists, uploadId, now }, createReadStream(path));
    requested.push({ part, uploadId, sha256 });
  }
  await requestLoad(store, { owner: operatorsLists, source, files: requested, loadedBy: "bench", now });
  const due = await store.takeDue(new Date(), new Date(Date.now() + leaseMs));
  await loadList(due!, { store, now: () => new Date() });
  const found = await store.forOwner(operatorsLists).findNewest(source);
  const { status, entries, names, reason } = found!;
  if (status !== "ACTIVE") throw new Error(`${source} of ${what} is ${status}: ${reason}`);
  print(`${source} of ${what}: ${entries} entries, ${names} names in ${seconds(performance.now() - began)}`);
}

function onFault(_list: object, error: unknown): never {
  throw error;
}

/** What is alive, of the heap and beside it, after a collection. */
function used(): number {
  if (globalThis.gc === undefined) throw new Error("run it with --expose-gc");
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(2)} s`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(0)} MB`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
