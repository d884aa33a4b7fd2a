import { operatorsOwnerFor } from "../../lists/domain/list-owner.js";
import type { ListEntry } from "../../lists/domain/list-entry.js";
import { listsSince, readBasis } from "../domain/basis.js";
import { searchIndex, type ListIndex } from "../../lists/domain/matcher/index.js";
import type { ScreenedParty } from "../../lists/domain/party.js";
import type { ScreeningPolicy } from "../domain/policy.js";
import type { UsedList } from "../../common/domain/subject.js";
import type { ScreeningListStore } from "../../lists/store/screening-lists.js";
import { buildListIndex } from "../../lists/loading/build-index.js";

export interface DeltaDeps {
  store: ScreeningListStore;
  policy: ScreeningPolicy;
  tenantId: string;
  /** In use now. */
  lists: readonly UsedList[];
}

/**
 * Whether somebody may resemble what is new since they were compared: true where they are
 * to be compared with all of it.
 */
export type IsTouched = (party: ScreenedParty) => boolean;

const entriesAtOnce = 500;

/**
 * What is new for those who were compared with an older basis: an index of the entries that
 * were added or changed where their version is the one before, and everything where it is not,
 * or where the policy is another.
 */
export function createDeltas({ store, policy, tenantId, lists }: DeltaDeps) {
  const known = new Map<string, Promise<IsTouched>>();
  const { threshold, otherYearOfBirth, yearTolerance } = policy;
  const options = { threshold, otherYearOfBirth, yearTolerance, limit: 1 };

  async function touchedSince(basis: string): Promise<IsTouched> {
    const since = listsSince(readBasis(basis), { policyVersion: policy.version, lists });
    if (since === undefined) return () => true;
    const indexes: { source: UsedList["source"]; index: ListIndex }[] = [];
    for (const list of since) {
      const index = await indexOfChanges(list, readBasis(basis).lists.get(list.source));
      if (index === undefined) return () => true;
      indexes.push({ source: list.source, index });
    }
    return (party) => indexes.some(({ source, index }) => searchIndex(index, source, party, options).length > 0);
  }

  /** Of a list's version against one before; undefined where the two were never compared. */
  async function indexOfChanges({ source, listId }: UsedList, before: string | undefined) {
    if (before === undefined) return undefined;
    for (const owner of [tenantId, operatorsOwnerFor(tenantId)]) {
      const found = await store.forOwner(owner).find(listId);
      if (found === undefined) continue;
      if (found.comparedWith !== before) return undefined;
      return buildListIndex(source, changesOf(owner, found.loadId));
    }
    return undefined;
  }

  async function* changesOf(owner: string, loadId: string): AsyncGenerator<ListEntry> {
    const entries = store.entries.forOwner(owner);
    let after = "";
    for (;;) {
      const page = await entries.changes(loadId, { after, limit: entriesAtOnce });
      for (const { entry, change } of page) if (change !== "REMOVED") yield entry;
      const last = page.at(-1);
      if (last === undefined || page.length < entriesAtOnce) return;
      after = last.entryId;
    }
  }

  return {
    since(basis: string): Promise<IsTouched> {
      const found = known.get(basis) ?? touchedSince(basis);
      known.set(basis, found);
      return found;
    },
  };
}
