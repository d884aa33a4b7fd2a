import { passing, type Refusal } from "../../kernel/refusal.js";
import type { DriveContext } from "../../kernel/sagas/index.js";
import type { MovementDecision } from "../domain/movement.js";

/** How cash at a desk is driven. */
export interface DeskContext extends DriveContext {
  /** Whether somebody waits in this process for it, whoever drives it. */
  readonly isWaitedFor?: () => boolean;
}

/** Callers that wait for what they have begun, from its first transaction to its answer. */
export function createWaiters() {
  const counts = new Map<string, number>();
  return {
    isWaitedFor: (id: string): boolean => counts.has(id),
    enter: (id: string): void => void counts.set(id, (counts.get(id) ?? 0) + 1),
    leave(id: string): void {
      const left = (counts.get(id) ?? 0) - 1;
      if (left > 0) counts.set(id, left);
      else counts.delete(id);
    },
  };
}

type Waiters = ReturnType<typeof createWaiters>;

/** A first transaction, with its caller waiting from before it until `waiting` has driven it. */
export async function beginning<T>(waiters: Waiters, id: string, begin: () => Promise<T>): Promise<T> {
  waiters.enter(id);
  try {
    return await begin();
  } catch (error) {
    waiters.leave(id);
    throw error;
  }
}

/** Drives it, with who waits. Recovery itself is nobody who does. */
export async function waiting<Context extends DeskContext, T>(
  waiters: Waiters,
  id: string,
  context: Context,
  drive: (context: Context) => Promise<T>,
): Promise<T> {
  const known = { ...context, isWaitedFor: () => waiters.isWaitedFor(id) };
  if (context.closeRecovery !== undefined) return drive(known);
  // Who has just begun it waits already.
  if (context.isFirst !== true) waiters.enter(id);
  try {
    return await drive(known);
  } finally {
    waiters.leave(id);
  }
}

/**
 * Cash between people at a desk, decided once before it is first booked. Whoever hears 503 gives
 * the notes back, or gives none, and the customer leaves: recovery leaves what was not decided
 * and nobody waits for, and goes on with what was. A repeat of the request is somebody who waits.
 * `decide` gives what was decided first; `check` is compliance's answer, which it gives again: it
 * is asked for what is left, too, so that no later call counts it after it was given back.
 */
export async function decideAtDesk(
  decide: (decision: MovementDecision) => Promise<MovementDecision | undefined>,
  check: () => Promise<Refusal | undefined>,
  { closeRecovery, isWaitedFor = () => false }: DeskContext,
): Promise<Refusal | undefined> {
  const isAlone = () => closeRecovery !== undefined && !isWaitedFor();
  const found = isAlone() ? await decide("REFUSE") : undefined;
  const refusal = await check();
  if (refusal !== undefined) return refusal;
  const decided = found ?? (await decide(isAlone() ? "REFUSE" : "PASS"));
  // What had ended undecided is not passed either: its end stands.
  return decided === "PASS" ? undefined : nobodyThere();
}

const nobodyThere = (): Refusal =>
  passing("STATE_CONFLICT", "nobody waited for it any more and no cash was taken or given: do it anew");
