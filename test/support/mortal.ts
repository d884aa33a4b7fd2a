import { fork, type ChildProcess } from "node:child_process";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { bundleSource } from "./bundle.js";

export interface MortalOptions {
  /** Below test/support; it tells its port when it serves. */
  readonly script: string;
  /** Its environment; the port is that of its first life, 0 in that. */
  env(port: number): Record<string, string>;
  /**
   * The file that names where it dies next, or whoever of those that share it comes there first.
   */
  readonly pointFile: string;
  /** How long it may take to die of a signal. */
  readonly patienceMs?: number;
}

/**
 * A process that is there again, at the same port, whenever it has died: the next one
 * stands by with its code loaded.
 */
export type Mortal = Awaited<ReturnType<typeof startMortal>>;

export async function startMortal({ script, env, pointFile, patienceMs = 60_000 }: MortalOptions) {
  const file = await bundleSource(script);
  let port = 0;
  let child: ChildProcess;
  let spare: ChildProcess | undefined;
  let deaths = 0;
  let isServing = false;
  let isOver = false;

  const load = () =>
    fork(file, {
      execPath: resolve("node_modules/.bin/node"),
      env: {
        ...process.env,
        NODE_OPTIONS: "",
        NODE_COMPILE_CACHE: resolve(".cache/compiled"),
        STANDS_BY: "yes",
        CRASH_POINT_FILE: pointFile,
        ...env(port),
      },
    });
  let alive = begin();

  function begin(): Promise<void> {
    const ready = Promise.withResolvers<void>();
    child = spare?.connected === true ? spare : load();
    spare = undefined;
    child.send("begin");
    child.on("message", (message: { port: number }) => {
      port = message.port;
      isServing = true;
      ready.resolve();
      if (!isOver) spare ??= load();
    });
    child.once("exit", () => {
      isServing = false;
      if (isOver) return;
      deaths += 1;
      // One that dies before it serves is begun again just so.
      const next = begin();
      ready.resolve(next);
      alive = next;
    });
    return ready.promise;
  }

  async function died(before: number, ms: number): Promise<boolean> {
    const until = performance.now() + ms;
    while (deaths === before && performance.now() < until) await sleep(10);
    return deaths > before;
  }

  await alive;
  return {
    port: () => port,
    deaths: () => deaths,
    async kill(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
      await alive;
      const before = deaths;
      child.kill(signal);
      if (!(await died(before, patienceMs))) throw new Error(`${script} does not die of ${signal}`);
    },
    serves: () => isServing,
    end(): void {
      isOver = true;
      child.kill("SIGKILL");
      spare?.kill("SIGKILL");
    },
  };
}
