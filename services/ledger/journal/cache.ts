/**
 * Bounded and least recently used first; a pinned entry stays, and a load never replaces what is
 * here already.
 */
export interface PinnedCache<T> {
  get(id: string): T | undefined;
  /** Keeps the entry, present or to come, until as many unpins. */
  pin(id: string): void;
  unpin(id: string): void;
  /** What was read from the store: ignored where this owner knows better. */
  load(id: string, value: T): void;
  /** What this owner has just committed. */
  replace(id: string, value: T): void;
  /**
   * Drops the least recently used entries that nobody has pinned, here and in the others of the
   * budget, down to its bound.
   */
  evict(): void;
  /** Forgets everything, also what is put in afterwards, and leaves the budget. */
  close(): void;
  readonly size: number;
  isPinned(id: string): boolean;
  readonly hasPins: boolean;
}

/** How much the caches of a process hold together. */
export interface CacheBudget {
  /** A cache within the budget, until it is closed. */
  open<T>(): PinnedCache<T>;
  /** Entries of all of its caches. */
  readonly size: number;
}

interface Member {
  readonly size: number;
  /** Drops the least recently used entries that nobody has pinned; gives how many. */
  shrink(toEntries: number): number;
}

// Evicting more than is needed leaves room for the next commits.
const retainedShare = 0.9;

export function createCacheBudget(maxEntries: number): CacheBudget {
  const members = new Set<Member>();
  let total = 0;

  /**
   * Every cache gives up the same share: a tenant that is idle does not crowd out one that is busy.
   */
  function makeRoom(): void {
    if (total <= maxEntries) return;
    const share = (maxEntries * retainedShare) / total;
    for (const member of members) total -= member.shrink(Math.floor(member.size * share));
  }

  return {
    get size() {
      return total;
    },
    open<T>() {
      const { cache, member } = createMember<T>(
        (entries) => (total += entries),
        makeRoom,
        () => members.delete(member),
      );
      members.add(member);
      return cache;
    },
  };
}

/** A cache by itself, of so many entries. */
export function createPinnedCache<T>(maxEntries: number): PinnedCache<T> {
  return createCacheBudget(maxEntries).open<T>();
}

function createMember<T>(
  count: (entries: number) => void,
  makeRoom: () => void,
  leave: () => void,
): { cache: PinnedCache<T>; member: Member } {
  // A Map keeps the order of insertion, so the first entries are those not touched for longest.
  const entries = new Map<string, T>();
  const pins = new Map<string, number>();
  let isClosed = false;

  function put(id: string, value: T): void {
    if (isClosed) return;
    if (!entries.delete(id)) count(1);
    entries.set(id, value);
  }

  const cache: PinnedCache<T> = {
    get size() {
      return entries.size;
    },
    get hasPins() {
      return pins.size > 0;
    },
    isPinned: (id) => pins.has(id),
    get: (id) => entries.get(id),
    pin(id) {
      pins.set(id, (pins.get(id) ?? 0) + 1);
    },
    unpin(id) {
      const left = (pins.get(id) ?? 0) - 1;
      if (left > 0) pins.set(id, left);
      else pins.delete(id);
    },
    load(id, value) {
      if (!entries.has(id)) put(id, value);
    },
    replace: put,
    evict: makeRoom,
    close() {
      isClosed = true;
      count(-entries.size);
      entries.clear();
      leave();
    },
  };
  const member: Member = {
    get size() {
      return entries.size;
    },
    shrink(toEntries) {
      const before = entries.size;
      for (const id of entries.keys()) {
        if (entries.size <= toEntries) break;
        if (!pins.has(id)) entries.delete(id);
      }
      return before - entries.size;
    },
  };
  return { cache, member };
}
