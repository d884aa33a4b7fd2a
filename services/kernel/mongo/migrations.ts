import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Connection, mongo } from "mongoose";
import type { Logger } from "../process/log.js";
import { nativeCollection } from "./native-collection.js";
import { shardByTenant } from "./sharding.js";
import { acrossTenants } from "./tenant-collection.js";
import { isDuplicateKey } from "./transaction.js";

export interface Migration {
  /** Unique and for ever, such as "0001-indexes". */
  id: string;
  /**
   * Safe to run again after it was cut off half-way, and beside the previous version of the
   * service.
   */
  up(db: Connection): Promise<void>;
}

interface MigrationRow {
  _id: string;
  doneAt?: Date;
  token?: string | null;
  takenAt?: Date;
}

const lockId = "lock";
const leaseMs = 30_000;

/**
 * Runs, in order and once, the migrations that this database has not seen. Replicas that start
 * together take turns by a lease in `migrations`. Throws what a migration throws, and when the turn
 * does not come within two minutes.
 */
export async function runMigrations(
  db: Connection,
  migrations: readonly Migration[],
  log: Logger,
  waitMs = 120_000,
): Promise<void> {
  const ids = migrations.map(({ id }) => id);
  if (new Set(ids).size !== ids.length) throw new Error("two migrations have one id");
  const rows = acrossTenants<MigrationRow>(db, "migrations", "migrations");
  if ((await pending(rows, migrations)).length === 0) return;
  const token = randomUUID();
  await takeTurn(rows, token, waitMs);
  const renewal = setInterval(() => void renew(rows, token).catch(() => undefined), leaseMs / 3);
  try {
    for (const { id, up } of await pending(rows, migrations)) {
      const startedAt = performance.now();
      await up(db);
      await rows.updateOne({ _id: id }, { $currentDate: { doneAt: true } }, { upsert: true });
      log.info({ migration: id, tookMs: Math.round(performance.now() - startedAt) }, "migration done");
    }
  } finally {
    clearInterval(renewal);
    await rows.updateOne({ _id: lockId, token }, { $set: { token: null } });
  }
}

/** Those of `migrations` that this database has not seen, in order. */
export function pendingMigrations(db: Connection, migrations: readonly Migration[]): Promise<Migration[]> {
  return pending(acrossTenants<MigrationRow>(db, "migrations", "migrations"), migrations);
}

type Rows = ReturnType<typeof acrossTenants<MigrationRow>>;

async function pending(rows: Rows, migrations: readonly Migration[]): Promise<Migration[]> {
  const done = new Set((await rows.find({ doneAt: { $exists: true } })).map(({ _id }) => _id));
  return migrations.filter(({ id }) => !done.has(id));
}

async function takeTurn(rows: Rows, token: string, waitMs: number): Promise<void> {
  // The server's clock counts on both sides: those of two machines may differ by more than the
  // lease.
  const free = { $or: [{ token: null }, { $expr: { $lt: ["$takenAt", { $subtract: ["$$NOW", leaseMs] }] } }] };
  const change = { $set: { token }, $currentDate: { takenAt: true as const } };
  const giveUpAt = performance.now() + waitMs;
  while (performance.now() < giveUpAt) {
    const taken = await rows.updateOne({ _id: lockId, takenAt: { $exists: true }, ...free }, change);
    if (taken.matchedCount === 1 || (await isFirst(rows, change))) return;
    await sleep(50 + Math.random() * 100);
  }
  throw new Error(`another process has been migrating this database for ${waitMs} ms`);
}

/** Makes the lease's row; MongoDB allows no $expr in an upsert. */
async function isFirst(rows: Rows, change: mongo.UpdateFilter<MigrationRow>): Promise<boolean> {
  try {
    const made = await rows.updateOne({ _id: lockId, takenAt: { $exists: false } }, change, { upsert: true });
    return made.upsertedCount + made.matchedCount === 1;
  } catch (error) {
    // A duplicate key means that another process migrates.
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

async function renew(rows: Rows, token: string): Promise<void> {
  await rows.updateOne({ _id: lockId, token }, { $currentDate: { takenAt: true } });
}

/**
 * Makes the indexes of a collection, and spreads it by tenant where there are shards; nothing
 * happens where that is done. Throws when an index differs. A collection without indexes of its own
 * is named too, or it would stay on one shard.
 */
export async function createIndexes(
  db: Connection,
  collection: string,
  indexes: readonly mongo.IndexDescription[],
): Promise<void> {
  if (indexes.length > 0) await nativeCollection(db, collection).createIndexes([...indexes]);
  await shardByTenant(db, collection);
}
