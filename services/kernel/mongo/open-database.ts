import { setTimeout as sleep } from "node:timers/promises";
import { mongo, type Connection } from "mongoose";
import type { Logger } from "../process/log.js";
import { connectMongo, type MongoConnection } from "./connect.js";
import { pendingMigrations, runMigrations, type Migration } from "./migrations.js";

/** What of a service's environment says how it comes to its database. */
export interface DatabaseConfig {
  MONGODB_URI: string;
  MONGODB_DATABASE: string;
  MIGRATE_AT_BOOT?: boolean | undefined;
  BOOT_WAIT_S?: number | undefined;
}

/**
 * Connects a service to its database and sees its migrations done: by itself, or, where a job does
 * them, by waiting. Rejects when MongoDB or the job takes longer than BOOT_WAIT_S (and the driver's
 * 10 s).
 */
export async function openDatabase(
  config: DatabaseConfig,
  { migrations, log }: { migrations: readonly Migration[]; log: Logger },
): Promise<MongoConnection> {
  const giveUpAt = performance.now() + (config.BOOT_WAIT_S ?? 0) * 1_000;
  const mongoDb = await connectPatiently(config, log, giveUpAt);
  try {
    if (config.MIGRATE_AT_BOOT ?? true) await runMigrations(mongoDb.db, migrations, log);
    else await awaitMigrations(mongoDb.db, migrations, log, giveUpAt);
    return mongoDb;
  } catch (error) {
    await mongoDb.close();
    throw error;
  }
}

/** A database that is being set up has no primary at first, and no users. */
async function connectPatiently(config: DatabaseConfig, log: Logger, giveUpAt: number): Promise<MongoConnection> {
  for (;;) {
    try {
      return await connectMongo({ uri: config.MONGODB_URI, database: config.MONGODB_DATABASE, log });
    } catch (error) {
      if (!(error instanceof Error) || !isNotThereYet(error) || performance.now() >= giveUpAt) throw error;
      log.warn({ reason: error.message.slice(0, 200) }, "MongoDB is not there yet, trying again");
      await sleep(1_000);
    }
  }
}

const authenticationFailed = 18;

function isNotThereYet(error: Error): boolean {
  if (error instanceof mongo.MongoServerError) return error.code === authenticationFailed;
  return error.name.endsWith("ServerSelectionError") || error instanceof mongo.MongoNetworkError;
}

async function awaitMigrations(
  db: Connection,
  migrations: readonly Migration[],
  log: Logger,
  giveUpAt: number,
): Promise<void> {
  for (let isLogged = false; ; isLogged = true) {
    const missing = await pendingMigrations(db, migrations);
    if (missing.length === 0) return;
    const ids = missing.map(({ id }) => id);
    if (performance.now() >= giveUpAt) throw new Error(`nobody has done these migrations: ${ids.join(", ")}`);
    if (!isLogged) log.info({ migrations: ids }, "waiting until the migrations are done");
    await sleep(500);
  }
}
