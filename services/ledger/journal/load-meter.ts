/** How much a journal has to do: transfers that wait or are under way. */
export interface LoadMeter {
  /** Transfers come, or leave where negative. */
  change(by: number): void;
  readonly now: number;
  /**
   * The average since it was last taken, and what was taken then at the same weight: one quiet or
   * busy moment does not count for all.
   */
  take(): number;
}

export function createLoadMeter(clockMs: () => number = () => performance.now()): LoadMeter {
  let now = 0;
  let area = 0;
  let changedAtMs = clockMs();
  let takenAtMs = changedAtMs;
  let taken: number | undefined;

  function settle(): void {
    const atMs = clockMs();
    area += now * (atMs - changedAtMs);
    changedAtMs = atMs;
  }

  return {
    change(by) {
      settle();
      now += by;
    },
    get now() {
      return now;
    },
    take() {
      settle();
      const spanMs = changedAtMs - takenAtMs;
      const average = spanMs > 0 ? area / spanMs : now;
      area = 0;
      takenAtMs = changedAtMs;
      taken = taken === undefined ? average : (taken + average) / 2;
      return taken;
    },
  };
}
