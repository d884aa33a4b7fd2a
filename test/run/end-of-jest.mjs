// Jest is one process for many minutes, and its event loop may stop for good after everything has
// run: Node locks itself up while it ends (https://github.com/nodejs/node/issues/54918 and 47748
// are two such ways), or its main thread runs on in something. A run is not lost to that.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";

/**
 * Kills a process that does not end by itself within `graceMs` of its `results` being there. What
 * is given back says then whether its event loop had stopped turning (`isLockedUp`): nothing of
 * ours ran any more, and it was not kept alive by something that a test has left open. A loop that
 * turns touches the file `beats` every second (heartbeat.mjs).
 */
export function endAfter(results, beats, child, { graceMs = 60_000, lookEveryMs = 1_000 } = {}) {
  const end = { isLockedUp: false, threads: [] };
  let doneAt;
  const timer = setInterval(() => {
    if (doneAt === undefined) {
      if (existsSync(results)) doneAt = performance.now();
    } else if (performance.now() - doneAt > graceMs) {
      clearInterval(timer);
      end.isLockedUp = Date.now() - (statSync(beats, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) > graceMs / 2;
      end.threads = threadsOf(child.pid);
      child.kill("SIGKILL");
    }
  }, lookEveryMs);
  child.once("close", () => clearInterval(timer));
  return end;
}

/** Where the threads of a process are (Linux): name, state, what of the kernel they wait in. */
function threadsOf(pid) {
  try {
    return readdirSync(`/proc/${pid}/task`).map((id) => {
      const read = (file) => readFileSync(`/proc/${pid}/task/${id}/${file}`, "utf8").trim();
      return `${read("comm")} ${/\) (\S)/.exec(read("stat"))?.[1]} ${read("wchan")}`;
    });
  } catch {
    return [];
  }
}
