import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { hash, parseOptions, verify } from "@node-rs/argon2";
import { Refusal } from "../../shared/refusal.js";
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
  /** argon2id in PHC form. Refuses OVERLOADED, with the time to wait, where the wait would be or has been too long. */
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
// Of the 10 s that a request has at the edge: what is left is for the hash, the session and a database that is slow.
const maxWaitMs = 3_000;
const argon2id = 2;

/** Hashes off the event loop, at most `concurrency` at a time (default: all processors but one, up to 3 of libuv's 4 threads). */
export async function createPasswordHasher(
  cost: Argon2Cost,
  {
    argon2 = { hash, verify },
    concurrency = Math.min(3, Math.max(1, availableParallelism() - 1)),
    nowMs = () => performance.now(),
  } = {},
): Promise<PasswordHasher> {
  const options = { algorithm: argon2id, memoryCost: cost.memoryKib, timeCost: cost.passes, parallelism: 1 };
  const inTurn = createKeyedMutex(concurrency, nowMs);
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

/**
 * At most `concurrency` at a time, the others in their turn. Who would wait too long by what hashes have taken lately is refused at once,
 * and who has waited that long after all is refused then: both well before a caller's deadline.
 */
function createKeyedMutex(concurrency: number, nowMs: () => number) {
  let running = 0;
  let lastTookMs = 0;
  const waiting = new Set<Waiter>();

  const overloaded = (waitMs: number) =>
    new Refusal("OVERLOADED", "too many sign-ins at once", { retryAfterS: Math.max(1, Math.ceil(waitMs / 1_000)) });

  /** How long somebody who comes now would wait. */
  const expectedWaitMs = () => (Math.floor(waiting.size / concurrency) + 1) * lastTookMs;

  function wait(): Promise<void> {
    const waitMs = expectedWaitMs();
    if (waiting.size >= maxWaiting || waitMs > maxWaitMs) throw overloaded(waitMs);
    return new Promise<void>((resolve, reject) => {
      const giveUp = setTimeout(() => {
        waiting.delete(waiter);
        reject(overloaded(expectedWaitMs()));
      }, maxWaitMs);
      const waiter: Waiter = {
        go() {
          clearTimeout(giveUp);
          waiting.delete(waiter);
          resolve();
        },
      };
      waiting.add(waiter);
    });
  }

  return async function inTurn<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    // The one who leaves hands over their place, so `running` stays as it is.
    if (running >= concurrency) await wait();
    else running += 1;
    try {
      if (signal?.aborted) throw new Refusal("DEADLINE_EXCEEDED", "the caller has gone");
      const begun = nowMs();
      const done = await work();
      // The older half fades: a machine gets busier, or less busy, within a few hashes.
      lastTookMs = lastTookMs === 0 ? nowMs() - begun : (lastTookMs + nowMs() - begun) / 2;
      return done;
    } finally {
      const [next] = waiting;
      if (next) next.go();
      else running -= 1;
    }
  };
}

interface Waiter {
  /** Takes the place of one who leaves. */
  go(): void;
}
