import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { mongo } from "mongoose";
import { startMongo, startRedis, type RunningServer } from "./servers.js";
import { diskFullSentence, sentenceOf, StartError } from "./start-error.js";
import { memoryFolder } from "../../test/support/memory-folder.js";

let folder: string;
const running: RunningServer[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(memoryFolder(), "manilla-servers-"));
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.kill()));
  await rm(folder, { recursive: true, force: true });
});

async function insertInTransaction(uri: string): Promise<number> {
  const client = await new mongo.MongoClient(uri).connect();
  try {
    const things = client.db("test").collection("things");
    await client.withSession((session) => session.withTransaction(() => things.insertOne({ a: 1 }, { session })));
    return await things.countDocuments();
  } finally {
    await client.close();
  }
}

async function parameterOf(uri: string, name: string): Promise<unknown> {
  const client = await new mongo.MongoClient(uri).connect();
  try {
    const answer = await client.db("admin").command({ getParameter: 1, [name]: 1 });
    return answer[name];
  } finally {
    await client.close();
  }
}

test("starts a primary that has transactions, keeps its data, and moves to another port", async () => {
  const dir = join(folder, "mongo");
  const first = await startMongo({ dir });
  running.push(first);
  expect((await stat(dir)).mode & 0o777).toBe(0o700);
  expect(await insertInTransaction(first.uri)).toBe(1);
  expect(await parameterOf(first.uri, "transactionLifetimeLimitSeconds")).toBe(5);
  expect(await parameterOf(first.uri, "minSnapshotHistoryWindowInSeconds")).toBe(1);
  await first.stop();
  expect(first.isRunning()).toBe(false);
  const second = await startMongo({ dir });
  running.push(second);
  expect(second.port).not.toBe(first.port);
  expect(await insertInTransaction(second.uri)).toBe(2);
});

test("logs no values of a slow operation, however little is slow", async () => {
  const log = join(folder, "mongod.log");
  const server = await startMongo({ dir: join(folder, "mongo"), log });
  running.push(server);
  const client = await new mongo.MongoClient(server.uri).connect();
  try {
    const db = client.db("test");
    await db.command({ profile: 0, slowms: 0 });
    expect((await db.command({ profile: -1 })).slowms).toBe(0);
    await db.collection("accounts").insertOne({ accountNumber: "3141592653" });
    await db.collection("accounts").findOne({ accountNumber: "3141592653" });
    await client.withSession((session) =>
      session.withTransaction(async () => {
        await db.collection("accounts").updateOne({ accountNumber: "3141592653" }, { $set: { a: 1 } }, { session });
      }),
    );
  } finally {
    await client.close();
  }
  await server.stop();
  const lines = await readFile(log, "utf8");
  expect(lines).toContain("Connection accepted");
  expect(lines.split("\n").filter((line) => line.includes("3141592653"))).toEqual([]);
});

test("comes back on its port after it was killed, with what was acknowledged", async () => {
  const dir = join(folder, "mongo");
  const first = await startMongo({ dir });
  running.push(first);
  await insertInTransaction(first.uri);
  await first.kill();
  const second = await startMongo({ dir, port: first.port });
  running.push(second);
  expect(await insertInTransaction(second.uri)).toBe(2);
});

test("says which port is in use", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as { port: number };
  await expect(startRedis({ dir: folder, port })).rejects.toThrow(
    `Redis cannot start: port ${port} is in use by another program.`,
  );
  await expect(startMongo({ dir: folder, port })).rejects.toThrow(`MongoDB cannot start: port ${port} is in use`);
  await new Promise((resolve) => other.close(resolve));
});

test("says that another mongod runs on the folder", async () => {
  const dir = join(folder, "mongo");
  running.push(await startMongo({ dir }));
  await expect(startMongo({ dir })).rejects.toThrow(`MongoDB cannot start: another mongod is running on ${dir}.`);
});

test("a disk that is full says so in one sentence, whatever was to be written, and a bug keeps its stack", async () => {
  const full = await writeFile("/dev/full", "x").catch((error: unknown) => error);
  expect((full as NodeJS.ErrnoException).code).toBe("ENOSPC");
  expect(sentenceOf(full, ".data")).toBe("The disk that holds .data is full: free some space and start again.");
  expect(sentenceOf(new StartError("Port 1 is in use."), ".data")).toBe("Port 1 is in use.");
  expect(sentenceOf(new TypeError("x is not a function"), ".data")).toBeUndefined();
  expect(sentenceOf(undefined, ".data")).toBeUndefined();
});

test("knows a full disk in what tools print", () => {
  expect(diskFullSentence("write: No space left on device", ".data")).toMatch(/^The disk that holds .data is full/);
  expect(diskFullSentence("connection refused", ".data")).toBeUndefined();
});
