import { Refusal, type RefusalCode } from "../../kernel/refusal.js";

// After these nobody knows what the neighbour did or would do: the same step is asked for again.
const undecided: ReadonlySet<RefusalCode> = new Set([
  "UNAVAILABLE",
  "DEADLINE_EXCEEDED",
  "OVERLOADED",
  "STORAGE_FULL",
  "RATE_LIMITED",
  "IDEMPOTENCY_IN_FLIGHT",
] as const);

/**
 * A neighbour's decision, when the code is one of those that it decides with; else throws: the
 * error as it is while nothing is decided (503, 504), and a bug when the neighbour refuses us
 * rather than the customer. `step` names it, such as "a debit".
 */
export function decisionOr(error: unknown, decisions: ReadonlySet<RefusalCode>, step: string): Refusal {
  if (!(error instanceof Refusal)) throw error;
  if (decisions.has(error.code)) return error;
  throw undecided.has(error.code) ? error : new Error(`${step} was refused: ${error.code}`, { cause: error });
}
