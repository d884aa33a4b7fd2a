import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes, type RateLimiterAbstract } from "rate-limiter-flexible";
import type { Redis } from "../services/shared/redis.js";
import type { Metrics } from "../services/shared/telemetry/metrics.js";
import type { RateLimits } from "./config.js";

const windowS = 60;

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
 * Counts requests in Redis, so that every gateway counts together. While Redis is away each gateway counts for itself,
 * with the same limits: never less than the limit is let through, and at most that much per gateway.
 */
export function createRateLimiter(redis: Redis, limits: RateLimits, metrics: Pick<Metrics, "limited">) {
  const limiters: Record<LimitName, { limit: number; limiter: RateLimiterAbstract }> = {
    address: make(redis, "address", limits.perAddress),
    user: make(redis, "user", limits.perUser),
    tenant: make(redis, "tenant", limits.perTenant),
  };
  return async function count(name: LimitName, key: string): Promise<Counted> {
    const { limit, limiter } = limiters[name];
    const { state, exceeded } = await consume(limiter, key);
    if (exceeded) metrics.limited.inc({ limit: name });
    return {
      name,
      limit,
      remaining: Math.max(0, state.remainingPoints),
      resetS: Math.max(0, Math.ceil(state.msBeforeNext / 1_000)),
      exceeded,
    };
  };
}

function make(redis: Redis, name: LimitName, limit: number) {
  const common = { keyPrefix: `limit:${name}`, points: limit, duration: windowS };
  const limiter = new RateLimiterRedis({
    ...common,
    storeClient: redis,
    rejectIfRedisNotReady: true,
    insuranceLimiter: new RateLimiterMemory(common),
    // Who is over the limit stays so until the window ends: Redis need not be asked again.
    inMemoryBlockOnConsumed: limit + 1,
  });
  return { limit, limiter };
}

async function consume(
  limiter: RateLimiterAbstract,
  key: string,
): Promise<{ state: RateLimiterRes; exceeded: boolean }> {
  try {
    return { state: await limiter.consume(key), exceeded: false };
  } catch (rejected) {
    if (rejected instanceof RateLimiterRes) return { state: rejected, exceeded: true };
    throw rejected;
  }
}
