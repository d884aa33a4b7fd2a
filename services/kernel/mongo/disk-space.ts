import type { Connection } from "mongoose";
import { Gauge, type Registry } from "prom-client";
import type { Logger } from "../process/log.js";
import { Refusal } from "../refusal.js";
import { processMetrics } from "../telemetry/metrics.js";

export interface DiskWatchOptions {
  /** From this share of the disk on nothing is written, 0 to 1. */
  fullAt: number;
  log: Logger;
  /** How much of the disk is used, 0 to 1, in place of MongoDB's word; undefined where unknown. */
  read?: (() => Promise<number | undefined>) | undefined;
  /** How often it is looked, in ms. */
  everyMs?: number | undefined;
}

/** What is said of the disk under the process's database. */
export function createDiskMetrics(registry: Registry) {
  const registers = [registry];
  return {
    used: new Gauge({
      name: "manilla_database_disk_used_ratio",
      help: "How much of the disk under the database is used, of the fullest shard, 0 to 1",
      registers,
    }),
    stopped: new Gauge({
      name: "manilla_database_writes_stopped",
      help: "1 while nothing is written because the disk under the database is nearly full",
      registers,
    }),
  };
}

const metrics = createDiskMetrics(processMetrics.registry);
const full = new WeakSet<Connection>();

/** Whether the disk under the database was found too full to write to. */
export const isDiskFull = (db: Connection): boolean => full.has(db);

/** Refuses STORAGE_FULL while the disk under the database is too full. */
export function assertDiskHasRoom(db: Connection): void {
  if (!isDiskFull(db)) return;
  const message = "the disk of the database is nearly full: nothing is written until there is room";
  throw new Refusal("STORAGE_FULL", message, { retryAfterS: 30 });
}

/**
 * Looks every few seconds how full the disk under a database is: a MongoDB whose disk is full stops
 * in the middle of what it does. Has looked once; while it cannot look, the last answer stands.
 */
export async function watchDisk(db: Connection, options: DiskWatchOptions): Promise<{ stop(): void }> {
  const { fullAt, log, read = () => usedShare(db), everyMs = 5_000 } = options;

  async function look(): Promise<void> {
    const used = await read();
    if (used === undefined) return;
    const isFull = used >= fullAt;
    if (isFull !== isDiskFull(db)) {
      log[isFull ? "error" : "info"]({ used, fullAt }, isFull ? "the disk is nearly full: no writes" : "writes go on");
    }
    if (isFull) full.add(db);
    else full.delete(db);
    metrics.used.set(used);
    metrics.stopped.set(isFull ? 1 : 0);
  }

  let looking: Promise<void> | undefined;
  const lookOnce = (): Promise<void> =>
    (looking ??= look()
      .catch((error: unknown) => log.debug({ err: error }, "cannot see how full the disk is"))
      .finally(() => (looking = undefined)));
  await lookOnce();
  const timer = setInterval(() => void lookOnce(), everyMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

/** Of the primary, or of the fullest shard; undefined of a database in which nothing is stored. */
async function usedShare(db: Connection): Promise<number | undefined> {
  const stats = await db.getClient().db(db.name).command({ dbStats: 1 });
  const shards = stats["raw"] === undefined ? [stats] : Object.values<typeof stats>(stats["raw"]);
  const shares = shards
    .map((shard) => Number(shard["fsUsedSize"]) / Number(shard["fsTotalSize"]))
    .filter((share) => Number.isFinite(share));
  return shares.length === 0 ? undefined : Math.max(...shares);
}
