export interface PaceOptions {
  /** Looks; where it finds something, or cannot look, it stirs. */
  poll: () => void;
  /** Between two looks while something happens, in ms. */
  quickMs: number;
  /** Between two looks while nothing does; what nobody has told of is found so late at most. */
  slowMs?: number;
  /** How long after the last thing that happened looks are quick. */
  quickForMs?: number;
}

export type Pace = ReturnType<typeof keepPace>;

/** How late a row is found at most that nobody told of, in ms. */
export const slowPollMs = 5_000;

/**
 * Looks again and again, so often that an idle process rests: quickly while something happens,
 * slowly while nothing does. It begins quickly, since the process may come in place of one that was
 * killed.
 */
export function keepPace({ poll, quickMs, slowMs = slowPollMs, quickForMs = 4 * slowMs }: PaceOptions) {
  let quickUntil = performance.now() + quickForMs;
  let nextAt = Infinity;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const isQuick = (): boolean => performance.now() < quickUntil;

  function within(ms: number): void {
    const at = performance.now() + Math.max(0, ms);
    if (isStopped || at >= nextAt) return;
    clearTimeout(timer);
    nextAt = at;
    timer = setTimeout(turn, Math.max(0, ms)).unref();
  }

  function turn(): void {
    nextAt = Infinity;
    within(isQuick() ? quickMs : Math.max(quickMs, slowMs));
    poll();
  }

  within(quickMs);
  return {
    /** Something happened, here or in another replica: looks are quick from now on, for a while. */
    pollFast(): void {
      quickUntil = performance.now() + quickForMs;
      within(quickMs);
    },
    /** Looks in so many ms, unless it does sooner. */
    within,
    /**
     * How far ahead a look has to see, in ms: nothing is told of what falls
     * due by itself before the next.
     */
    aheadMs: (): number => (isQuick() ? 0 : Math.max(quickMs, slowMs)),
    stop(): void {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
