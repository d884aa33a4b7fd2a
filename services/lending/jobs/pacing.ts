import { randomUUID } from "node:crypto";
import { setTimeout as sleepFor } from "node:timers/promises";
import { orWithout, type Redis } from "../../kernel/process/redis.js";

export interface PacingDeps {
  redis: Redis;
  /** How many batches all replicas together work on at a time. */
  atOnce: number;
  /**
   * How long nobody works after a batch, in times of what the batch took: others get through
   * meanwhile.
   */
  rest?: number;
  /** The longest rest, in ms: what waited for something else gave others time enough. */
  maxRestMs?: number;
  /** How often is looked for a place while somebody works, in ms. */
  pollEveryMs?: number;
  /**
   * The longest wait for a place: work goes on without one, since a share's lease runs meanwhile.
   */
  waitMs?: number;
  /** How long a place is kept for a process that does not come back. */
  keepMs?: number;
  sleep?: (ms: number) => Promise<unknown>;
  /** A time in ms that only rises. */
  elapsed?: () => number;
}

export interface Pacing {
  /**
   * Works when there is room among all replicas, then rests. Resolves and rejects as the work does.
   */
  pace<T>(work: () => Promise<T>): Promise<T>;
}

// Which place is this one's now, counted from one; 0 and the ms until the next is free where all
// are taken.
const takeScript = `
local soonest = tonumber(ARGV[2])
for at, place in ipairs(KEYS) do
  if redis.call("SET", place, ARGV[1], "NX", "PX", ARGV[2]) then return {at, 0} end
  soonest = math.min(soonest, redis.call("PTTL", place))
end
return {0, soonest}`;

// Only the holder may give a place up: it may have run out and be another's by now.
const restScript = `
if redis.call("GET", KEYS[1]) == ARGV[1] then return redis.call("PEXPIRE", KEYS[1], ARGV[2]) end
return 0`;

// Whoever has just worked looks a little later than those who wait.
const afterOthersMs = 2;

/**
 * Keeps batches of the daily work from crowding out whoever reads and pays: replicas take turns,
 * and a turn ends with a rest. It is courtesy alone, nothing depends on it: where Redis is away,
 * every replica goes on at its own pace.
 */
export function createPacing(deps: PacingDeps): Pacing {
  const { redis, atOnce, rest = 0.4, maxRestMs = 250, pollEveryMs = 8, waitMs = 2_000, keepMs = 1_000 } = deps;
  const { sleep = sleepFor, elapsed = () => performance.now() } = deps;
  // The braces keep all keys on one node of a Redis Cluster.
  const places = Array.from({ length: atOnce }, (_each, at) => `lending:{accrual}:place:${at}`);

  /** The place that is taken; undefined where one waited too long, or Redis is away. */
  async function waitForPlace(token: string): Promise<string | undefined> {
    for (const began = elapsed(); elapsed() - began < waitMs;) {
      const answer = await orWithout(
        () => redis.eval(takeScript, atOnce, ...places, token, keepMs) as Promise<[number, number]>,
      );
      if (answer === undefined) return undefined;
      const [place, freeInMs] = answer;
      if (place > 0) return places[place - 1];
      await sleep(Math.min(pollEveryMs, Math.max(1, freeInMs)));
    }
    return undefined;
  }

  return {
    async pace<T>(work: () => Promise<T>): Promise<T> {
      const token = randomUUID();
      const place = await waitForPlace(token);
      const began = elapsed();
      try {
        return await work();
      } finally {
        const restMs = Math.min(maxRestMs, Math.ceil((elapsed() - began) * rest));
        // It is kept while this one rests, and free by itself after that.
        if (place !== undefined) await orWithout(() => redis.eval(restScript, 1, place, token, restMs));
        await sleep(restMs + afterOthersMs);
      }
    },
  };
}
