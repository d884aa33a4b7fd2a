// A run leaves nothing behind: neither processes nor folders, however it ends.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasSharedMemory } from "./machine.mjs";

const prefix = "manilla-run-";

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code !== "ESRCH";
  }
}

/**
 * Folders for all that the run's processes put aside, named after this process and removed as
 * it ends: their TMPDIR, and TEST_MEMORY_DIR for what servers keep. What runs that were
 * killed have left is removed first.
 */
export function temporaryFolders() {
  const parents = { TMPDIR: tmpdir(), TEST_MEMORY_DIR: hasSharedMemory() ? "/dev/shm" : tmpdir() };
  const folders = {};
  for (const [name, parent] of Object.entries(parents)) {
    for (const left of readdirSync(parent)) {
      const pid = left.startsWith(prefix) ? Number.parseInt(left.slice(prefix.length), 10) : undefined;
      if (pid !== undefined && !isAlive(pid)) rmSync(join(parent, left), { recursive: true, force: true });
    }
    folders[name] = mkdtempSync(join(parent, `${prefix}${process.pid}-`));
  }
  process.once("exit", () => {
    for (const folder of Object.values(folders)) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  return folders;
}

const signals = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 };

/**
 * Ctrl-C, kill and a closed terminal end what `children` has; the guards of its servers see that,
 * and end them within a second or two. What is given back says whether that is under way.
 */
export function endWithSignals(children) {
  const state = { isEnding: false };
  for (const [signal, number] of Object.entries(signals)) {
    process.once(signal, () => {
      state.isEnding = true;
      for (const child of children) child.kill("SIGKILL");
      console.log(`Ended by ${signal}.`);
      setTimeout(() => process.exit(128 + number), 2_500);
    });
  }
  return state;
}
