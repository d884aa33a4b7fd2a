import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { hash, parseOptions, verify } from "@node-rs/argon2";
import { Refusal } from "../shared/refusal.js";
import { isBeyondPassword, normalizePassword } from "./domain/password-policy.js";

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
  /** argon2id in PHC form. Refuses OVERLOADED when too many wait. */
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

// Each replica hashes a few at a time, so that sign-ins never take the whole machine from the cheap reads beside them.
const maxWaiting = 200;
const argon2id = 2;

/** Hashes off the event loop, at most `concurrency` at a time (default: all processors but one, up to 3 of libuv's 4 threads). */
export async function createPasswordHasher(
  cost: Argon2Cost,
  { argon2 = { hash, verify }, concurrency = Math.min(3, Math.max(1, availableParallelism() - 1)) } = {},
): Promise<PasswordHasher> {
  const options = { algorithm: argon2id, memoryCost: cost.memoryKib, timeCost: cost.passes, parallelism: 1 };
  const inTurn = createTurns(concurrency);
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
    hash: (password, signal) => inTurn(signal, () => argon2.hash(normalizePassword(password), options)),
    async verify(stored, password, signal) {
      const tooLong = isBeyondPassword(password);
      const given = tooLong ? "" : normalizePassword(password);
      const matches = await inTurn(signal, () => argon2.verify(stored ?? hashOfNobody, given));
      const ok = matches && stored !== undefined && !tooLong;
      return { ok, outdated: ok && isOutdated(stored) };
    },
  };
}

function createTurns(concurrency: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async function inTurn<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    if (running >= concurrency) {
      if (waiting.length >= maxWaiting) {
        throw new Refusal("OVERLOADED", "too many sign-ins at once", { retryAfterS: 1 });
      }
      // The one who leaves hands over their place, so `running` stays as it is.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      if (signal?.aborted) throw new Refusal("DEADLINE_EXCEEDED", "the caller has gone");
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
