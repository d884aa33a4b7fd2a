import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ClusterFile } from "./cluster-file.js";
import { seedingOf } from "./seeding.js";

const whole = '{ "baseUrl": "http://localhost:1", "tenants": [] }';
let dataDir: string;
const given = process.env.MONGODB_URI;

beforeEach(async () => {
  delete process.env.MONGODB_URI;
  dataDir = await mkdtemp(join(tmpdir(), "manilla-seeding-"));
  await newDatabases();
  await writeFile(join(dataDir, "demo.json"), whole);
});
afterEach(async () => {
  if (given !== undefined) process.env.MONGODB_URI = given;
  await rm(dataDir, { recursive: true, force: true });
});

/** As mongod makes them. */
async function newDatabases(): Promise<void> {
  await rm(join(dataDir, "mongo"), { recursive: true, force: true });
  await mkdir(join(dataDir, "mongo"));
  await writeFile(join(dataDir, "mongo", "storage.bson"), "");
}

const cluster = (change: Partial<ClusterFile> = {}) =>
  ({ dataDir, baseUrl: "http://localhost:1", addresses: { wallet: "127.0.0.1:2" }, ...change }) as ClusterFile;

test("the demo is loaded once into databases", async () => {
  expect(seedingOf(cluster()).isDone()).toBe(false);
  seedingOf(cluster()).note();
  expect(seedingOf(cluster({ addresses: { wallet: "127.0.0.1:3" } })).isDone()).toBe(true);
});

test.each([
  ["another address", { baseUrl: "http://localhost:9" }],
  ["other services", { addresses: { wallet: "127.0.0.1:2", investment: "127.0.0.1:4" } }],
])("and again for %s", (_what, change) => {
  seedingOf(cluster()).note();
  expect(seedingOf(cluster(change)).isDone()).toBe(false);
});

test("and again where the databases are new, or what was written about it is gone", async () => {
  seedingOf(cluster()).note();
  await rm(join(dataDir, "demo.json"));
  expect(seedingOf(cluster()).isDone()).toBe(false);
  await writeFile(join(dataDir, "demo.json"), whole);
  await newDatabases();
  expect(seedingOf(cluster()).isDone()).toBe(false);
});

test("of a MongoDB that is not our own nothing is taken for granted", () => {
  seedingOf(cluster()).note();
  process.env.MONGODB_URI = "mongodb://127.0.0.1:1";
  seedingOf(cluster()).note();
  expect(seedingOf(cluster()).isDone()).toBe(false);
});

test.each(["", whole.slice(0, -2), "null", "{}", "[]"])("and again where demo.json is %j", async (text) => {
  seedingOf(cluster()).note();
  expect(seedingOf(cluster()).isDone()).toBe(true);
  await writeFile(join(dataDir, "demo.json"), text);
  expect(seedingOf(cluster()).isDone()).toBe(false);
});
