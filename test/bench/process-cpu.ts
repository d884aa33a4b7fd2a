import { readFileSync } from "node:fs";

/** CPU by process, ms. */
export type Cpu = Record<string, number>;

// Hundredths of a second on every Linux that runs on a server: proc(5), sysconf(_SC_CLK_TCK).
const msPerTick = 10;

/** What each process has taken since it began: user and system. Only Linux tells. */
export function cpuOf(pids: Record<string, number>): Cpu {
  return Object.fromEntries(
    Object.entries(pids).map(([name, pid]) => {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      // The name in brackets may have spaces: fields are counted from behind it.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return [name, (Number(fields[11]) + Number(fields[12])) * msPerTick];
    }),
  );
}

/** What was taken since `before`, less what as long a time of rest takes. */
export function cpuSince(before: Cpu, now: Cpu, idle: { ofSecond: Cpu; seconds: number }): Cpu {
  return Object.fromEntries(
    Object.entries(now).map(([name, ms]) => [
      name,
      ms - (before[name] ?? 0) - (idle.ofSecond[name] ?? 0) * idle.seconds,
    ]),
  );
}

export function sumOf(cpu: Cpu): number {
  return Object.values(cpu).reduce((sum, ms) => sum + ms, 0);
}
