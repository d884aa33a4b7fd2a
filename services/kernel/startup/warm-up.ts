import { setTimeout as sleep } from "node:timers/promises";
import { outgoing, type CallOptions } from "../grpc/client.js";
import { warmUpTenantId } from "../process/warm-up-tenant.js";
import type { Logger } from "../process/log.js";
import { redisReady, type Redis } from "../process/redis.js";
import { isAwayOrLate, Refusal } from "../refusal.js";
import type { UserTokenVerifier } from "../tokens/user-tokens.js";

/** Something that the first callers would otherwise wait for. */
export interface WarmUp {
  readonly name: string;
  /** How often, so that hot code is compiled; once when absent. */
  readonly times?: number;
  /**
   * Leaves no trace. A Refusal is an answer; who is away or late is asked again until the time is
   * over.
   */
  run(): Promise<unknown>;
}

/** As WARM_UP_S says it; tests start with none, and a test of warm-ups asks for them. */
export function warmUpSeconds(config: { NODE_ENV: string; WARM_UP_S?: number | undefined }): number {
  return config.WARM_UP_S ?? (config.NODE_ENV === "test" ? 0 : 20);
}

/**
 * Runs the warm-ups side by side and resolves after `withinS` at the latest: one that fails or is
 * late is logged, and the process takes calls without it. A cold start of all processes at once
 * would otherwise never end where one is missing.
 */
export async function warmUp(warmUps: readonly WarmUp[], withinS: number, log: Logger): Promise<void> {
  if (withinS === 0) return;
  const startedAt = performance.now();
  const ending = new AbortController();
  const missed = new Set(warmUps.map(({ name }) => name));
  const all = warmUps.map(async ({ name, times = 1, run }) => {
    try {
      await repeat(run, times, ending.signal);
      if (!ending.signal.aborted) missed.delete(name);
    } catch (error) {
      if (!ending.signal.aborted) log.warn({ warmUp: name, err: error }, "a warm-up failed");
    }
  });
  const late = sleep(withinS * 1_000, undefined, { signal: ending.signal }).catch(() => undefined);
  await Promise.race([Promise.all(all), late]);
  ending.abort();
  const tookMs = Math.round(performance.now() - startedAt);
  if (missed.size === 0) log.info({ tookMs }, "warmed up");
  else log.warn({ tookMs, missed: [...missed] }, "warmed up in part: the first callers of what was missed wait longer");
}

const askAgainAfterMs = 200;

async function repeat(run: () => Promise<unknown>, times: number, signal: AbortSignal): Promise<void> {
  for (let left = times; left > 0 && !signal.aborted;) {
    const isAnswered = await run().then(
      () => true,
      (error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
        return !isAwayOrLate(error);
      },
    );
    if (isAnswered) left -= 1;
    else await sleep(askAgainAfterMs);
  }
}

// Enough for what is hot to be compiled, in a few tenths of a second.
const timesOfCalls = 5;

/** Calls of the reserved tenant: own rpcs, and one of each neighbour that callers wait for. */
export function warmUpCalls(
  calls: Readonly<Record<string, (call: CallOptions) => Promise<unknown>>>,
  times = timesOfCalls,
): WarmUp[] {
  return Object.entries(calls).map(([name, send]) => ({
    name,
    times,
    run: () => send(outgoing({ tenantId: warmUpTenantId, interactionId: "" }, { timeoutMs: 5_000 })),
  }));
}

/** Redis is awaited for a moment; a process does without it. */
export function warmUpRedis(redis: Redis): WarmUp {
  return { name: "Redis", run: () => redisReady(redis, 1_000) };
}

// Of nobody: its key is asked for, and is none.
const tokenOfNobody = [{ alg: "EdDSA", kid: warmUpTenantId, typ: "JWT" }, {}]
  .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
  .concat(Buffer.alloc(64).toString("base64url"))
  .join(".");

/** Fetches the keys that access tokens are verified with. */
export function warmUpKeys(verify: UserTokenVerifier | undefined): WarmUp {
  return { name: "keys of access tokens", run: async () => verify?.(tokenOfNobody) };
}
