import { createHash } from "node:crypto";
import { orWithout, type Redis } from "../process/redis.js";
import type { Scope } from "./answer.js";

// ARGV are what the lock holds and its life in ms.
const claimScript = `
if redis.call("SET", KEYS[1], ARGV[1], "NX", "PX", ARGV[2]) then return {"locked"} end
return {"held", redis.call("GET", KEYS[1])}`;

// Only the holder may release a lock, which may have expired and be another's by now.
const releaseScript = `
if redis.call("GET", KEYS[1]) == ARGV[1] then return redis.call("DEL", KEYS[1]) end
return 0`;

export type LockResult =
  | { kind: "locked" }
  | { kind: "held"; fingerprint: string }
  /** Redis is away: MongoDB alone decides. */
  | { kind: "unknown" };

/**
 * In-flight locks, which may be lost at any time. Answers are not kept here: a database that was
 * restored would find what it never did answered as done.
 */
export function createLocks(redis: Redis, lockMs: number) {
  return {
    async claim(scope: Scope, token: string, fingerprint: string): Promise<LockResult> {
      const held = `${token} ${fingerprint}`;
      const reply = await orWithout(
        () => redis.eval(claimScript, 1, lockKey(scope), held, lockMs) as Promise<[string, string?]>,
      );
      const [kind, text] = reply ?? [];
      if (kind === "locked") return { kind };
      if (kind === "held") return { kind, fingerprint: text?.split(" ")[1] ?? "" };
      return { kind: "unknown" };
    },
    async release(scope: Scope, token: string, fingerprint: string): Promise<void> {
      await orWithout(() => redis.eval(releaseScript, 1, lockKey(scope), `${token} ${fingerprint}`));
    },
  };
}

const lockKey = (scope: Scope): string => `idempotency:${hashOf(scope)}:lock`;

function hashOf({ tenantId, caller, operation, key }: Scope): string {
  return createHash("sha256")
    .update(JSON.stringify([tenantId, caller, operation, key]))
    .digest("base64url");
}
