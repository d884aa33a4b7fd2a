/** How much a journal has to do: transfers that wait or are under way. */
export interface LoadMeter {
  /** Transfers come, or leave where negative. */
  change(by: number): void;
  readonly now: number;
  /**
   * The average since it was last taken, a quarter of it beside three of what was taken then: a
   * quiet or busy moment, such as one in which the machine did something else, does not count.
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
      taken = taken === undefined ? average : taken + (average - taken) / 4;
      return taken;
    },
  };
}
