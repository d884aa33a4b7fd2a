import { setTimeout as sleep } from "node:timers/promises";

export interface Waited {
  name: string;
  /** Undefined while it is down. */
  pid(): number | undefined;
  isReady(): Promise<boolean>;
  everyMs?: number;
  signal?: AbortSignal | undefined;
}

export interface PatienceOptions {
  print?: (line: string) => void;
  printEveryMs?: number;
  /** The last resort: how long one is waited for that lives and does not become ready. */
  maxMs?: number;
}

export type Patience = ReturnType<typeof createPatience>;

/**
 * Waits for processes to become ready: a slow machine is no fault, and one that has no turn there,
 * or waits for another, shows no sign of work. So whoever lives is waited for. Every ten seconds
 * one line names what is still waited for.
 */
export function createPatience(options: PatienceOptions = {}) {
  const { print = () => undefined, printEveryMs = 10_000, maxMs = 900_000 } = options;
  const waiting = new Set<string>();
  let printedAt = 0;

  function printStillWaiting(startedAt: number): void {
    const now = performance.now();
    if (now - Math.max(startedAt, printedAt) < printEveryMs) return;
    printedAt = now;
    print(`${((now - startedAt) / 1_000).toFixed(0).padStart(5)} s  still waiting for ${[...waiting].join(", ")}`);
  }

  /**
   * Undefined once it is ready, else why it is no longer waited for. Rejects when the signal is
   * aborted.
   */
  return async function waitFor(child: Waited): Promise<string | undefined> {
    const { name, pid, isReady, everyMs = 25, signal } = child;
    const startedAt = performance.now();
    waiting.add(name);
    try {
      for (;;) {
        signal?.throwIfAborted();
        if (pid() === undefined) return "ended";
        if (await isReady()) return undefined;
        if (performance.now() - startedAt >= maxMs) return `was not ready within ${Math.round(maxMs / 1_000)} s`;
        printStillWaiting(startedAt);
        await sleep(everyMs);
      }
    } finally {
      waiting.delete(name);
    }
  };
}
