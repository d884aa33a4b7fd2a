/** Runs work of one key one after the other, in the order asked: what all want at once is not fought over by retries. */
export function createTurns() {
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

export type Turns = ReturnType<typeof createTurns>;
