/** Runs work of one key one after the other, in the order asked; work of different keys at the same time. */
export function createKeyedMutex() {
  const last = new Map<string, Promise<unknown>>();
  return {
    /** Resolves and rejects as the work does. */
    runExclusive<T>(key: string, work: () => Promise<T>): Promise<T> {
      const run = (last.get(key) ?? Promise.resolve()).then(work, work);
      last.set(key, run);
      const release = () => {
        if (last.get(key) === run) last.delete(key);
      };
      run.then(release, release);
      return run;
    },
  };
}

export type KeyedMutex = ReturnType<typeof createKeyedMutex>;
