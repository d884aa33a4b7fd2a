import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** What one stretch of load did. Times in ms; CPU in µs per transfer. */
export interface Sample {
  readonly transfersPerS: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Whoever runs the ledger's code: this process (load included) or the ledger's own. */
  readonly ledgerCpuUs: number;
  readonly mongodCpuUs: number;
  /** Load and gRPC client of this process, where the ledger is another one. */
  readonly clientCpuUs: number;
}

export interface LoadOptions {
  readonly clients: number;
  readonly warmMs: number;
  readonly runMs: number;
  readonly mongodPid: number;
  /** Absent where the ledger runs in this process. */
  readonly ledgerPid?: number | undefined;
  /** Counted with the ledger's. */
  readonly otherPids?: readonly number[];
}

/**
 * Runs `act` in a closed loop by so many clients and measures after warming up. `act` says how many
 * transfers it made.
 */
export async function measure(act: () => Promise<number>, options: LoadOptions): Promise<Sample> {
  const { clients, warmMs, runMs, ledgerPid } = options;
  const latenciesMs: number[] = [];
  let transfers = 0;
  let isCounting = false;
  let hasAnswered = false;
  let isRunning = true;
  const client = async () => {
    while (isRunning) {
      const startedAt = performance.now();
      const made = await act();
      hasAnswered = true;
      if (!isCounting) continue;
      latenciesMs.push(performance.now() - startedAt);
      transfers += made;
    }
  };
  const all = Promise.all(Array.from({ length: clients }, client));
  // A client that fails ends the run; nobody else waits for it until then.
  all.catch(() => (isRunning = false));
  await sleep(warmMs);
  // Where what is done once, such as compiling, takes longer than that.
  while (isRunning && !hasAnswered) await sleep(10);
  const before = readClocks(options);
  isCounting = true;
  await sleep(runMs);
  isCounting = false;
  const after = readClocks(options);
  isRunning = false;
  await all;
  latenciesMs.sort((a, b) => a - b);
  const perTransfer = (ms: number) => (transfers === 0 ? 0 : (ms * 1_000) / transfers);
  const ownMs = after.ownMs - before.ownMs;
  return {
    transfersPerS: (transfers * 1_000) / (after.atMs - before.atMs),
    p50Ms: quantile(latenciesMs, 0.5),
    p99Ms: quantile(latenciesMs, 0.99),
    ledgerCpuUs: perTransfer(ledgerPid === undefined ? ownMs : after.ledgerMs - before.ledgerMs),
    mongodCpuUs: perTransfer(after.mongodMs - before.mongodMs),
    clientCpuUs: ledgerPid === undefined ? 0 : perTransfer(ownMs),
  };
}

function readClocks({ mongodPid, ledgerPid, otherPids = [] }: LoadOptions) {
  const { user, system } = process.cpuUsage();
  const ledgerPids = ledgerPid === undefined ? [] : [ledgerPid, ...otherPids];
  return {
    atMs: performance.now(),
    ownMs: (user + system) / 1_000,
    mongodMs: cpuMsOf(mongodPid),
    ledgerMs: ledgerPids.reduce((sum, pid) => sum + cpuMsOf(pid), 0),
  };
}

const clockTickMs = 10;

/**
 * CPU time of a process and its children so far, ended or not, in ms: fields 14 to 17 of
 * /proc/<pid>/stat, in ticks of 10 ms. PostgreSQL has a process a connection.
 */
export function cpuMsOf(pid: number): number {
  const children = textOf(`/proc/${pid}/task/${pid}/children`).split(" ").filter(Boolean);
  const stats = [readFileSync(`/proc/${pid}/stat`, "utf8"), ...children.map((child) => textOf(`/proc/${child}/stat`))];
  return stats.reduce((sum, stat) => sum + ticksOf(stat) * clockTickMs, 0);
}

function ticksOf(stat: string): number {
  if (stat === "") return 0;
  // The name in parentheses may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0);
}

/** Empty where there is no such file: a child may have just ended. */
function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** Resident memory of a process now and at its highest, in MB, from /proc/<pid>/status. */
export function memoryMbOf(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const mb = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) / 1_024;
  return { now: mb("VmRSS"), peak: mb("VmHWM") };
}

/** Of values sorted upwards. */
export function quantile(sorted: readonly number[], q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
