import { spawn } from "node:child_process";

/** Between asking a script to end and ending it. */
const patienceMs = 5_000;

/**
 * Runs the operator's own script, such as a snapshot. Throws where it fails, and where `signal`
 * says that it has to end: the script with all that it started is gone by then.
 */
export function runShell(script: string, signal: AbortSignal): Promise<void> {
  // In a group of its own, so that what it started ends with it.
  const child = spawn("sh", ["-c", script], { stdio: "inherit", detached: true });
  const end = (how: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, how);
    } catch {
      // It has ended by itself.
    }
  };
  return new Promise((resolve, reject) => {
    let killing: NodeJS.Timeout | undefined;
    const stop = () => {
      end("SIGTERM");
      killing = setTimeout(end, patienceMs, "SIGKILL");
    };
    signal.addEventListener("abort", stop);
    if (signal.aborted) stop();
    child.on("error", reject);
    child.on("exit", (status) => {
      clearTimeout(killing);
      signal.removeEventListener("abort", stop);
      if (signal.aborted) reject(signal.reason as Error);
      else if (status === 0) resolve();
      else reject(new Error(`--run ended with status ${status ?? "none"}`));
    });
  });
}

/**
 * Runs `work` with a signal that is aborted by SIGINT, by SIGTERM and after `limitMs`, so that it
 * can put things right before this process ends.
 */
export async function untilStopped<T>(limitMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stopping = new AbortController();
  const stop = (why: string) => stopping.abort(new Error(`${why}: there is no barrier`));
  const limit = setTimeout(stop, limitMs, `it took longer than ${limitMs / 1_000} s`);
  // Asked again meanwhile, it goes on putting things right.
  process.on("SIGINT", stop).on("SIGTERM", stop);
  try {
    return await work(stopping.signal);
  } finally {
    process.off("SIGINT", stop).off("SIGTERM", stop);
    clearTimeout(limit);
  }
}
