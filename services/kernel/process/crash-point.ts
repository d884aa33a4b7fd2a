import { AsyncLocalStorage } from "node:async_hooks";
import { readFileSync, rmSync } from "node:fs";

// How often each name was passed in this process: "name:2" kills at the second pass.
const passes = new Map<string, number>();

const spared = new AsyncLocalStorage<true>();

/** What only tries what another run will do: a test means to kill that one. */
export function sparedByCrashPoints<T>(work: () => Promise<T>): Promise<T> {
  return spared.run(true, work);
}

/**
 * Kills this process with SIGKILL, before anything after it runs, when CRASH_POINT names this
 * point: `CRASH_POINT=wallet.payment.claimed`, or `wallet.payment.claimed:2` for the second pass.
 * Or when the file that CRASH_POINT_FILE names does, which a test may write while the process runs;
 * it is gone afterwards. Placed between any two writes of a saga; never armed in production.
 */
export function crashPoint(name: string): void {
  const { CRASH_POINT: always, CRASH_POINT_FILE: file, NODE_ENV } = process.env;
  if ((always === undefined && file === undefined) || NODE_ENV === "production") return;
  if (spared.getStore() === true) return;
  const armed = always ?? contentOf(file as string);
  if (armed !== name && !armed.startsWith(`${name}:`)) return;
  const pass = (passes.get(name) ?? 0) + 1;
  passes.set(name, pass);
  if (armed !== name && pass !== Number(armed.slice(name.length + 1))) return;
  if (always === undefined) rmSync(file as string, { force: true });
  process.kill(process.pid, "SIGKILL");
}

/**
 * How long work that a killed process had begun stays out of others' reach, in ms: `usualMs`, or
 * CRASH_LEASE_MS where a test kills one process after the other.
 */
export function leaseOf(usualMs: number): number {
  const { CRASH_LEASE_MS: given, NODE_ENV } = process.env;
  return !given || NODE_ENV === "production" ? usualMs : Number(given);
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
