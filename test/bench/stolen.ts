import { readFileSync } from "node:fs";

/** Processor time in hundredths of a second, of all processors, since the machine began. */
export interface Ticks {
  stolen: number;
  all: number;
}

/** undefined where the system does not tell: only Linux does. */
export function ticks(): Ticks | undefined {
  let stat: string;
  try {
    stat = readFileSync("/proc/stat", "utf8");
  } catch {
    return undefined;
  }
  const [, ...counts] = (stat.split("\n")[0] ?? "").split(/\s+/).map(Number);
  // user, nice, system, idle, iowait, irq, softirq, steal: proc(5).
  return { stolen: counts[7] ?? 0, all: counts.slice(0, 8).reduce((sum, count) => sum + count, 0) };
}

/**
 * What the host gave to other machines since, as a share of the processors' time; "?" where it is
 * not known.
 */
export function stolenSince(before: Ticks | undefined): string {
  const now = ticks();
  if (before === undefined || now === undefined || now.all === before.all) return "?";
  return `${((100 * (now.stolen - before.stolen)) / (now.all - before.all)).toFixed(1)} %`;
}
