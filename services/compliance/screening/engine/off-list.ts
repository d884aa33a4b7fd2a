import type { Outbox } from "../../../kernel/outbox/index.js";
import { leaveRow } from "../../../kernel/outbox/left-rows.js";
import type { Logger } from "../../../kernel/process/log.js";
import { passesByItself } from "../../../kernel/outbox/patience.js";
import type { CaseJoin, SubjectKind } from "../../common/domain/case-join.js";
import type { Origin } from "../../common/domain/origin.js";
import { operatorsOwnerFor } from "../../lists/domain/list-owner.js";
import type { ListSource } from "../../lists/domain/list-entry.js";
import { offListText, stops, withListsNow, type HasEntry, type OffListChange } from "../domain/off-list.js";
import { isOpen, type Screening } from "../domain/screening.js";
import type { UsedList } from "../../common/domain/subject.js";
import type { ComplianceStore } from "../../decisions/store/index.js";
import { sealedJoinRow } from "../../common/store/join-rows.js";
import type { TextCipher } from "../store/screening-cipher.js";
import type { ScreeningListStore } from "../../lists/store/screening-lists.js";
import type { ScreeningStore } from "../store/screenings.js";

export interface OffListDeps {
  store: Pick<ComplianceStore, "transaction">;
  screenings: ScreeningStore;
  lists: ScreeningListStore;
  outbox: Outbox;
  cipher: TextCipher;
  log: Logger;
}

export type RecordDelisting = ReturnType<typeof createOffList>;

const screeningsAtOnce = 200;

/**
 * Writes to each hit that stops somebody whether its list still has the entry, and has
 * the cases hear of it. Whoever comes back is noted, too. Cut off anywhere it is run
 * again: what is written already is not new. A screening that cannot be worked is left:
 * it keeps nobody from being compared.
 */
export function createOffList({ store, screenings, lists, outbox, cipher, log }: OffListDeps) {
  /** Throws what passes by itself: all of it is tried again then. */
  function leave(tenantId: string, screeningId: string, error: unknown): void {
    if (passesByItself(error)) throw error;
    leaveRow(log, "rescreening", { tenantId, screeningId }, error);
  }

  /**
   * Which of the entries the lists have that are in use; undefined where
   * one of them is in use no more.
   */
  async function entriesOf(
    tenantId: string,
    used: readonly UsedList[],
    page: readonly Screening[],
  ): Promise<HasEntry | undefined> {
    const found = new Map<ListSource, Set<string>>();
    for (const { source, listId } of used) {
      const ids = page.flatMap(({ hits }) =>
        hits.filter((hit) => hit.source === source && stops(hit)).map(({ entry }) => entry.entryId),
      );
      if (ids.length === 0) continue;
      const [owner, list] = await inUse(tenantId, source, listId);
      if (list === undefined) return undefined;
      const rows = await lists.entries.forOwner(owner).find(list.loadId, [...new Set(ids)]);
      // Entries of a version go once another two have followed it.
      if ((await inUse(tenantId, source, listId))[1] === undefined) return undefined;
      found.set(source, new Set(rows.filter(({ change }) => change !== "REMOVED").map(({ entryId }) => entryId)));
    }
    return (source, entryId) => found.get(source)?.has(entryId);
  }

  async function inUse(tenantId: string, source: ListSource, listId: string) {
    for (const owner of [tenantId, operatorsOwnerFor(tenantId)]) {
      const active = await lists.forOwner(owner).findActive(source);
      if (active?.listId === listId) return [owner, active] as const;
    }
    return ["", undefined] as const;
  }

  async function note(
    origin: Origin,
    { screeningId }: Screening,
    { used, has, now }: { used: readonly UsedList[]; has: HasEntry; now: Date },
  ): Promise<void> {
    const ofTenant = screenings.forTenant(origin.tenantId);
    await store.transaction(
      async (session) => {
        const before = await ofTenant.find(screeningId, session);
        const change = before && withListsNow(before, used, has);
        if (change === undefined) return;
        await ofTenant.update(change.after, session);
        const { subject, version } = change.after;
        // A search is nobody's, and has no case.
        if (subject.kind === "SEARCH") return;
        const row = await sealedJoinRow(cipher, origin, [`screening:${screeningId}`, version], joinOf(change, now));
        await outbox.add(row, session);
      },
      async () => undefined,
    );
  }

  return async (origin: Origin, used: readonly UsedList[], now: Date, signal: AbortSignal): Promise<void> => {
    for (let after = ""; ;) {
      signal.throwIfAborted();
      const { readable, unreadable, last } = await screenings
        .forTenant(origin.tenantId)
        .listStopping(after, screeningsAtOnce);
      if (last === undefined) return;
      after = last;
      for (const { screeningId, error } of unreadable) leave(origin.tenantId, screeningId, error);
      const has = await entriesOf(origin.tenantId, used, readable);
      // The version that has come into use meanwhile asks for all of it again.
      if (has === undefined) return;
      for (const one of readable) {
        try {
          if (withListsNow(one, used, has) !== undefined) await note(origin, one, { used, has, now });
        } catch (error) {
          leave(origin.tenantId, one.screeningId, error);
        }
      }
    }
  };
}

function joinOf(change: OffListChange, at: Date): CaseJoin {
  const { screeningId, subject, hits } = change.after;
  return {
    subjectKind: subject.kind as SubjectKind,
    subjectId: subject.id,
    customerId: subject.customerId,
    kind: "SCREENING",
    event: "OFF_LIST",
    screeningId,
    waits: hits.some(isOpen),
    // What was confirmed holds somebody's money: its case is looked at again.
    reopens: change.left.some(({ state }) => state === "CONFIRMED"),
    text: offListText(change),
    actor: "compliance",
    at,
  };
}
