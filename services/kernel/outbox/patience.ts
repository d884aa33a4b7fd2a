import { isMongoAway } from "../mongo/away.js";
import { Refusal, type RefusalCode } from "../refusal.js";

/** How often rows are tried before an operator has to decide. */
export interface Patience {
  /**
   * Tries after which an operator decides on rows of these kinds. All others are tried until what
   * they wait for is back: a neighbour's return, not an operator, is what they need.
   */
  maxAttemptsOf?: Partial<Record<string, number>>;
  /**
   * Tries before a row is parked that fails by a bug, or whose process
   * died at each; 20 when absent.
   */
  maxAttemptsOfBug?: number;
}

// These answers speak of the moment or of us, not of the row.
const worthAnotherTry: ReadonlySet<RefusalCode> = new Set([
  "UNAVAILABLE",
  "DEADLINE_EXCEEDED",
  "INTERNAL",
  "OVERLOADED",
  "STORAGE_FULL",
  "RATE_LIMITED",
  "IDEMPOTENCY_IN_FLIGHT",
  "LEASE_LOST",
  "UNAUTHENTICATED",
  "TOKEN_EXPIRED",
] as const);

const maxOfBug = ({ maxAttemptsOfBug = 20 }: Patience): number => maxAttemptsOfBug;

/** Whether no try of a row has come to any end, and there were too many. */
export function diedAtEach({ attempts, lastError }: { attempts: number; lastError?: string }, patience: Patience) {
  return lastError === undefined && attempts > maxOfBug(patience);
}

/** Whether a failure speaks of the moment or of us: the same work may succeed later. */
export function passesByItself(error: unknown): boolean {
  if (!(error instanceof Refusal)) return isMongoAway(error);
  return worthAnotherTry.has(error.code) || error.details?.retryAfterS !== undefined;
}

/**
 * Whether a row is to be parked that failed so: at once where it was refused, after some tries by a
 * bug, which does not pass by itself; what is away comes back.
 */
export function isToPark(row: { kind: string; attempts: number }, error: unknown, patience: Patience): boolean {
  const isRefusal = error instanceof Refusal;
  if (isRefusal && !worthAnotherTry.has(error.code)) return true;
  const ofKind = patience.maxAttemptsOf?.[row.kind] ?? Infinity;
  const isBug = !isRefusal && !isMongoAway(error);
  return row.attempts >= (isBug ? Math.min(ofKind, maxOfBug(patience)) : ofKind);
}
