import { setTimeout as sleep } from "node:timers/promises";
import type { Connection } from "mongoose";
import type { Redis } from "ioredis";
import { v7 as uuidv7 } from "uuid";
import type { Logger } from "../../kernel/process/log.js";
import { isDuplicateKey } from "../../kernel/mongo/transaction.js";
import { redisReady } from "../../kernel/process/redis.js";
import { createLifeStore, type LifeRecord } from "../store/lives.js";

const beatEveryMs = 10_000;
// Longer than anybody keeps a backup that is still put back.
const retentionS = 400 * 24 * 3_600;
const keyOf = (life: string): string => `identity:life:${life}`;

// The highest of all replicas stands.
const noteScript = `
local known = tonumber(redis.call('GET', KEYS[1]) or '-1')
if tonumber(ARGV[1]) > known then redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2]) end
return 1`;

/**
 * Tells a database that was restored from an older copy: what had ended since would live again
 * there. MongoDB counts beats of one life, and Redis notes each after it; so a Redis that
 * knows of more than MongoDB has outlived it. Rejects then with what to do:
 * `tenant end-sessions` for all tenants ends sessions and begins another life. A Redis that is
 * away, or was emptied, says nothing.
 */
export async function keepDatabaseLife(options: {
  db: Connection;
  redis: Redis;
  log: Logger;
  beatEveryMs?: number;
}): Promise<{ stop(): Promise<void> }> {
  const { db, redis, log } = options;
  const store = createLifeStore(db);
  const stopping = new AbortController();

  async function current(): Promise<LifeRecord> {
    try {
      return await store.findOrBegin(uuidv7());
    } catch (error) {
      // Another replica has begun it.
      if (isDuplicateKey(error)) return store.findOrBegin(uuidv7());
      throw error;
    }
  }

  async function check(): Promise<void> {
    const { life } = await current();
    // Redis first: MongoDB is never behind it.
    const noted = await redis.get(keyOf(life));
    const { life: now, beat } = await current();
    if (noted === null || now !== life || BigInt(noted) <= beat) return;
    throw new Error(
      "the database was restored from an older copy: what people were signed in by and had ended would live again. " +
        "End it first: npm run ops -- tenant end-sessions --tenant '*' (docs/operations/backup.md)",
    );
  }

  async function beat(): Promise<void> {
    const { life, beat: count } = await store.beat();
    await redis.eval(noteScript, 1, keyOf(life), count.toString(), retentionS);
  }

  async function beatUntilStopped(): Promise<void> {
    while (!stopping.signal.aborted) {
      await beat().catch((error: unknown) => log.warn({ err: error }, "the database's life could not be noted"));
      await sleep(options.beatEveryMs ?? beatEveryMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  const isThere = await redisReady(redis, 1_000).then(
    () => true,
    () => false,
  );
  if (isThere) await check();
  else log.warn({}, "Redis is away: it cannot be told whether the database was restored");
  const running = beatUntilStopped();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
