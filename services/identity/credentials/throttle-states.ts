import { createHash } from "node:crypto";
import { createKeyedMutex } from "../../kernel/batching/keyed-mutex.js";
import type { Clock } from "../../kernel/time/clock.js";
import { orWithout, type Redis } from "../../kernel/process/redis.js";
import { createBoundedCache } from "../../kernel/caching/bounded-cache.js";
import { mergeStates, type ThrottleRule, type ThrottleState } from "../domain/throttle-rules.js";

/** What attempts are counted for, such as an account or an address. */
export interface ThrottleSubject {
  /** Hashed before it is stored: it may be an e-mail address. */
  name: string;
  rule: ThrottleRule;
}

/** Decides on a subject's state; it may be asked again where another replica was faster. */
type Decide<T> = (state: ThrottleState | undefined, nowMs: number) => { next: ThrottleState | undefined; answer: T };

const maxLocalStates = 10_000;

// The script writes only where the state is the one that the decision in JavaScript rested on.
const swapScript = `
local now = redis.call('GET', KEYS[1])
if (now or '') ~= ARGV[1] then return now or '' end
if ARGV[2] == '' then redis.call('DEL', KEYS[1]) else redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) end
return 'OK'`;
const maxSwaps = 20;

const stateOf = (text: string) => (text === "" ? undefined : (JSON.parse(text) as ThrottleState));

/**
 * What is counted of each subject. Kept in Redis, so that replicas count together; while Redis is
 * away or too slow each goes on by itself from what it last knew there. When Redis is back, the
 * most that any of them counted stands: their sum would count an attempt twice whose answer alone
 * was lost.
 */
export function createThrottleStates({ redis, clock }: { redis: Redis; clock: Clock }) {
  const mutex = createKeyedMutex();
  const localStates = createBoundedCache<{ state: ThrottleState; until: number }>(maxLocalStates);
  // What this process saw last mostly still holds and spares a read; else the
  // swap answers with what is there.
  const lastSeen = createBoundedCache<string>(maxLocalStates);
  const noteSeen = (key: string, text: string) => (text === "" ? lastSeen.delete(key) : lastSeen.set(key, text));

  const keyOf = (subject: ThrottleSubject) =>
    `throttle:${createHash("sha256").update(subject.name).digest("base64url")}`;

  function localState(key: string, nowMs: number): ThrottleState | undefined {
    const cached = localStates.get(key);
    return cached === undefined || cached.until <= nowMs ? undefined : cached.state;
  }

  /** What was last known to be in Redis, where it may still be there. */
  function lastKnown(key: string, keepMs: number, nowMs: number): ThrottleState | undefined {
    const state = stateOf(lastSeen.get(key) ?? "");
    return state === undefined || state.lastAt + keepMs <= nowMs ? undefined : state;
  }

  async function changeOnce<T>(key: string, keepMs: number, decide: Decide<T>): Promise<T> {
    const inRedis = await orWithout(async () => {
      let text = lastSeen.get(key) ?? "";
      for (let swap = 0; swap < maxSwaps; swap++) {
        const nowMs = clock.now().getTime();
        const { next, answer } = decide(mergeStates(stateOf(text), localState(key, nowMs)), nowMs);
        const written = next === undefined ? "" : JSON.stringify(next);
        const reply = (await redis.eval(swapScript, 1, key, text, written, keepMs)) as string;
        if (reply === "OK") {
          localStates.delete(key);
          noteSeen(key, written);
          return { answer };
        }
        text = reply;
        // The reply is noted at once, since the next command may be lost.
        noteSeen(key, reply);
      }
      return undefined;
    });
    if (inRedis !== undefined) return inRedis.answer;
    const nowMs = clock.now().getTime();
    const { next, answer } = decide(mergeStates(lastKnown(key, keepMs, nowMs), localState(key, nowMs)), nowMs);
    // The local count has taken in what was last seen of Redis, which is dropped.
    lastSeen.delete(key);
    if (next === undefined) localStates.delete(key);
    else localStates.set(key, { state: next, until: nowMs + keepMs });
    return answer;
  }

  return {
    /**
     * Changes a subject's state, one change of this process at a time; the answer of the change
     * that was written.
     */
    change<T>(subject: ThrottleSubject, decide: Decide<T>): Promise<T> {
      const key = keyOf(subject);
      return mutex.runExclusive(key, () => changeOnce(key, subject.rule.keepMs, decide));
    },
  };
}
