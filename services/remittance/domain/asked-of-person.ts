import { Refusal } from "../../kernel/refusal.js";
import type { NotedQuestion } from "../../platform/approvals/approvals.js";
import type { Step } from "./payout.js";
import type { Transaction } from "./transaction.js";

/** Where a transaction keeps what one person asks for and another one decides. */
type Place = "refunds" | "amendments" | "traces";
type AskedIn<P extends Place> = NonNullable<Transaction[P]>[number];

/** A question that never reached identity holds its place no longer than this. */
const unaskedForMs = 10 * 60_000;

/** Whether an open question is decided some day: identity has it, or may yet get it. */
export function mayBeDecided({ approvalId, askedAt }: { approvalId?: string; askedAt: Date }, now: Date): boolean {
  return approvalId !== undefined || now.getTime() - askedAt.getTime() < unaskedForMs;
}

/** The code by which a step is refused for good: what passes by itself is none. */
export function lastingRefusalOf(step: () => unknown): string | undefined {
  try {
    step();
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.details?.retryAfterS === undefined ? error.code : undefined;
  }
}

/** What is kept in a place; `assertRoom` refuses one more of so many. */
export function askedIn<P extends Place>(
  place: P,
  idOf: (one: AskedIn<P>) => string,
  assertRoom: (count: number) => void,
) {
  const all = (transaction: Pick<Transaction, P>) => (transaction[place] ?? []) as AskedIn<P>[];

  /** With one in its former place, or as the last. */
  function withOne(transaction: Pick<Transaction, P>, one: AskedIn<P>): AskedIn<P>[] {
    const before = all(transaction);
    const at = before.findIndex((other) => idOf(other) === idOf(one));
    if (at >= 0) return before.with(at, one);
    assertRoom(before.length);
    return [...before, one];
  }

  function find(transaction: Pick<Transaction, P>, id: string): AskedIn<P> | undefined {
    return all(transaction).find((one) => idOf(one) === id);
  }

  function keeping(transaction: Pick<Transaction, P>, one: AskedIn<P>): Step {
    return { change: { set: { [place]: withOne(transaction, one) } }, drive: "KEEP" };
  }

  return {
    assertRoom: (transaction: Pick<Transaction, P>) => assertRoom(all(transaction).length),
    withOne,
    find,
    keeping,

    /** What identity made of the question; undefined where it was decided or noted meanwhile. */
    note(transaction: Pick<Transaction, P>, id: string, noted: NotedQuestion): Step | undefined {
      const asked = find(transaction, id);
      if (asked?.status !== "ASKED" || asked.approvalId !== undefined) return undefined;
      const status = "approvalId" in noted ? asked.status : "REFUSED";
      return keeping(transaction, { ...asked, ...noted, status });
    },
  };
}
