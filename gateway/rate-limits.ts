import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes, type RateLimiterAbstract } from "rate-limiter-flexible";
import type { Redis } from "../services/kernel/process/redis.js";
import { createBoundedCache, type BoundedCache } from "../services/kernel/caching/bounded-cache.js";
import type { Metrics } from "../services/kernel/telemetry/metrics.js";
import type { RateLimits } from "./config.js";

const windowS = 60;
// Callers whose shares are remembered; the least recent leave first and ask again.
const maxHeld = 10_000;

export type LimitName = "address" | "user" | "tenant";

/** One limit's state after a request was counted. */
export interface Counted {
  name: LimitName;
  limit: number;
  remaining: number;
  /** Until the window begins anew. */
  resetS: number;
  exceeded: boolean;
}

export type RateLimiter = ReturnType<typeof createRateLimiter>;

/**
 * Counts requests in Redis, so that every gateway counts together. A gateway takes a hundredth of a
 * limit at a time and counts that down by itself: it may refuse that much early, and asks Redis
 * that much less often. While Redis is away each gateway counts for itself, with the same limits.
 */
export function createRateLimiter(redis: Redis, limits: RateLimits, metrics: Pick<Metrics, "limited">) {
  const limiters: Record<LimitName, Limit> = {
    address: make(redis, "address", limits.perAddress),
    user: make(redis, "user", limits.perUser),
    tenant: make(redis, "tenant", limits.perTenant),
  };
  return async function count(name: LimitName, key: string): Promise<Counted> {
    const limit = limiters[name];
    const now = performance.now();
    const held = limit.held.get(key);
    const share = held && held.until > now && held.left > 0 ? held : await takeShare(limit, key, now);
    const exceeded = share.left <= 0;
    if (exceeded) metrics.limited.inc({ limit: name });
    else share.left -= 1;
    return {
      name,
      limit: limit.points,
      remaining: Math.max(0, share.beyond + share.left),
      resetS: Math.max(0, Math.ceil((share.until - now) / 1_000)),
      exceeded,
    };
  };
}

/** What a gateway may let through without asking. */
interface Share {
  left: number;
  /** Requests left in the window, as Redis last answered. */
  beyond: number;
  until: number;
}

interface Limit {
  points: number;
  shareSize: number;
  limiter: RateLimiterAbstract;
  held: BoundedCache<Share>;
}

async function takeShare({ limiter, shareSize, held }: Limit, key: string, now: number): Promise<Share> {
  const { state, exceeded } = await consume(limiter, key, shareSize);
  const share = {
    left: exceeded ? 0 : shareSize,
    beyond: exceeded ? 0 : state.remainingPoints,
    until: now + state.msBeforeNext,
  };
  const other = held.get(key);
  // Requests that asked at the same moment put their shares together.
  if (other && other.until > now) share.left += other.left;
  held.set(key, share);
  return share;
}

function make(redis: Redis, name: LimitName, limit: number): Limit {
  const common = { keyPrefix: `limit:${name}`, points: limit, duration: windowS };
  const limiter = new RateLimiterRedis({
    ...common,
    storeClient: redis,
    rejectIfRedisNotReady: true,
    insuranceLimiter: new RateLimiterMemory(common),
    // Who is over the limit stays so until the window ends: Redis need not be asked again.
    inMemoryBlockOnConsumed: limit + 1,
  });
  return { points: limit, shareSize: shareOf(limit), limiter, held: createBoundedCache(maxHeld) };
}

/**
 * The largest number that divides the limit, up to a hundredth of it: shares then end exactly where
 * the limit does.
 */
function shareOf(limit: number): number {
  for (let size = Math.floor(limit / 100); size > 1; size--) if (limit % size === 0) return size;
  return 1;
}

async function consume(
  limiter: RateLimiterAbstract,
  key: string,
  points: number,
): Promise<{ state: RateLimiterRes; exceeded: boolean }> {
  try {
    return { state: await limiter.consume(key, points), exceeded: false };
  } catch (rejected) {
    if (rejected instanceof RateLimiterRes) return { state: rejected, exceeded: true };
    throw rejected;
  }
}
