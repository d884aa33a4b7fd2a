import { accountMade, nextRecord, refusalKept } from "../domain/records.js";
import type { CommitPlan } from "./commit-plan.js";

/**
 * A plan with the record of what it makes beside transfers: the accounts that it is the first to
 * touch, and refusals that are kept. Most have nothing to record.
 */
export function recorded<Plan extends Pick<CommitPlan<never>, "next" | "writes">>(plan: Plan): Plan {
  const { next, writes } = plan;
  const made = writes.accounts.filter(({ before }) => before.record === undefined);
  if (made.length === 0 && writes.refusals.length === 0) return plan;
  const items = [...made.map(({ before }) => accountMade(before.info)), ...writes.refusals.map(refusalKept)];
  const record = nextRecord(next, items, next.timeMs);
  const { number } = record;
  return {
    ...plan,
    next: { ...next, records: number, recordsHash: record.hash },
    writes: {
      ...writes,
      record,
      accounts: writes.accounts.map(({ before, after }) => ({
        before,
        after: before.record === undefined ? { ...after, record: number } : after,
      })),
      refusals: writes.refusals.map((refusal) => ({ ...refusal, record: number })),
    },
  };
}
