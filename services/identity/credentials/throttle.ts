import { createHash } from "node:crypto";
import type { Clock } from "../../shared/clocks/clock.js";
import { orWithout, type Redis } from "../../shared/redis.js";
import { Refusal } from "../../shared/refusal.js";
import { createBoundedCache } from "../../shared/tokens/bounded-cache.js";
import {
  afterFailure,
  afterSuccess,
  afterTakingBack,
  beginAttempt,
  bothCounted,
  type CountedWait,
  type ThrottleRule,
  type ThrottleState,
} from "../domain/throttle-rules.js";

/** What attempts are counted for, such as an account or an address. */
export interface ThrottleSubject {
  /** Hashed before it is stored: it may be an e-mail address. */
  name: string;
  rule: ThrottleRule;
}

export interface Attempt {
  failed(): Promise<void>;
  /** After `failed`: what was counted did not happen. */
  takenBack(): Promise<void>;
  /** Forgets the failures of subjects whose rule says so. */
  passed(): Promise<void>;
  /** Ended without showing either, such as by an overload. */
  withdrawn(): Promise<void>;
}

type Ending = (state: ThrottleState | undefined, rule: ThrottleRule, nowMs: number) => ThrottleState | undefined;

export type Throttle = ReturnType<typeof createThrottle>;

const maxKeptHere = 10_000;

// One state, one script: decided in JavaScript on what is thought to be there, and written only where it is.
const swapScript = `
local now = redis.call('GET', KEYS[1])
if (now or '') ~= ARGV[1] then return now or '' end
if ARGV[2] == '' then redis.call('DEL', KEYS[1]) else redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) end
return 'OK'`;
const maxSwaps = 20;

const stateOf = (text: string) => (text === "" ? undefined : (JSON.parse(text) as ThrottleState));

/**
 * Counts failures and makes whoever repeats them wait longer each time. Kept in Redis, so that replicas count together; while
 * Redis is away or too slow each goes on by itself from what it last knew there. When Redis is back, the most that any of them counted
 * stands: their sum would count an attempt twice whose answer alone was lost.
 */
export function createThrottle({ redis, clock }: { redis: Redis; clock: Clock }) {
  const turns = new Map<string, Promise<void>>();
  const here = createBoundedCache<{ state: ThrottleState; until: number }>(maxKeptHere);
  // What this process wrote or was told last: mostly still there, which spares the reading. A wrong guess is answered with what is there.
  const guesses = createBoundedCache<string>(maxKeptHere);
  const guess = (key: string, text: string) => (text === "" ? guesses.delete(key) : guesses.set(key, text));

  const keyOf = (subject: ThrottleSubject) =>
    `throttle:${createHash("sha256").update(subject.name).digest("base64url")}`;

  function stateHere(key: string, nowMs: number): ThrottleState | undefined {
    const kept = here.get(key);
    return kept === undefined || kept.until <= nowMs ? undefined : kept.state;
  }

  /** What was last known to be in Redis, where it may still be there. */
  function lastKnown(key: string, keepMs: number, nowMs: number): ThrottleState | undefined {
    const state = stateOf(guesses.get(key) ?? "");
    return state === undefined || state.lastAt + keepMs <= nowMs ? undefined : state;
  }

  /** Changes a subject's state, one change of this process at a time; the answer of the change that was written. */
  async function change<T>(...[subject, decide]: Parameters<typeof changeOnce<T>>): Promise<T> {
    const key = keyOf(subject);
    const mine = (turns.get(key) ?? Promise.resolve()).then(() => changeOnce(subject, decide));
    const ended = mine.then(
      () => undefined,
      () => undefined,
    );
    turns.set(key, ended);
    try {
      return await mine;
    } finally {
      if (turns.get(key) === ended) turns.delete(key);
    }
  }

  async function changeOnce<T>(
    subject: ThrottleSubject,
    decide: (state: ThrottleState | undefined, nowMs: number) => { next: ThrottleState | undefined; answer: T },
  ): Promise<T> {
    const key = keyOf(subject);
    const { keepMs } = subject.rule;
    const inRedis = await orWithout(async () => {
      let text = guesses.get(key) ?? "";
      for (let swap = 0; swap < maxSwaps; swap++) {
        const nowMs = clock.now().getTime();
        const { next, answer } = decide(bothCounted(stateOf(text), stateHere(key, nowMs)), nowMs);
        const written = next === undefined ? "" : JSON.stringify(next);
        const reply = (await redis.eval(swapScript, 1, key, text, written, keepMs)) as string;
        if (reply === "OK") {
          here.delete(key);
          guess(key, written);
          return { answer };
        }
        text = reply;
        // Known, even if the next command is lost.
        guess(key, reply);
      }
      return undefined;
    });
    if (inRedis !== undefined) return inRedis.answer;
    const nowMs = clock.now().getTime();
    const { next, answer } = decide(bothCounted(lastKnown(key, keepMs, nowMs), stateHere(key, nowMs)), nowMs);
    // From here on it is in what is counted here.
    guesses.delete(key);
    if (next === undefined) here.delete(key);
    else here.set(key, { state: next, until: nowMs + keepMs });
    return answer;
  }

  const end = (subjects: readonly ThrottleSubject[], by: Ending) =>
    Promise.all(
      subjects.map((subject) =>
        change(subject, (state, nowMs) => ({ next: by(state, subject.rule, nowMs), answer: undefined })),
      ),
    ).then(() => undefined);

  /** Failures that are not forgotten. Looking does not keep them for longer. */
  const failuresOf = (subject: ThrottleSubject): Promise<number> =>
    change(subject, (state, nowMs) => {
      const kept = state !== undefined && state.lastAt + subject.rule.keepMs > nowMs ? state : undefined;
      return { next: kept, answer: kept?.failures ?? 0 };
    });

  /** What the failure has done to the subject's wait. */
  const fail = (subject: ThrottleSubject): Promise<CountedWait> =>
    change(subject, (state, nowMs) => {
      const next = afterFailure(state, subject.rule, nowMs);
      return { next, answer: { was: state?.waitUntil ?? 0, set: next.waitUntil } };
    });

  return {
    failuresOf,
    /** Counts a failure of a subject that nothing is begun for. */
    count: (subject: ThrottleSubject): Promise<void> => fail(subject).then(() => undefined),

    /** Begins an attempt. Refuses RATE_LIMITED, with the time to wait, where one of the subjects must wait. */
    async begin(...subjects: ThrottleSubject[]): Promise<Attempt> {
      const begun: ThrottleSubject[] = [];
      const withdraw = () => end(begun, (state) => state && { ...state, pending: Math.max(0, state.pending - 1) });
      for (const subject of subjects) {
        const waitMs = await change(subject, (state, nowMs) => {
          const { state: next, waitMs: wait } = beginAttempt(state, subject.rule, nowMs);
          return { next, answer: wait };
        });
        if (waitMs > 0) {
          await withdraw();
          const retryAfterS = Math.ceil(waitMs / 1_000);
          throw new Refusal("RATE_LIMITED", `too many attempts, try again in ${retryAfterS} s`, { retryAfterS });
        }
        begun.push(subject);
      }
      const counted: { subject: ThrottleSubject; wait: CountedWait }[] = [];
      return {
        async failed() {
          await Promise.all(subjects.map(async (subject) => counted.push({ subject, wait: await fail(subject) })));
        },
        async takenBack() {
          const takeBack = ({ subject, wait }: (typeof counted)[number]) =>
            end([subject], (state, rule) => afterTakingBack(state, rule, wait));
          await Promise.all(counted.splice(0).map(takeBack));
        },
        passed: () => end(subjects, afterSuccess),
        withdrawn: withdraw,
      };
    },
  };
}
