import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { get } from "node:http";
import { join } from "node:path";
import { memoryFolder } from "../../test/support/memory-folder.js";
import { startCluster, type Cluster } from "./cluster.js";
import { readClusterFile } from "./cluster-file.js";
import { isAlive } from "./process-identity.js";
import type { ServiceRow } from "./service-table.js";

// A service that says what it was given, can be told to end, and drains before it stops.
const fakeService = `
import { createServer } from "node:http";
import { appendFileSync } from "node:fs";
if (process.env.BROKEN) throw new Error("LEDGER_ADDRESS: is required");
const server = createServer((request, response) => {
  if (request.url === "/env") return response.end(JSON.stringify(process.env));
  if (request.url === "/end") process.exit(7);
  response.statusCode = request.url === "/readyz" ? 200 : 404;
  response.end();
});
server.listen(Number(process.env.ADMIN_PORT), "127.0.0.1");
process.on("SIGTERM", () => {
  appendFileSync(process.env.ORDER_FILE, process.env.MONGODB_DATABASE + "\\n");
  process.exit(0);
});
`;

const ownServers = { mongoUri: undefined, redisUrl: undefined };
// Databases of a test need no disk.
const scratch = memoryFolder();

let folder: string;
let cluster: Cluster | undefined;
let rows: ServiceRow[];
let orderFile: string;

beforeEach(async () => {
  folder = await mkdtemp(join(scratch, "manilla-cluster-"));
  const main = join(folder, "fake.mjs");
  orderFile = join(folder, "order");
  await writeFile(main, fakeService);
  rows = [
    { name: "ledger", main, calls: [], heapMb: 64, env: ({ address }) => ({ ADVERTISED_ADDRESS: address }) },
    { name: "wallet", main, calls: ["ledger"], heapMb: 64 },
  ];
});

afterEach(async () => {
  await cluster?.stop();
  cluster = undefined;
  await rm(folder, { recursive: true, force: true });
});

test("lets nobody else look into its folders, those of an earlier start neither", async () => {
  const data = join(folder, "data");
  await mkdir(join(data, "logs"), { recursive: true });
  for (const path of [data, join(data, "logs")]) await chmod(path, 0o755);
  await start();
  for (const name of ["", "logs"]) {
    const { mode } = await stat(join(data, name));
    expect([name, (mode & 0o777).toString(8)]).toEqual([name, "700"]);
  }
});

async function start(options: Partial<Parameters<typeof startCluster>[0]> = {}): Promise<Cluster> {
  cluster = await startCluster({
    dataDir: join(folder, "data"),
    port: 0,
    services: rows,
    gateway: false,
    quiet: true,
    env: { ORDER_FILE: orderFile },
    // The servers of the test run, except where a cluster's own are what is tested.
    mongoUri: process.env.MONGODB_URI,
    redisUrl: process.env.REDIS_URL,
    ...options,
  });
  return cluster;
}

function ask(adminPort: number | undefined, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get({ host: "127.0.0.1", port: adminPort, path, agent: false }, (response) => {
      let text = "";
      response.on("data", (part: Buffer) => (text += part.toString()));
      response.on("end", () => resolve(text));
    }).on("error", reject);
  });
}

async function environmentOf(running: Cluster, name: string): Promise<Record<string, string>> {
  return JSON.parse(await ask(running.file.processes[name]?.adminPort, "/env")) as Record<string, string>;
}

test("gives each service the environment of the contract and only the addresses it calls", async () => {
  const running = await start({ replicas: { ledger: 2 } });
  const wallet = await environmentOf(running, "wallet");
  expect(wallet).toMatchObject({
    NODE_ENV: "development",
    HOST: "127.0.0.1",
    MONGODB_URI: running.file.mongoUri,
    MONGODB_DATABASE: "manilla_wallet",
    REDIS_URL: running.file.redisUrl,
    LEDGER_ADDRESS: running.file.addresses.ledger,
    SERVICE_KEY_FILE: running.file.keys.serviceKeyFiles.wallet,
    SERVICE_JWKS_FILE: running.file.keys.jwksFile,
  });
  const replica = await environmentOf(running, "ledger-2");
  expect(replica.ADVERTISED_ADDRESS).not.toBe(running.file.addresses.ledger);
  expect(replica.WALLET_ADDRESS).toBeUndefined();
  expect(replica.MONGODB_DATABASE).toBe("manilla_ledger");
});

test("lets somebody stand between a process and what it calls", async () => {
  const hops: string[] = [];
  const running = await start({
    through: ({ from, to, address }) => {
      hops.push(`${from} to ${to}`);
      return to === "redis" ? address : `127.0.0.1:${to.length}`;
    },
  });
  expect(hops.toSorted()).toEqual([
    "ledger to mongodb",
    "ledger to redis",
    "wallet to ledger",
    "wallet to mongodb",
    "wallet to redis",
  ]);
  expect(await environmentOf(running, "wallet")).toMatchObject({
    MONGODB_URI: "mongodb://127.0.0.1:7/?directConnection=true",
    REDIS_URL: running.file.redisUrl,
    LEDGER_ADDRESS: "127.0.0.1:6",
  });
});

test("writes what runs to cluster.json, refuses a second cluster on the same data, and stops in reverse order", async () => {
  const running = await start(ownServers);
  const { dataDir } = running.file;
  const file = readClusterFile(dataDir);
  expect(Object.keys(file.processes).toSorted()).toEqual(["ledger", "mongodb", "redis", "wallet"]);
  await expect(startCluster({ dataDir, port: 0, quiet: true })).rejects.toThrow(/^A cluster runs on .* already/);
  await running.stop();
  expect((await readFile(orderFile, "utf8")).trim().split("\n")).toEqual(["manilla_wallet", "manilla_ledger"]);
  expect(() => readClusterFile(dataDir)).toThrow(/^No cluster runs on/);
  for (const { pid, startToken } of Object.values(file.processes)) expect(isAlive(pid, startToken)).toBe(false);
});

test("starts a process again that ends by itself, and mongod too, on the same port", async () => {
  const running = await start(ownServers);
  for (const name of ["wallet", "mongodb"]) {
    const before = running.file.processes[name];
    process.kill(before?.pid as number, "SIGKILL");
    await running.process(name).whenEnded();
    await running.process(name).whenReady();
    const after = running.file.processes[name];
    expect(after?.pid).not.toBe(before?.pid);
    expect(after?.port).toBe(before?.port);
  }
});

test("keeps a killed process down until it is restarted, and gives one-time variables to one run only", async () => {
  const running = await start();
  const wallet = running.process("wallet");
  await wallet.kill();
  expect(wallet.pid()).toBeUndefined();
  await wallet.restart({ env: { LOG_LEVEL: "debug" }, envOnce: { CRASH_POINT: "wallet.debited" } });
  expect(await environmentOf(running, "wallet")).toMatchObject({ LOG_LEVEL: "debug", CRASH_POINT: "wallet.debited" });
  await ask(running.file.processes.wallet?.adminPort, "/end").catch(() => undefined);
  await wallet.whenReady();
  const again = await environmentOf(running, "wallet");
  expect(again.LOG_LEVEL).toBe("debug");
  expect(again.CRASH_POINT).toBeUndefined();
});

test("says in one sentence which service did not start and why, and stops the others", async () => {
  await expect(start({ processEnv: { wallet: { BROKEN: "1" } } })).rejects.toThrow(
    /^wallet ended with status 1 while starting \(Error: LEDGER_ADDRESS: is required\); its log is .*wallet\.log\.$/,
  );
  expect(() => readClusterFile(join(folder, "data"))).toThrow();
});

test("keeps keys and data over a restart and begins anew with fresh", async () => {
  const first = await start();
  const keys = await readFile(first.file.keys.jwksFile, "utf8");
  await first.stop();
  const second = await start();
  expect(await readFile(second.file.keys.jwksFile, "utf8")).toBe(keys);
  await second.stop();
  const third = await start({ ...ownServers, fresh: true });
  expect(await readFile(third.file.keys.jwksFile, "utf8")).not.toBe(keys);
});

test.each([
  [
    "mongoUri",
    "mongodb://ann:secret@127.0.0.1:1/?directConnection=true",
    /^The MongoDB at 127\.0\.0\.1:1 \(MONGODB_URI\) cannot/,
  ],
  ["mongoUri", "nonsense", /^The MongoDB at an address that is none \(MONGODB_URI\) cannot be reached/],
  ["redisUrl", "redis://:secret@127.0.0.1:1", /^The Redis at 127\.0\.0\.1:1 \(REDIS_URL\) cannot be reached/],
])("says in a sentence that %s %s cannot be reached, without its password", async (option, url, sentence) => {
  const given = { mongoUri: process.env.MONGODB_URI, redisUrl: process.env.REDIS_URL, [option]: url };
  const error = await start(given).catch((thrown: Error) => thrown as Error);
  expect((error as Error).message).toMatch(sentence);
  expect((error as Error).message).not.toMatch(/secret|\n/);
});

test("does not empty servers that are not its own", async () => {
  await expect(start({ fresh: true, mongoUri: "mongodb://elsewhere" })).rejects.toThrow(
    /^--fresh empties only our own/,
  );
});
