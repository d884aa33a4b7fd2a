import type { Connection } from "mongoose";
import { countDays } from "../domain/days.js";
import type { Calendars } from "../journal/calendars.js";
import type { Clock } from "../../kernel/time/clock.js";
import { fingerprintOf } from "../domain/canonical.js";
import { emptyHead } from "../domain/journal.js";
import { createCommitPlanner } from "../journal/commit-plan.js";
import { createPinnedCache } from "../journal/cache.js";
import { createLookup } from "../journal/lookup.js";
import type { Account, Decision, LinkedGroup, Pending, Posting } from "../domain/model.js";
import { refuseByForm } from "../domain/planning.js";
import { keysOf, type Results } from "../journal/posting.js";
import { createJournalStore } from "../store/journal.js";
import { decisionToWire } from "../wire/transfers.js";

/**
 * What posting would answer now, group by group, each seeing what those before it would do. Writes
 * nothing.
 */
export type DryRun = (posting: Posting, tenantId: string) => Promise<Results>;

interface DryRunDeps {
  readonly db: Connection;
  readonly clock: Clock;
  readonly calendars: Calendars;
}

/** Refuses UNAVAILABLE where nobody knows how the tenant counts days. */
export function createDryRun({ db, clock, calendars }: DryRunDeps): DryRun {
  return async ({ groups }, tenantId) => {
    const calendar = await calendars.of(tenantId);
    const store = createJournalStore(db, tenantId);
    const accounts = createPinnedCache<Account>(0);
    const pendings = createPinnedCache<Pending>(0);
    const lookup = createLookup({ store, accounts, pendings });
    const planner = createCommitPlanner({ accounts, pendings, reversibles: lookup.reversibles });
    const known = await lookup.find(groups, groups);
    let head = (await store.findHead()) ?? emptyHead(tenantId);
    const timeMs = Math.max(clock.now().getTime(), head.timeMs + 1);
    const days = countDays(calendar, head.closedThrough, timeMs);
    const seen = new Map<string, LinkedGroup>();

    function decide(group: LinkedGroup): Decision {
      const malformed = refuseByForm(group);
      if (malformed !== undefined) return { kind: "refused", refusal: malformed, replayed: false };
      const fingerprint = fingerprintOf(group);
      const decided = known.decisionOf(group, fingerprint) ?? repeatedHere(group, seen);
      if (decided !== undefined) return decided;
      for (const key of keysOf(group)) seen.set(key, group);
      const plan = planner.plan([{ group, fingerprint }], head, timeMs, days);
      const [unplanned] = plan.unplanned;
      if (unplanned !== undefined) throw unplanned[1];
      planner.keep(plan);
      head = plan.next;
      return (plan.decided[0] ?? plan.undecided[0])![1];
    }

    return groups.map((group) => decisionToWire(withoutSequence(decide(group)), keysOf(group)));
  };
}

/** A key that an earlier group of the same call holds. */
function repeatedHere(group: LinkedGroup, seen: ReadonlyMap<string, LinkedGroup>): Decision | undefined {
  const transferIndex = group.transfers.findIndex(({ key }) => seen.has(key));
  if (transferIndex < 0) return undefined;
  const message = `the key ${group.transfers[transferIndex]!.key} stands in another group of this call`;
  const refusal = { code: "KEY_REUSED", message, transferIndex, availableMinor: 0n, askedMinor: 0n } as const;
  return { kind: "refused", refusal, replayed: false };
}

/** What is not in the journal has no place in it. */
function withoutSequence(decision: Decision): Decision {
  if (decision.kind === "refused" || decision.replayed) return decision;
  return { ...decision, transfers: decision.transfers.map((transfer) => ({ ...transfer, seq: 0n })) };
}
