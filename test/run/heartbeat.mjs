// Loaded into Jest's own process and its workers. As long as the event loop of the first turns, it
// touches the file JEST_BEATS every second.
import { writeFileSync } from "node:fs";

const beats = process.env.JEST_BEATS;
const parent = process.ppid;

/**
 * Whose parent is gone was left behind by a run that was killed: nobody waits for it, and
 * its servers' guards end with it.
 */
function endWithParent() {
  if (process.ppid !== parent) process.kill(process.pid, "SIGKILL");
}

// Not what tests start.
const [, program] = /[/\\](jest|jest\.js|processChild\.js)$/.exec(process.argv[1] ?? "") ?? [];

if (beats !== undefined && program !== undefined) {
  setInterval(() => {
    endWithParent();
    if (program !== "processChild.js") writeFileSync(beats, "");
  }, 1_000).unref();
}
