import { join } from "node:path";
import { startChild, tailOf } from "./child.js";
import type { Cluster } from "./cluster.js";
import { logPath } from "./data-dir.js";
import { projectRoot } from "./project.js";

/**
 * Gives the demo's sandbox a month behind it while the cluster is there already. Whatever goes
 * wrong with it is said and stops nothing: the next start goes on with it.
 */
export async function makeSandboxMonth({ file: { dataDir } }: Cluster, signal: AbortSignal): Promise<void> {
  const log = await logPath(dataDir, "sandbox-month");
  const program = join(projectRoot(), "dist", "deploy", "demo", "month", "main.js");
  const env = { ...process.env, DATA_DIR: dataDir };
  const month = await startChild({ command: process.execPath, args: [program], env, log });
  const stop = () => void month.stop();
  signal.addEventListener("abort", stop);
  if (signal.aborted) stop();
  const { code } = await month.exited;
  signal.removeEventListener("abort", stop);
  if (code === 0 || signal.aborted) return;
  const lines = tailOf(log).trim().split("\n").slice(-3).join("\n  ");
  process.stderr.write(`The sandbox has no whole month behind it; the end of ${log} says:\n  ${lines}\n`);
}
