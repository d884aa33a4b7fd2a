import type { EventEmitter } from "node:events";

interface StopSignalDeps {
  source?: Pick<EventEmitter, "on">;
  exit?: (code: number) => void;
  now?: () => number;
}

// A terminal signals npm and this process, and npm hands on what it got: one Ctrl-C comes twice.
const echoMs = 1_000;

/**
 * Resolves at the first SIGINT, SIGTERM or SIGHUP, which also aborts a start; at a second one that
 * is no echo of it nothing is waited for any more.
 */
export function stopSignal(
  stopping: AbortController,
  { source = process, exit = process.exit, now = performance.now.bind(performance) }: StopSignalDeps = {},
): Promise<void> {
  return new Promise((resolve) => {
    let firstAt = 0;
    const onSignal = () => {
      if (stopping.signal.aborted) {
        if (now() - firstAt >= echoMs) exit(1);
        return;
      }
      firstAt = now();
      process.stdout.write("\n");
      stopping.abort();
      resolve();
    };
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) source.on(signal, onSignal);
  });
}
