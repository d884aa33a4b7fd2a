import { setTimeout as sleep } from "node:timers/promises";
import type { RpcDefinition } from "./definition.js";

export const maxAttempts = 3;
const firstPauseMs = 50;

/** 3 where the .proto says that the rpc may be repeated (idempotency_level), 1 elsewhere. */
export function attemptsOf(method: Pick<RpcDefinition, "options">): number {
  return method.options.idempotencyLevel === undefined ? 1 : maxAttempts;
}

/**
 * Waits before the given attempt, doubling and with full jitter; false where no time is left for
 * it.
 */
export async function pauseBefore(attempt: number, deadlineMs: number, signal?: AbortSignal): Promise<boolean> {
  const maxMs = firstPauseMs * 2 ** (attempt - 1);
  const pauseMs = maxMs / 2 + (Math.random() * maxMs) / 2;
  if (Date.now() + pauseMs >= deadlineMs) return false;
  try {
    await sleep(pauseMs, undefined, signal === undefined ? {} : { signal });
  } catch {
    return false;
  }
  return true;
}
