import { readFileSync } from "node:fs";

/**
 * Tells a process from a later one that got the same pid: its start time in ticks; empty where
 * there is no /proc.
 */
export function startTokenOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in brackets may hold spaces; the start time is the 20th field after it, the state
    // the first.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? "ended" : (fields[19] ?? "");
  } catch {
    return "";
  }
}

/** Whether the process that had `pid` and `startToken` still runs. */
export function isAlive(pid: number, startToken: string): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // It is there, but not ours.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  const now = startTokenOf(pid);
  return now !== "ended" && now === startToken;
}
