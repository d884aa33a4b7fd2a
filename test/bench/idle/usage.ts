import { readFileSync } from "node:fs";

/** What a process has used: processor time since it began, and memory now. */
export interface Use {
  cpuS: number;
  rssMb: number;
  /**
   * Pages that several processes have, divided among them: these add up to what the machine gives.
   */
  pssMb: number;
  /** Memory that goes when it ends: pages of the program itself are shared by all that run it. */
  ownMb: number;
  threads: number;
}

// How often Linux counts a process's time, in a second.
const ticksPerSecond = 100;

/** By name, from /proc; a process that is gone is left out. */
export function useOf(pids: Readonly<Record<string, number>>): Map<string, Use> {
  return new Map(
    Object.entries(pids).flatMap(([name, pid]) => {
      try {
        return [[name, read(pid)] as const];
      } catch {
        return [];
      }
    }),
  );
}

function read(pid: number): Use {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // After the name in brackets, which may hold spaces, they are the 12th and 13th field.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const memory = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  return {
    cpuS: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond,
    rssMb: kbOf(status, "VmRSS") / 1_024,
    pssMb: kbOf(memory, "Pss") / 1_024,
    ownMb: (kbOf(memory, "Private_Clean") + kbOf(memory, "Private_Dirty")) / 1_024,
    threads: kbOf(status, "Threads"),
  };
}

function kbOf(text: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(text)?.[1] ?? 0);
}
