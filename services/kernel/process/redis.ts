import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { Cluster, Redis } from "ioredis";
import type { Logger } from "./log.js";
import { redisPlaceOf, type RedisPlace } from "./redis-url.js";

export type { Redis } from "ioredis";

export interface RedisOptions {
  /** As `redisPlaceOf` reads it. */
  url: string;
  log: Logger;
  /** Longest wait for one command, in ms. */
  commandTimeoutMs?: number;
}

/**
 * A Redis client for what may be lost. Commands fail within 200 ms (at once while Redis is away)
 * and the caller goes on without; the connection comes back by itself. It never throws outside a
 * command. Throws where the URL is none, or its CA cannot be read.
 */
export function createRedis({ url, log, commandTimeoutMs = 200 }: RedisOptions): Redis {
  const place = redisPlaceOf(url);
  if (place === undefined) throw new Error("the URL of Redis cannot be read");
  const redis = connect(place, commandTimeoutMs);
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

/**
 * Commands of one turn of the event loop go out in one write; each keeps its own answer and its own
 * time limit. To a cluster's nodes each goes by itself.
 */
class TurnwiseRedis extends Redis {
  override sendCommand(...[command, stream]: Parameters<Redis["sendCommand"]>): unknown {
    const socket = this.stream as Socket | undefined;
    if (stream === undefined && socket !== undefined && socket.writableCorked === 0) {
      socket.cork();
      setImmediate(() => socket.uncork());
    }
    return super.sendCommand(command, stream);
  }
}

function connect(place: RedisPlace, commandTimeoutMs: number): Redis {
  const options = {
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout: commandTimeoutMs,
    connectTimeout: 1_000,
    // The timer outlives a closed connection and would hold the process.
    disconnectTimeout: 100,
    // A demoted replica refuses writes, so the client looks for the new primary.
    reconnectOnError: (error: Error) => error.message.startsWith("READONLY"),
  };
  switch (place.kind) {
    case "single":
      return new TurnwiseRedis(place.url, {
        ...options,
        retryStrategy: pauseMs,
        ...(place.tls?.caFile === undefined ? {} : { tls: caOf(place.tls) }),
      });
    case "sentinel": {
      const { sentinels, master, kind: _kind, tls, ...access } = place;
      const watched = { sentinels, name: master, sentinelRetryStrategy: pauseMs, retryStrategy: pauseMs };
      return new TurnwiseRedis({
        ...options,
        ...access,
        ...watched,
        ...(tls === undefined ? {} : { tls: caOf(tls), sentinelTLS: caOf(tls), enableTLSForSentinelMode: true }),
      });
    }
    case "cluster": {
      const { nodes, kind: _kind, tls, ...access } = place;
      const cluster = new Cluster(nodes, {
        enableOfflineQueue: false,
        redisOptions: { ...options, ...access, ...(tls === undefined ? {} : { tls: caOf(tls) }) },
        clusterRetryStrategy: pauseMs,
        // A moved slot or new primary is asked for once or twice; a caller who would wait longer
        // goes on without.
        maxRedirections: 3,
        retryDelayOnFailover: 50,
        retryDelayOnClusterDown: 50,
        slotsRefreshTimeout: 1_000,
      });
      // A cluster has every command of a single client, under types of its own.
      return cluster as unknown as Redis;
    }
  }
}

/** Read once: a new CA needs a restart. */
function caOf({ caFile }: { caFile?: string }): { ca?: Buffer } {
  return caFile === undefined ? {} : { ca: readFileSync(caFile) };
}

function pauseMs(times: number): number {
  return Math.min(2_000, 50 * 2 ** Math.min(times, 6)) * (0.5 + Math.random() / 2);
}

/** Whether keys of one command must share a tag in braces, which keeps them on one node. */
export function isCluster(redis: object): boolean {
  return redis instanceof Cluster;
}

/**
 * Resolves when Redis answers; rejects after `timeoutMs`. For tests and tools: services start
 * without it.
 */
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
