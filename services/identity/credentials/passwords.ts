import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { hash, parseOptions, verify } from "@node-rs/argon2";
import { createHashQueue } from "./hash-queue.js";
import { isBeyondPassword, normalizePassword } from "../domain/password-policy.js";

/** Cost of one hash. */
export interface Argon2Cost {
  memoryKib: number;
  passes: number;
}

/** The algorithm itself, so that a test can count its work. */
export interface Argon2 {
  hash: typeof hash;
  verify: typeof verify;
}

export interface PasswordHasher {
  /**
   * argon2id in PHC form. Refuses OVERLOADED, with the time to wait, where the wait would be or has
   * been too long.
   */
  hash(password: string, signal?: AbortSignal): Promise<string>;
  /**
   * Whether the password is the one that was hashed, and whether its parameters are those of today.
   * Without a hash (nobody of that name) the same work is done and the answer is no.
   */
  verify(
    stored: string | undefined,
    password: string,
    signal?: AbortSignal,
  ): Promise<{ ok: boolean; outdated: boolean }>;
}

const argon2id = 2;

/**
 * Hashes at the same time where ARGON2_AT_ONCE says nothing: all processors but one, so that cheap
 * reads beside them stay fast, and up to 3 of libuv's 4 threads.
 */
export function defaultHashesAtOnce(processors = availableParallelism()): number {
  return Math.min(3, Math.max(1, processors - 1));
}

/** Hashes off the event loop, at most `concurrency` at a time. */
export async function createPasswordHasher(
  cost: Argon2Cost,
  { argon2 = { hash, verify }, concurrency = defaultHashesAtOnce(), nowMs = () => performance.now() } = {},
): Promise<PasswordHasher> {
  const options = { algorithm: argon2id, memoryCost: cost.memoryKib, timeCost: cost.passes, parallelism: 1 };
  const inQueue = createHashQueue(concurrency, nowMs);
  const hashOfNobody = await argon2.hash(randomBytes(24).toString("base64"), options);

  function isOutdated(stored: string): boolean {
    const used = parseOptions(stored);
    return (
      used.algorithm !== argon2id ||
      used.memoryCost !== cost.memoryKib ||
      used.timeCost !== cost.passes ||
      used.parallelism !== options.parallelism
    );
  }

  return {
    hash: (password, signal) => inQueue(signal, () => argon2.hash(normalizePassword(password), options)),
    async verify(stored, password, signal) {
      const tooLong = isBeyondPassword(password);
      const given = tooLong ? "" : normalizePassword(password);
      const matches = await inQueue(signal, () => argon2.verify(stored ?? hashOfNobody, given));
      const ok = matches && stored !== undefined && !tooLong;
      return { ok, outdated: ok && isOutdated(stored) };
    },
  };
}
