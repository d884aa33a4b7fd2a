import type { Redis } from "ioredis";
import type { Logger } from "../process/log.js";
import { orWithout } from "../process/redis.js";
import { slowPollMs } from "./pace.js";

export interface WakeUps {
  /** Something happens here: tells the other replicas, every few seconds at most. */
  tell(): void;
  /**
   * Called when a replica has told so, this one included, and when one may have done so unheard.
   */
  listen(listener: () => void): () => void;
}

/**
 * Wakes replicas of one service by Redis: those that rest look quickly from then on. A wake-up may
 * be lost, and all of them where Redis is away: whoever listens looks by itself now and then.
 */
export function createWakeUps(redis: Redis, { service, log }: { service: string; log: Logger }) {
  const channel = `wake:${service}`;
  const listeners = new Set<() => void>();
  let subscriber: Redis | undefined;
  let publishedAt = -Infinity;
  const hear = (): void => listeners.forEach((listener) => listener());

  /** A connection that listens can ask nothing, so it is one of its own. */
  function subscribe(): Redis {
    const own = redis.duplicate({ autoResubscribe: false } as object);
    let isRefused = false;
    // The connection that asks says that Redis is away.
    own.on("error", () => undefined);
    own.on("message", hear);
    own.on("ready", () => {
      own.subscribe(channel).then(hear, (err: unknown) => {
        if (!isRefused && own.status === "ready") log.warn({ err, channel }, "other replicas cannot be listened to");
        isRefused = true;
      });
    });
    return own;
  }

  return {
    tell(): void {
      const now = performance.now();
      if (now - publishedAt < slowPollMs) return;
      publishedAt = now;
      void orWithout(() => redis.publish(channel, ""));
    },
    listen(listener: () => void): () => void {
      listeners.add(listener);
      subscriber ??= subscribe();
      return () => void listeners.delete(listener);
    },
    close(): void {
      listeners.clear();
      subscriber?.disconnect();
    },
  };
}
