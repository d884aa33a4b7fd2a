/**
 * Runs work of one key one after the other, in the order asked; work of different keys at the same
 * time.
 */
export function createKeyedMutex() {
  const last = new Map<string, Promise<unknown>>();
  /** Resolves and rejects as the work does. */
  function runExclusive<T>(key: string, work: () => Promise<T>): Promise<T> {
    const run = (last.get(key) ?? Promise.resolve()).then(work, work);
    last.set(key, run);
    const release = () => {
      if (last.get(key) === run) last.delete(key);
    };
    run.then(release, release);
    return run;
  }

  return {
    runExclusive,
    /**
     * The same for work of several keys: they are taken in one order, so
     * that no two wait for each other.
     */
    runExclusiveOfAll<T>(keys: Iterable<string>, work: () => Promise<T>): Promise<T> {
      const inOrder = [...new Set(keys)].toSorted();
      return inOrder.reduceRight((inner, key) => () => runExclusive(key, inner), work)();
    },
  };
}

export type KeyedMutex = ReturnType<typeof createKeyedMutex>;
