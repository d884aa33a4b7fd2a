// Progress lines of the scripts that run before anything is built. Plain
// JavaScript that Node 20 can run.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's root folder. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** A failure said in one sentence; printed without a stack. */
export class StepError extends Error {}

// Steps that run at the same time would overwrite each other's line.
let running = 0;

/** Does `work` and prints one line with its time. */
export async function step(name, work) {
  const startedAt = performance.now();
  const terminal = process.stdout.isTTY && running === 0;
  running++;
  if (terminal) process.stdout.write(`   …    ${name}`);
  try {
    const result = await work();
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1).padStart(5);
    process.stdout.write(`${terminal ? "\r" : ""}${seconds} s  ${name}\n`);
    return result;
  } catch (error) {
    if (terminal) process.stdout.write("\n");
    throw error;
  } finally {
    running--;
  }
}

/**
 * Runs a program and collects its output. Resolves with its exit status; kills
 * it after `maxMs`, where given.
 */
export function run(command, args, { env = process.env, inherit = false, maxMs, onSpawn } = {}) {
  return new Promise((resolve, reject) => {
    const stdio = inherit ? "inherit" : ["ignore", "pipe", "pipe"];
    const child = spawn(command, args, { cwd: root, env, stdio, timeout: maxMs, killSignal: "SIGKILL" });
    onSpawn?.(child);
    let output = "";
    child.stdout?.on("data", (text) => (output += text));
    child.stderr?.on("data", (text) => (output += text));
    child.once("error", reject);
    child.once("close", (status, signal) => resolve({ status: status ?? 1, signal, output }));
  });
}

/** A program of node_modules. */
export function tool(name) {
  return join(root, "node_modules", ".bin", name);
}

/**
 * Hash of the files below `folders` that `wanted` accepts: of their names,
 * sizes and times, which is quick.
 */
export function fingerprintOf(folders, wanted) {
  const hash = createHash("sha256");
  const add = (path) => {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isDirectory()) {
      for (const name of readdirSync(path).sort()) {
        if (name !== "node_modules") add(join(path, name));
      }
    } else if (stat && wanted(path)) {
      hash.update(`${path} ${stat.size} ${stat.mtimeMs}\n`);
    }
  };
  for (const folder of folders) add(join(root, folder));
  return hash.digest("hex");
}

const stamps = join(root, ".cache", "stamps");

/** What was kept under `name` by `keepStamp`; empty when nothing was. */
export function readStamp(name) {
  try {
    return readFileSync(join(stamps, name), "utf8");
  } catch {
    return "";
  }
}

export function keepStamp(name, text) {
  mkdirSync(stamps, { recursive: true });
  writeFileSync(join(stamps, name), text);
}

/**
 * Prints a failure as one sentence (or, where it is a bug of ours, with its
 * stack) and ends with status 1.
 */
export function fail(error) {
  const disk = /ENOSPC|No space left on device/.test(error?.message ?? "");
  if (disk) console.error(`The disk that holds ${root} is full: free some space and start again.`);
  else console.error(error instanceof StepError ? error.message : error);
  process.exitCode = 1;
}
