import { setTimeout as sleep } from "node:timers/promises";
import type { Connection } from "mongoose";
import { pino } from "pino";
import { v7 as uuidv7 } from "uuid";
import type { Logger } from "../../services/kernel/process/log.js";
import { connectMongo } from "../../services/kernel/mongo/connect.js";
import { createRedis, redisReady, type Redis } from "../../services/kernel/process/redis.js";

export interface TestDatabase {
  db: Connection;
  uri: string;
  /** For a service under test, as MONGODB_DATABASE. */
  database: string;
  close(): Promise<void>;
}

/** Discards everything; pass your own pino to look at lines. */
export const silentLog: Logger = pino({ level: "silent" });

/**
 * Whether the run's mongod has fail points: not one that MONGODB_URI gives. Tests that need them
 * are skipped there.
 */
export const hasFailPoints = process.env["TEST_FAIL_POINTS"] !== undefined;

/** URI of the run's mongod. */
export function testMongoUri(): string {
  return fromRun("MONGODB_URI");
}

/** URL of the run's Redis. */
export function testRedisUrl(): string {
  return fromRun("REDIS_URL");
}

/**
 * The same, in a database that no other worker's tests touch: for tests that look at all keys, or
 * keep those of which a service has one set. Files of a worker run one after the other, so each may
 * empty it. The gateway's tests have the last two for theirs.
 */
export function workerRedisUrl(): string {
  return `${testRedisUrl()}/${1 + (Number(process.env["JEST_WORKER_ID"] ?? 0) % 13)}`;
}

/**
 * The database `name` of this run. Tests that share it are kept apart by their tenants, not by
 * databases.
 */
export async function testDatabase(name: string): Promise<TestDatabase> {
  const uri = testMongoUri();
  const database = `test_${fromRun("TEST_RUN")}_${name}`;
  const { db, close } = await connectMongo({ uri, database, log: silentLog });
  return { db, uri, database, close };
}

/** A client of the run's Redis, connected. Disconnect it in afterAll. */
export async function testRedis(url = testRedisUrl()): Promise<Redis> {
  const redis = createRedis({ url, log: silentLog, commandTimeoutMs: 2_000 });
  await redisReady(redis);
  return redis;
}

/**
 * Waits until no other test file sets MongoDB's fail points, which a server has one of; resolves
 * with what lets the next one go on. The lock ends by itself, so a killed worker blocks nobody for
 * long.
 */
export async function holdFailPoints(): Promise<() => Promise<void>> {
  const redis = await testRedis();
  const hold = () => redis.set("test:fail-points", "held", "PX", 60_000, "NX");
  await waitFor(hold, { timeoutMs: 60_000, what: "fail points" });
  return async () => {
    await redis.del("test:fail-points");
    redis.disconnect();
  };
}

/** A tenant id that nobody has. */
export function testTenant(): string {
  return uuidv7();
}

/**
 * Asks every few ms until the answer is neither undefined, null nor false; returns it. Throws after
 * `timeoutMs`.
 */
export async function waitFor<T>(
  ask: () => T | Promise<T>,
  { timeoutMs = 20_000, everyMs = 20, what = "the condition" } = {},
): Promise<NonNullable<T>> {
  const giveUpAt = performance.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== null && answer !== false) return answer;
    if (performance.now() > giveUpAt) throw new Error(`${what} did not come true within ${timeoutMs} ms`);
    await sleep(everyMs);
  }
}

function fromRun(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is set by test/support/global-setup.ts`);
  return value;
}
