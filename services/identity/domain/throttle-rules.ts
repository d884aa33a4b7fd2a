/** How a kind of attempt is slowed down. */
export interface ThrottleRule {
  /** Failures without any wait. */
  freeFailures: number;
  /** Attempts at the same time; one where the free failures are used up. */
  maxConcurrent: number;
  /** The first wait, in ms; each further failure doubles it. */
  firstWaitMs: number;
  maxWaitMs: number;
  /** Failures are forgotten this long after the last attempt, in ms. */
  keepMs: number;
  /** Whether a success forgets the failures. */
  clearsOnSuccess: boolean;
}

export interface ThrottleState {
  failures: number;
  /** Attempts that have begun and not ended. */
  pending: number;
  /** Epoch ms. */
  waitUntil: number;
  /** Epoch ms of the last attempt. */
  lastAt: number;
}

// An attempt whose process died ends by itself.
const attemptMs = 15_000;
const none: ThrottleState = { failures: 0, pending: 0, waitUntil: 0, lastAt: 0 };

/** Begins an attempt, or says for how many ms it must wait. Pure. */
export function beginAttempt(
  before: ThrottleState | undefined,
  rule: ThrottleRule,
  nowMs: number,
): { state: ThrottleState; waitMs: number } {
  const known = before ?? none;
  const pending = nowMs - known.lastAt > attemptMs ? 0 : known.pending;
  const state = { ...known, pending };
  if (known.waitUntil > nowMs) return { state, waitMs: known.waitUntil - nowMs };
  const maxConcurrent = known.failures >= rule.freeFailures ? 1 : rule.maxConcurrent;
  if (pending >= maxConcurrent) return { state, waitMs: rule.firstWaitMs };
  return { state: { ...state, pending: pending + 1, lastAt: nowMs }, waitMs: 0 };
}

/**
 * After a failure the next attempt waits 0, or firstWaitMs times 2 for each failure beyond the free
 * ones.
 */
export function afterFailure(before: ThrottleState | undefined, rule: ThrottleRule, nowMs: number): ThrottleState {
  const known = before ?? none;
  const failures = known.failures + 1;
  const beyond = failures - rule.freeFailures;
  const waitMs = beyond < 0 ? 0 : Math.min(rule.maxWaitMs, rule.firstWaitMs * 2 ** Math.min(beyond, 30));
  // No wait is 0 and not now, since another replica's clock may be behind.
  const waitUntil = waitMs === 0 ? 0 : nowMs + waitMs;
  return { failures, pending: Math.max(0, known.pending - 1), waitUntil, lastAt: nowMs };
}

export function afterSuccess(before: ThrottleState | undefined, rule: ThrottleRule): ThrottleState | undefined {
  if (before === undefined) return undefined;
  const left = { ...before, pending: Math.max(0, before.pending - 1) };
  // Attempts of the same account that are under way have to be counted on.
  if (rule.clearsOnSuccess) return left.pending === 0 ? undefined : { ...left, failures: 0, waitUntil: 0 };
  return left;
}

/** `waitUntil` before a failure was counted, and after it. */
export interface CountedWait {
  was: number;
  set: number;
}

/**
 * After a failure was counted of what did not happen in the end: one less, and the wait there was
 * before it unless another failure has set one since. What two places counted meanwhile is not put
 * right: the more stands (`mergeStates`).
 */
export function afterTakingBack(
  before: ThrottleState | undefined,
  rule: ThrottleRule,
  { was, set }: CountedWait,
): ThrottleState | undefined {
  if (before === undefined) return undefined;
  const failures = Math.max(0, before.failures - 1);
  const waitUntil = before.waitUntil === set ? was : before.waitUntil;
  return { ...before, failures, waitUntil: failures < rule.freeFailures ? 0 : waitUntil };
}

/**
 * One state of what was counted in two places, where one began from the other, or both from the
 * same: the more failures, the longer wait, and the attempts under way where the last one was. What
 * each counted beside the other is not added. Pure.
 */
export function mergeStates(
  one: ThrottleState | undefined,
  other: ThrottleState | undefined,
): ThrottleState | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return {
    failures: Math.max(one.failures, other.failures),
    pending: (one.lastAt > other.lastAt ? one : other).pending,
    waitUntil: Math.max(one.waitUntil, other.waitUntil),
    lastAt: Math.max(one.lastAt, other.lastAt),
  };
}

const minuteMs = 60_000;

/** Wrong PINs and codes of one account, and wrong passwords for it from one place. */
export const accountRule: ThrottleRule = {
  freeFailures: 5,
  maxConcurrent: 30,
  firstWaitMs: 1_000,
  maxWaitMs: 15 * minuteMs,
  keepMs: 60 * minuteMs,
  clearsOnSuccess: true,
};

/**
 * Wrong passwords for one account from all places together where nobody has signed in to it. They
 * make nobody wait by themselves: from the hundredth on, until none has come for a day, each such
 * place is held to `strangerRule`.
 */
export const strangersRule: ThrottleRule = {
  freeFailures: 100,
  maxConcurrent: 30,
  firstWaitMs: 0,
  maxWaitMs: 0,
  keepMs: 24 * 60 * minuteMs,
  clearsOnSuccess: false,
};

/**
 * Wrong passwords from one place, where nobody has signed in to the account, while it is guessed at
 * from many.
 */
export const strangerRule: ThrottleRule = {
  freeFailures: 2,
  maxConcurrent: 2,
  firstWaitMs: 15 * minuteMs,
  maxWaitMs: 24 * 60 * minuteMs,
  keepMs: 48 * 60 * minuteMs,
  clearsOnSuccess: true,
};

/** The rule for attempts on an account from one place. */
export function ruleForPlace(isKnown: boolean, strangersFailures: number): ThrottleRule {
  return !isKnown && strangersFailures >= strangersRule.freeFailures ? strangerRule : accountRule;
}

/**
 * An address stands for many people, and who knows one password must not buy more guesses with it.
 */
export const addressRule: ThrottleRule = {
  freeFailures: 100,
  maxConcurrent: 200,
  firstWaitMs: 1_000,
  maxWaitMs: 15 * minuteMs,
  keepMs: 15 * minuteMs,
  clearsOnSuccess: false,
};

/** Messages that somebody makes us send: each counts as a failure. */
export const messageRule: ThrottleRule = {
  freeFailures: 5,
  maxConcurrent: 5,
  firstWaitMs: minuteMs,
  maxWaitMs: 60 * minuteMs,
  keepMs: 60 * minuteMs,
  clearsOnSuccess: false,
};
