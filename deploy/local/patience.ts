import { readFileSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

export interface Waited {
  name: string;
  log: string;
  /** Undefined while it is down. */
  pid(): number | undefined;
  isReady(): Promise<boolean>;
  everyMs?: number;
  signal?: AbortSignal | undefined;
}

export interface PatienceOptions {
  print?: (line: string) => void;
  printEveryMs?: number;
  /** How long one that does nothing is waited for: neither its log nor its processor time moves. */
  quietMs?: number;
  /** The last resort: how long one is waited for that goes on working. */
  maxMs?: number;
}

export type Patience = ReturnType<typeof createPatience>;

/**
 * Waits for processes to become ready: a slow machine is no fault, so one that is alive and works
 * is not given up. Every ten seconds one line names what is still waited for.
 */
export function createPatience(options: PatienceOptions = {}) {
  const { print = () => undefined, printEveryMs = 10_000, quietMs = 60_000, maxMs = 900_000 } = options;
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
    const { name, log, pid, isReady, everyMs = 25, signal } = child;
    const startedAt = performance.now();
    let movedAt = startedAt;
    let last = signsOf(log, pid());
    waiting.add(name);
    try {
      for (;;) {
        signal?.throwIfAborted();
        const running = pid();
        if (running === undefined) return "ended";
        if (await isReady()) return undefined;
        const now = performance.now();
        const signs = signsOf(log, running);
        if (signs !== last) [last, movedAt] = [signs, now];
        if (now - movedAt >= quietMs) return `did nothing for ${Math.round(quietMs / 1_000)} s`;
        if (now - startedAt >= maxMs) return `was not ready within ${Math.round(maxMs / 1_000)} s`;
        printStillWaiting(startedAt);
        await sleep(everyMs);
      }
    } finally {
      waiting.delete(name);
    }
  };
}

/**
 * What changes while a process works: the size of its log and the processor time it has had (where
 * there is a /proc).
 */
function signsOf(log: string, pid: number | undefined): string {
  const size = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // After the name in brackets, which may hold spaces, user and system time are the 12th and 13th
    // field.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return `${size} ${fields[11]} ${fields[12]}`;
  } catch {
    return String(size);
  }
}
