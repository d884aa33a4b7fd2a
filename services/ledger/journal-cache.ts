/** Bounded and least recently used first; a pinned entry stays, and a load never replaces what is here already. */
export interface PinnedCache<T> {
  get(id: string): T | undefined;
  /** Keeps the entry, present or to come, until as many unpins. */
  pin(id: string): void;
  unpin(id: string): void;
  /** What was read from the store: ignored where this owner knows better. */
  load(id: string, value: T): void;
  /** What this owner has just committed. */
  replace(id: string, value: T): void;
  /** Drops the least recently used entries beyond the bound that nobody has pinned. */
  evict(): void;
  readonly size: number;
  isPinned(id: string): boolean;
  readonly hasPins: boolean;
}

export function createPinnedCache<T>(maxEntries: number): PinnedCache<T> {
  // A Map keeps the order of insertion, so the first entries are those not touched for longest.
  const entries = new Map<string, T>();
  const pins = new Map<string, number>();

  function put(id: string, value: T): void {
    entries.delete(id);
    entries.set(id, value);
  }

  return {
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
      if (!entries.has(id)) entries.set(id, value);
    },
    replace: put,
    evict() {
      if (entries.size <= maxEntries) return;
      for (const id of entries.keys()) {
        if (!pins.has(id)) entries.delete(id);
        if (entries.size <= maxEntries) return;
      }
    },
  };
}
