import { fork, type ChildProcess } from "node:child_process";
import { resolve } from "node:path";

/**
 * Runs a file of test/support, as it is written, in a process of its own. What one of them has
 * compiled, the next one need not.
 */
export function forkSource(file: string, env: Readonly<Record<string, string>>): ChildProcess {
  return fork(resolve("test/support", file), {
    execPath: resolve("node_modules/.bin/node"),
    execArgv: ["--import", resolve("test/bench/edge/hooks.mjs")],
    env: { ...process.env, NODE_OPTIONS: "", NODE_COMPILE_CACHE: resolve(".cache/compiled"), ...env },
  });
}
