import { Refusal } from "../../kernel/refusal.js";

// Each replica hashes a few at a time, so that sign-ins never take the whole machine from the cheap
// reads beside them.
const maxWaiting = 200;
// A request has 10 s at the edge: the rest is for the hash, the session and a slow database.
const maxWaitMs = 3_000;

interface Waiter {
  /** Takes the place of one who leaves. */
  go(): void;
}

/**
 * At most `concurrency` at a time, the others in their turn. Who would wait too long by what hashes
 * have taken lately is refused at once, and who has waited that long after all is refused then:
 * both well before a caller's deadline.
 */
export function createHashQueue(concurrency: number, nowMs: () => number) {
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

  return async function inQueue<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    // A finished hash hands over its place, so `running` stays as it is.
    if (running >= concurrency) await wait();
    else running += 1;
    try {
      if (signal?.aborted) throw new Refusal("DEADLINE_EXCEEDED", "the caller has gone");
      const begun = nowMs();
      const done = await work();
      // Older durations fade within a few hashes, since a machine gets busier or less busy.
      lastTookMs = lastTookMs === 0 ? nowMs() - begun : (lastTookMs + nowMs() - begun) / 2;
      return done;
    } finally {
      const [next] = waiting;
      if (next) next.go();
      else running -= 1;
    }
  };
}
