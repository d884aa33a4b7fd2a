import { Refusal } from "../services/shared/refusal.js";
import type { Metrics } from "../services/shared/telemetry/metrics.js";

// Fewer than these are never too many, whatever the last second was like.
const fewest = 32;
const windowMs = 1_000;
/** Of the deadline, what waiting for others may take. */
const shareToWait = 0.5;
// Of a route's typical time, what each answer adds to it.
const weightOfNew = 0.1;

export type Shedding = ReturnType<typeof createShedding>;

/**
 * Refuses OVERLOADED what this gateway cannot finish within its deadline, before anything is read or
 * asked for it. What it can do is what it did in the last second in which it was never idle: so many
 * answers a second, so long a wait for what is under way.
 */
export function createShedding({
  deadlineMs,
  metrics,
  nowMs = () => performance.now(),
}: {
  deadlineMs: number;
  metrics: Pick<Metrics, "limited">;
  nowMs?: () => number;
}) {
  const typicalMs = new Map<string, number>();
  let underWay = 0;
  let windowAt = nowMs();
  let fewestInWindow = 0;
  let answered = 0;
  /** Answers a millisecond; undefined where the last window says nothing of what is possible. */
  let rate: number | undefined;

  function look(): void {
    const passedMs = nowMs() - windowAt;
    if (passedMs < windowMs) return;
    rate = fewestInWindow >= fewest ? answered / passedMs : undefined;
    windowAt = nowMs();
    fewestInWindow = underWay;
    answered = 0;
  }

  function refuse(limit: string, message: string, waitMs: number): never {
    metrics.limited.inc({ limit });
    throw new Refusal("OVERLOADED", message, { retryAfterS: Math.max(1, Math.ceil(waitMs / 1_000)) });
  }

  return {
    /** Counts a request that begins, and gives what counts its end; refuses where too many wait. */
    enter(): () => void {
      look();
      const waitMs = rate === undefined || underWay < fewest ? 0 : underWay / rate;
      if (waitMs > deadlineMs * shareToWait) {
        refuse("under_way", "more requests are under way than can be finished", Math.min(waitMs, deadlineMs));
      }
      underWay += 1;
      return () => {
        underWay -= 1;
        answered += 1;
        fewestInWindow = Math.min(fewestInWindow, underWay);
        look();
      };
    },
    /** Refuses where less time is left than the route's answers take. */
    assertTimeFor(route: string, deadline: Date): void {
      const needsMs = typicalMs.get(route) ?? 0;
      if (deadline.getTime() - Date.now() < needsMs) refuse("deadline", "too little of the time is left", needsMs);
    },
    /** Remembers how long a good answer took; at most half of the deadline, so that it is tried. */
    took(route: string, durationMs: number): void {
      const before = typicalMs.get(route) ?? durationMs;
      typicalMs.set(route, Math.min(deadlineMs / 2, before + (durationMs - before) * weightOfNew));
    },
  };
}
