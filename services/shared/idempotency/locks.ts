import { createHash } from "node:crypto";
import { orWithout, type Redis } from "../redis.js";
import { rowFromText, rowToText, type AnswerRow, type CachedAnswer, type Scope } from "./answer.js";

const cacheMs = 10 * 60_000;
const largestCached = 64 * 1024;

// KEYS are the answer and the lock, ARGV what the lock holds and its life in ms.
const claimScript = `
local answer = redis.call("GET", KEYS[1])
if answer then return {"answer", answer} end
if redis.call("SET", KEYS[2], ARGV[1], "NX", "PX", ARGV[2]) then return {"locked"} end
return {"held", redis.call("GET", KEYS[2])}`;

// Only the holder may release a lock, which may have expired and be another's by now.
const releaseScript = `
if redis.call("GET", KEYS[1]) == ARGV[1] then return redis.call("DEL", KEYS[1]) end
return 0`;

export type LockResult =
  | ({ kind: "answer" } & CachedAnswer)
  | { kind: "locked" }
  | { kind: "held"; fingerprint: string }
  /** Redis is away: MongoDB alone decides. */
  | { kind: "unknown" };

/** In-flight locks and replay cache. All of it may be lost at any time. */
export function createLocks(redis: Redis, lockMs: number) {
  return {
    async claim(scope: Scope, token: string, fingerprint: string): Promise<LockResult> {
      const held = `${token} ${fingerprint}`;
      const reply = await orWithout(
        () => redis.eval(claimScript, 2, answerKey(scope), lockKey(scope), held, lockMs) as Promise<[string, string?]>,
      );
      const [kind, text] = reply ?? [];
      if (kind === "locked") return { kind };
      if (kind === "held") return { kind, fingerprint: text?.split(" ")[1] ?? "" };
      if (kind === "answer" && text !== undefined) return { kind, ...rowFromText(text) };
      return { kind: "unknown" };
    },
    async release(scope: Scope, token: string, fingerprint: string): Promise<void> {
      await orWithout(() => redis.eval(releaseScript, 1, lockKey(scope), `${token} ${fingerprint}`));
    },
    async drop(scope: Scope): Promise<void> {
      await orWithout(() => redis.del(answerKey(scope)));
    },
    /** Only for answers whose commit is known. */
    async cache(scope: Scope, fingerprint: string, row: AnswerRow, form?: string): Promise<void> {
      const text = rowToText(fingerprint, row, form);
      if (text.length > largestCached) return;
      await orWithout(() => redis.set(answerKey(scope), text, "PX", cacheMs));
    },
  };
}

// The braces keep both keys on one node of a Redis Cluster.
const answerKey = (scope: Scope): string => `idempotency:{${hashOf(scope)}}:answer`;
const lockKey = (scope: Scope): string => `idempotency:{${hashOf(scope)}}:lock`;

function hashOf({ tenantId, caller, operation, key }: Scope): string {
  return createHash("sha256")
    .update(JSON.stringify([tenantId, caller, operation, key]))
    .digest("base64url");
}
