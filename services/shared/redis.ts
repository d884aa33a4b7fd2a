import { Redis } from "ioredis";
import type { Logger } from "./log.js";

export type { Redis } from "ioredis";

export interface RedisOptions {
  url: string;
  log: Logger;
  /** Longest wait for one command, in ms. */
  commandTimeoutMs?: number;
}

/**
 * A Redis client for what may be lost. Commands fail within 200 ms (at once while Redis is away) and the caller goes on without;
 * the connection comes back by itself. It never throws outside a command.
 */
export function createRedis({ url, log, commandTimeoutMs = 200 }: RedisOptions): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout: commandTimeoutMs,
    connectTimeout: 1_000,
    // Its timer outlives a connection that is gone already, and would hold the process.
    disconnectTimeout: 100,
    retryStrategy: (times) => Math.min(2_000, 50 * 2 ** Math.min(times, 6)) * (0.5 + Math.random() / 2),
    // A replica that was demoted refuses writes: find the new primary.
    reconnectOnError: (error) => error.message.startsWith("READONLY"),
  });
  let away = false;
  redis.on("error", (error) => {
    if (!away) log.warn({ err: error }, "Redis is away");
    away = true;
  });
  redis.on("ready", () => {
    if (away) log.info("Redis is back");
    away = false;
  });
  return redis;
}

/** Resolves when Redis answers; rejects after `timeoutMs`. For tests and tools: services start without it. */
export function redisReady(redis: Redis, timeoutMs = 5_000): Promise<void> {
  if (redis.status === "ready") return Promise.resolve();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`Redis did not answer within ${timeoutMs} ms`)), timeoutMs);
    redis.once("ready", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** The command's answer, or undefined where Redis is away or too slow. */
export async function orWithout<T>(command: () => Promise<T>): Promise<T | undefined> {
  try {
    return await command();
  } catch {
    return undefined;
  }
}
