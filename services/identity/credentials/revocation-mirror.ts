import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Redis } from "ioredis";
import type { Clock } from "../../kernel/time/clock.js";
import type { Logger } from "../../kernel/process/log.js";
import { isHeld } from "../../kernel/mongo/held-tenants.js";
import { redisReady } from "../../kernel/process/redis.js";
import { revocationKeysIn } from "../../kernel/grpc/revocations.js";
import type { AcrossTenantsStore } from "../store/across-tenants.js";
import type { RevocationRecord } from "../domain/sessions.js";
import type { Owned } from "../store/collections.js";

const renewEveryMs = 300;
const completeForMs = 1_000;
// What was read longer ago than this says too little about now to vouch for it.
const readingGoodForMs = 500;
/**
 * By then every `complete` that another replica renewed before it could know of a revocation has
 * lapsed.
 */
export const lapseMs = 2_000;
const batch = 500;
/** How long after it was last asked identity keeps the mirror complete. */
const restAfterMs = 60_000;

const runId = `string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')`;
// Of a user the later time counts, since more tokens are from before it; of a session the earlier.
const recordScript = `
local known = tonumber(redis.call('GET', KEYS[1]) or '')
local told = tonumber(ARGV[1])
local counts = not known or (ARGV[3] == 'user' and told > known) or (ARGV[3] == 'session' and told < known)
if counts then redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) end
return 1`;
const renewScript = `
if not string.find(redis.call('INFO', 'memory'), 'maxmemory_policy:noeviction') then return 'EVICTS' end
if redis.call('GET', KEYS[1]) ~= ${runId} then return 'NOT_LOADED' end
redis.call('SET', KEYS[2], '1', 'PX', ARGV[1])
return 'RENEWED'`;
const beginLoadScript = `
redis.call('SET', KEYS[1], '1', 'PX', 60000)
return ${runId}`;
const endLoadScript = `
if redis.call('DEL', KEYS[1]) == 0 or ${runId} ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[2], ARGV[1])
return 1`;

export interface RevocationMirror {
  start(): void;
  stop(): Promise<void>;
  /** Somebody wants to know of revocations: the mirror is kept complete for a while. */
  wake(): void;
  /**
   * Tells Redis of a committed revocation; returns once no service anywhere takes the token for
   * valid.
   */
  publish(...revocations: Pick<RevocationRecord, "kind" | "subjectId" | "issuedBefore" | "expiresAt">[]): Promise<void>;
}

/**
 * Keeps Redis's mirror of the revocations (docs/decisions/0003). `revocations:complete` is renewed
 * only right after everything that MongoDB has and Redis lacks was told, and only in a Redis that
 * was wholly loaded and has not been emptied, restarted or replaced since. Any number of replicas
 * may do this side by side. While nobody asks it rests: the first who asks then finds the mirror
 * incomplete, asks identity, and so wakes it.
 */
export function createRevocationMirror(deps: {
  store: Pick<AcrossTenantsStore, "streamLiveRevocations" | "streamUnmirrored" | "markMirrored">;
  redis: Redis;
  clock: Clock;
  log: Logger;
  restAfterMs?: number;
}): RevocationMirror {
  const { store, redis, clock, log } = deps;
  const restMs = deps.restAfterMs ?? restAfterMs;
  const keys = revocationKeysIn(redis);
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  let state = "";
  let requestedAt = -Infinity;
  let woken = Promise.withResolvers<void>();

  async function record(revocations: Parameters<RevocationMirror["publish"]>): Promise<void> {
    const nowMs = clock.now().getTime();
    const pipeline = redis.pipeline();
    for (const { kind, subjectId, issuedBefore, expiresAt } of revocations) {
      const leftMs = Math.max(1, expiresAt.getTime() - nowMs);
      pipeline.eval(recordScript, 1, keys[kind](subjectId), issuedBefore.getTime(), leftMs, kind);
    }
    for (const [error] of (await pipeline.exec()) ?? []) if (error) throw error;
  }

  /** Loads every living revocation. False when Redis was emptied or replaced under it. */
  async function load(): Promise<boolean> {
    const loading = keys.loading(randomUUID());
    const run = (await redis.eval(beginLoadScript, 1, loading)) as string;
    let gathered: RevocationRecord[] = [];
    for await (const revocation of store.streamLiveRevocations(clock.now())) {
      gathered.push(revocation);
      if (gathered.length < batch) continue;
      await record(gathered);
      gathered = [];
    }
    await record(gathered);
    return (await redis.eval(endLoadScript, 2, loading, keys.loaded, run)) === 1;
  }

  async function recordUnmirrored(): Promise<void> {
    let gathered: Owned<RevocationRecord>[] = [];
    for await (const revocation of store.streamUnmirrored()) {
      gathered.push(revocation);
      if (gathered.length < batch) continue;
      await tell(gathered);
      gathered = [];
    }
    if (gathered.length > 0) await tell(gathered);
  }

  /** While all tenants are held nothing can be noted; it is told again at each turn. */
  async function tell(unmirrored: Owned<RevocationRecord>[]): Promise<void> {
    await record(unmirrored);
    await store.markMirrored(unmirrored).catch((error: unknown) => {
      if (!isHeld(error)) throw error;
    });
  }

  async function renew(): Promise<string> {
    const readAt = performance.now();
    await recordUnmirrored();
    if (performance.now() - readAt > readingGoodForMs) return "SLOW";
    const answer = (await redis.eval(renewScript, 2, keys.loaded, keys.complete, completeForMs)) as string;
    // What was loaded is vouched for by the next turn, which reads anew.
    if (answer === "NOT_LOADED" && !stopping.signal.aborted && (await load())) return renew();
    return answer;
  }

  function note(next: string, error?: unknown): void {
    if (next === state) return;
    state = next;
    if (next === "RENEWED") log.info("the mirror of revocations in Redis is complete");
    else
      log.warn(
        { err: error, state: next },
        "the mirror of revocations in Redis is not complete; services ask identity",
      );
  }

  async function renewUntilStopped(): Promise<void> {
    await redisReady(redis, 1_000).catch(() => undefined);
    while (!stopping.signal.aborted) {
      await renew().then(note, (error: unknown) => note("FAILED", error));
      await sleep(renewEveryMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (performance.now() - requestedAt >= restMs && !stopping.signal.aborted) await woken.promise;
    }
  }

  function wake(): void {
    requestedAt = performance.now();
    woken.resolve();
    woken = Promise.withResolvers();
  }

  return {
    start() {
      wake();
      running ??= renewUntilStopped();
    },
    wake,
    async stop() {
      stopping.abort();
      woken.resolve();
      await running;
    },
    async publish(...revocations) {
      if (revocations.length === 0) return;
      // Where Redis cannot be told now, the next turns tell it.
      wake();
      try {
        await record(revocations);
      } catch (error) {
        log.warn({ err: error }, "Redis could not be told of a revocation");
        await sleep(lapseMs);
      }
    },
  };
}
