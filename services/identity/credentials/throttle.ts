import type { Clock } from "../../kernel/time/clock.js";
import type { Redis } from "../../kernel/process/redis.js";
import { Refusal } from "../../kernel/refusal.js";
import {
  afterFailure,
  afterSuccess,
  afterTakingBack,
  beginAttempt,
  type CountedWait,
  type ThrottleRule,
  type ThrottleState,
} from "../domain/throttle-rules.js";

import { createThrottleStates, type ThrottleSubject } from "./throttle-states.js";

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

/** Counts failures and makes whoever repeats them wait longer each time. */
export function createThrottle({ redis, clock }: { redis: Redis; clock: Clock }) {
  const { change } = createThrottleStates({ redis, clock });

  const end = (subjects: readonly ThrottleSubject[], by: Ending) =>
    Promise.all(
      subjects.map((subject) =>
        change(subject, (state, nowMs) => ({ next: by(state, subject.rule, nowMs), answer: undefined })),
      ),
    ).then(() => undefined);

  /** Failures that are not forgotten. Looking does not keep them for longer. */
  const failuresOf = (subject: ThrottleSubject): Promise<number> =>
    change(subject, (state, nowMs) => {
      const current = state !== undefined && state.lastAt + subject.rule.keepMs > nowMs ? state : undefined;
      return { next: current, answer: current?.failures ?? 0 };
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

    /**
     * Begins an attempt. Refuses RATE_LIMITED, with the time to wait, where one of the subjects
     * must wait.
     */
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
