/** Runs work of one key one after the other, in the order asked; work of different keys at the same time. */
export function createKeyedMutex() {
  const last = new Map<string, Promise<unknown>>();
  return {
    /** Resolves and rejects as the work does. */
    take<T>(key: string, work: () => Promise<T>): Promise<T> {
      const turn = (last.get(key) ?? Promise.resolve()).then(work, work);
      last.set(key, turn);
      const leave = () => {
        if (last.get(key) === turn) last.delete(key);
      };
      turn.then(leave, leave);
      return turn;
    },
  };
}

export type KeyedMutex = ReturnType<typeof createKeyedMutex>;
