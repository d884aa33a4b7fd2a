import type { Clock } from "../../../kernel/time/clock.js";
import { createBoundedCache } from "../../../kernel/caching/bounded-cache.js";
import type { Match } from "../domain/hit.js";
import type { ListSource } from "../../lists/domain/list-entry.js";
import type { ScreenedParty } from "../../lists/domain/party.js";
import type { ScreeningPolicy, ScreeningPolicyContent } from "../domain/policy.js";
import { partyText } from "../domain/screened-subject.js";
import { basisOf } from "../domain/screening.js";
import type { UsedList } from "../../common/domain/subject.js";
import type { ListInMemory } from "../../lists/loading/snapshots.js";

/** What the matcher is asked by; `limit` is how many it answers of one list. */
export type SearchOptions = Pick<ScreeningPolicyContent, "threshold" | "otherYearOfBirth" | "yearTolerance"> & {
  limit?: number;
};

export interface EngineDeps<Index> {
  snapshots: { snapshotOf(tenantId: string, sources: readonly ListSource[]): { lists: ListInMemory<Index>[] } };
  /** Of the matcher: entries of one list that a party resembles, best first. */
  search(index: Index, source: ListSource, party: ScreenedParty, options: SearchOptions): Match[];
  /** Real time, by which a list grows old. */
  clock: Clock;
}

/** What somebody is compared with. */
export interface Comparison {
  /** UNAVAILABLE: a list that is on is not there, or too old. */
  state: "DONE" | "UNAVAILABLE";
  /** Why it is unavailable, for staff. */
  reason?: string;
  basis: string;
  lists: UsedList[];
}

export interface Compared extends Comparison {
  /** Of the lists that are there, best first. */
  matches: Match[];
}

export type ScreeningEngine = ReturnType<typeof createScreeningEngine<unknown>>;

const maxCached = 20_000;
/** What a search or a trial shows; the best of each list are the first. */
export const maxMatches = 20;
/**
 * Of somebody who is judged all are found: what was told apart takes no place among those that a
 * person looks at (`judge` cuts them).
 */
const everyMatch = Infinity;
const msPerHour = 3_600_000;

/** Compares parties with the lists in memory. Nothing of it waits. */
export function createScreeningEngine<Index>({ snapshots, search, clock }: EngineDeps<Index>) {
  const cached = createBoundedCache<readonly Match[]>(maxCached);

  function read(tenantId: string, policy: ScreeningPolicy) {
    const { lists } = snapshots.snapshotOf(tenantId, policy.lists);
    const used = lists.map(({ source, listId, version }) => ({ source, listId, version }));
    const reason = whyUnavailable(policy, lists, clock.now());
    const comparison: Comparison = {
      state: reason === undefined ? "DONE" : "UNAVAILABLE",
      ...(reason !== undefined && { reason }),
      basis: basisOf(policy.version, used),
      lists: used,
    };
    return { comparison, lists };
  }

  function matchesIn(
    lists: readonly ListInMemory<Index>[],
    { threshold, otherYearOfBirth, yearTolerance }: ScreeningPolicyContent,
    party: ScreenedParty,
    limit: number,
  ): Match[] {
    const options = { threshold, otherYearOfBirth, yearTolerance, limit };
    return lists
      .flatMap(({ index, source }) => search(index, source, party, options))
      .toSorted((a, b) => b.score - a.score)
      .slice(0, limit);
  }

  /** The lists as they are now, for several parties. */
  function at(tenantId: string, policy: ScreeningPolicy) {
    const { comparison, lists } = read(tenantId, policy);
    // Two tenants may have other policies under one version.
    const prefix = `${tenantId}\n${comparison.basis}\n`;
    return {
      comparison,
      screen(party: ScreenedParty): Compared {
        const key = prefix + partyText(party);
        let matches = cached.get(key);
        if (matches === undefined) {
          matches = matchesIn(lists, policy, party, everyMatch);
          // Entries are large: few people resemble many, and these are compared anew.
          if (matches.length <= maxMatches) cached.set(key, matches);
        }
        return { ...comparison, matches: [...matches] };
      },
    };
  }

  return {
    /** What a comparison would rest on now. */
    comparisonOf: (tenantId: string, policy: ScreeningPolicy): Comparison => read(tenantId, policy).comparison,

    screen: (tenantId: string, policy: ScreeningPolicy, party: ScreenedParty): Compared =>
      at(tenantId, policy).screen(party),

    at,

    /** The same by other rules than those in use, such as a draft's: nothing of it is kept. */
    screenBy(tenantId: string, policy: ScreeningPolicy, party: ScreenedParty, limit = maxMatches): Compared {
      const { comparison, lists } = read(tenantId, policy);
      return { ...comparison, matches: matchesIn(lists, policy, party, limit) };
    },
  };
}

/** Which list is not there or too old, in one sentence. */
function whyUnavailable(
  { lists: sources, staleAfterHours }: ScreeningPolicy,
  lists: readonly Pick<ListInMemory<unknown>, "source" | "lastSeenAt">[],
  now: Date,
): string | undefined {
  const missing = sources.filter((source) => !lists.some((list) => list.source === source));
  if (missing.length > 0) return `no version of ${missing.join(", ")} is in use`;
  const oldest = now.getTime() - staleAfterHours * msPerHour;
  const stale = lists.filter(({ lastSeenAt }) => lastSeenAt.getTime() < oldest).map(({ source }) => source);
  return stale.length > 0
    ? `${stale.join(", ")} was last seen current more than ${staleAfterHours} hours ago`
    : undefined;
}
