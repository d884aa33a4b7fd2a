import type { ListEntry, ListSource } from "../domain/list-entry.js";
import { operatorsOwnerFor } from "../domain/list-owner.js";
import type { ScreeningListStore, StoredList } from "../store/screening-lists.js";

/** A list in use, as one replica has it in memory. */
export interface ListInMemory<Index> {
  source: ListSource;
  listId: string;
  version: number;
  publishedAt: Date;
  /** When the source was last seen to publish it: a list that is not looked after gets old. */
  lastSeenAt: Date;
  index: Index;
}

export interface SnapshotDeps<Index> {
  store: ScreeningListStore;
  /** Takes the entries as they come, with turns of the event loop between them. */
  buildIndex(source: ListSource, entries: AsyncIterable<ListEntry>): Promise<Index>;
  onFault?(list: StoredList, error: unknown): void;
}

export type ListSnapshots<Index> = ReturnType<typeof createListSnapshots<Index>>;

/**
 * The lists in use of all owners in memory, one index per version whoever uses it. A version that
 * comes into use is swapped in once its index is whole, and the one before is let go.
 */
export function createListSnapshots<Index>({ store, buildIndex, onFault }: SnapshotDeps<Index>) {
  let lists: ReadonlyMap<string, ListInMemory<Index> & { owner: string }> = new Map();
  /** Of whom a version is in use, whether or not this replica has it. */
  let inUse: ReadonlySet<string> = new Set();
  let refreshing: Promise<void> | undefined;

  async function refresh(): Promise<void> {
    const active = await store.findActive();
    const wanted = new Set(active.map(keyOf));
    const retained = new Map([...lists].filter(([key]) => wanted.has(key)));
    for (const list of active) {
      const { tenantId: owner, source, listId, version, publishedAt, lastSeenAt } = list;
      const known = retained.get(keyOf(list));
      try {
        const index =
          known?.listId === listId
            ? known.index
            : await buildIndex(source, whole(list, store.entries.forOwner(owner).stream(list.loadId)));
        retained.set(keyOf(list), { owner, source, listId, version, publishedAt, lastSeenAt, index });
      } catch (error) {
        // The version before stays in use here, and is tried again.
        onFault?.(list, error);
      }
      lists = new Map(retained);
    }
    lists = retained;
    // Only now: while an organisation's first one is read, the operator's counts as before.
    inUse = wanted;
  }

  return {
    /** Looks for versions that came into use. Those who ask at once wait for the same look. */
    refresh: (): Promise<void> =>
      (refreshing ??= refresh().finally(() => {
        refreshing = undefined;
      })),

    /**
     * Lists that count for a tenant, of the sources that are on: its own where it has one, else the
     * operator's. Its own that cannot be searched here is missing: the operator's has others on it.
     */
    snapshotOf(tenantId: string, sources: readonly ListSource[]): { lists: ListInMemory<Index>[] } {
      const operators = operatorsOwnerFor(tenantId);
      const found = sources.map((source) => {
        const own = `${tenantId} ${source}`;
        return lists.get(inUse.has(own) ? own : `${operators} ${source}`);
      });
      return { lists: found.filter((list) => list !== undefined) };
    },

    /** All of them, with whose they are. */
    all: () => [...lists.values()],
  };
}

/**
 * The entries of a version. Throws where they are not all there: a version that has just been
 * replaced loses them, and half a list finds half of those who are on it.
 */
async function* whole({ source, version, entries }: StoredList, stream: AsyncIterable<ListEntry>) {
  let count = 0;
  for await (const entry of stream) {
    count += 1;
    yield entry;
  }
  if (count !== entries)
    throw new Error(`version ${version} of ${source} has ${entries} entries, and ${count} are there`);
}

function keyOf({ tenantId, source }: StoredList): string {
  return `${tenantId} ${source}`;
}
