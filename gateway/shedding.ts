import { Refusal } from "../services/kernel/refusal.js";
import type { Metrics } from "../services/kernel/telemetry/metrics.js";

// Fewer than these are never too many, whatever the last second was like.
const fewest = 32;
const windowMs = 1_000;
/** Of the deadline, what waiting for others may take. */
const shareToWait = 0.5;
// Of an operation's typical time, what each answer adds to it.
const weightOfNew = 0.1;

export type Shedding = ReturnType<typeof createShedding>;

/**
 * Refuses OVERLOADED what this gateway cannot finish within its deadline, before anybody is asked
 * for it. Each operation is judged by itself, so that one whose service hangs leaves the others
 * alone: what it can do is what it did in the last second in which it was never idle, so many
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
  const flows = new Map<string, Flow>();
  const typicalMs = new Map<string, number>();

  function flowOf(operation: string): Flow {
    const found = flows.get(operation);
    if (found !== undefined) return found;
    const made = { underWay: 0, windowAt: nowMs(), fewestInWindow: 0, answered: 0, rate: undefined };
    flows.set(operation, made);
    return made;
  }

  function refuse(limit: string, message: string, waitMs: number): never {
    metrics.limited.inc({ limit });
    throw new Refusal("OVERLOADED", message, { retryAfterS: Math.max(1, Math.ceil(waitMs / 1_000)) });
  }

  return {
    /**
     * Counts a request whose body is there, and gives what counts its end; refuses where too many
     * wait.
     */
    enter(operation: string): () => void {
      const flow = flowOf(operation);
      look(flow, nowMs());
      const { underWay, rate } = flow;
      const waitMs = rate === undefined || underWay < fewest ? 0 : underWay / rate;
      if (waitMs > deadlineMs * shareToWait) {
        refuse("under_way", "more requests are under way than can be finished", Math.min(waitMs, deadlineMs));
      }
      flow.underWay += 1;
      return () => {
        flow.underWay -= 1;
        flow.answered += 1;
        flow.fewestInWindow = Math.min(flow.fewestInWindow, flow.underWay);
        look(flow, nowMs());
      };
    },
    /** Refuses where less time is left than the operation's answers take. */
    assertTimeFor(operation: string, deadline: Date): void {
      const needsMs = typicalMs.get(operation) ?? 0;
      if (deadline.getTime() - Date.now() < needsMs) refuse("deadline", "too little of the time is left", needsMs);
    },
    /** Remembers how long a good answer took; at most half of the deadline, so that it is tried. */
    took(operation: string, durationMs: number): void {
      const before = typicalMs.get(operation) ?? durationMs;
      typicalMs.set(operation, Math.min(deadlineMs / 2, before + (durationMs - before) * weightOfNew));
    },
  };
}

interface Flow {
  underWay: number;
  windowAt: number;
  fewestInWindow: number;
  answered: number;
  /** Answers a millisecond; undefined where the last window says nothing of what is possible. */
  rate: number | undefined;
}

function look(flow: Flow, now: number): void {
  const passedMs = now - flow.windowAt;
  if (passedMs < windowMs) return;
  flow.rate = flow.fewestInWindow >= fewest ? flow.answered / passedMs : undefined;
  flow.windowAt = now;
  flow.fewestInWindow = flow.underWay;
  flow.answered = 0;
}
