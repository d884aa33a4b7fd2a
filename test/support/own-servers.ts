import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Connection } from "mongoose";
import { startMongo, startRedis } from "../../deploy/local/servers.js";
import { connectMongo } from "../../services/kernel/mongo/connect.js";
import { silentLog } from "./index.js";
import { memoryFolder } from "./memory-folder.js";

export interface OwnServers {
  readonly mongoUri: string;
  readonly redisUrl: string;
  /** Of the one service under test. */
  readonly database: string;
  readonly db: Connection;
  close(): Promise<void>;
}

/**
 * How long what a killed process has written in an open transaction stays
 * locked, in seconds; in production 5.
 */
const transactionLifetimeS = 1;

/**
 * A mongod and a Redis of one test file, in memory where the machine has /dev/shm: for tests that
 * kill what uses them, not them.
 */
export async function startOwnServers(name: string): Promise<OwnServers> {
  const parent = memoryFolder();
  const dir = mkdtempSync(join(parent, `manilla-faults-${name}-`));
  const [mongo, redis] = await Promise.all([
    startMongo({ dir: join(dir, "mongo") }),
    startRedis({ dir: join(dir, "redis") }),
  ]);
  const database = `manilla_${name}`;
  const { db, close } = await connectMongo({ uri: mongo.uri, database, log: silentLog });
  await db.getClient().db("admin").command({ setParameter: 1, transactionLifetimeLimitSeconds: transactionLifetimeS });
  return {
    mongoUri: mongo.uri,
    redisUrl: redis.url,
    database,
    db,
    async close() {
      await close();
      await Promise.all([mongo.kill(), redis.kill()]);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
