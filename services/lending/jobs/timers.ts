import type { Logger } from "../../kernel/process/log.js";

export interface Repeating {
  /** Waits for a turn that runs. */
  stop(): Promise<void>;
}

/** Runs work again and again, never beside itself. What it throws is logged. */
export function repeat(
  everyMs: number,
  log: Logger,
  what: string,
  work: (isStopping: () => boolean) => Promise<void>,
): Repeating {
  let isStopped = false;
  let running: Promise<void> | undefined;
  const turn = (): void => {
    running ??= work(() => isStopped)
      .catch((error: unknown) => log.warn({ err: error }, `${what} goes on later`))
      .finally(() => (running = undefined));
  };
  const timer = setInterval(turn, everyMs);
  return {
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
