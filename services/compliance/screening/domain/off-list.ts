import { isOffList, isOpen, type Hit, type Screening } from "./screening.js";
import type { UsedList } from "../../common/domain/subject.js";

/** Whether a list in use has an entry; undefined where no list of the source is in use. */
export type HasEntry = (source: Hit["source"], entryId: string) => boolean | undefined;

export interface OffListChange {
  after: Screening;
  /** Hits whose entries have gone now. */
  left: Hit[];
  /** Hits whose entries are back. */
  back: Hit[];
}

/** Whether the hit stops somebody, so that it matters whether its list still has the entry. */
export function stops(hit: Hit): boolean {
  return hit.state === "CONFIRMED" || isOpen(hit);
}

/**
 * The screening with what its lists say of its entries now; undefined where nothing is
 * new. Nobody is let go by it. Pure.
 */
export function withListsNow(
  before: Screening,
  lists: readonly Pick<UsedList, "source" | "version">[],
  has: HasEntry,
): OffListChange | undefined {
  const left: Hit[] = [];
  const back: Hit[] = [];
  const hits = before.hits.map((hit) => {
    const list = lists.find(({ source }) => source === hit.source);
    const isThere = has(hit.source, hit.entry.entryId);
    if (list === undefined || isThere === undefined || !stops(hit) || isThere === !isOffList(hit)) return hit;
    const { offListSince: _since, ...rest } = hit;
    const after: Hit = isThere ? rest : { ...rest, offListSince: list.version };
    (isThere ? back : left).push(after);
    return after;
  });
  if (left.length + back.length === 0) return undefined;
  return { after: { ...before, hits, version: before.version + 1 }, left, back };
}

/** For the officer, in the case's timeline; ids alone. */
export function offListText({ left, back }: Pick<OffListChange, "left" | "back">): string {
  const gone = left.map(
    ({ source, entry, offListSince }) => `${source} ${entry.entryId} is not on the list since version ${offListSince}`,
  );
  const again = back.map(({ source, entry }) => `${source} ${entry.entryId} is on the list again`);
  return `${[...gone, ...again].join("; ")}. A person decides what follows.`;
}
