import { fork, type ChildProcess } from "node:child_process";
import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { bundleSource } from "./bundle.js";

export interface MortalOptions {
  /** Below test/support; it tells its port when it serves. */
  readonly script: string;
  /** Its environment; the port is that of its first life, 0 in that. */
  env(port: number): Record<string, string>;
  /** A file of its own that names where it dies next. */
  readonly pointFile: string;
}

/** A process that is there again, at the same port, whenever it has died: the next one stands by with its code loaded. */
export type Mortal = Awaited<ReturnType<typeof startMortal>>;

export async function startMortal({ script, env, pointFile }: MortalOptions) {
  const file = await bundleSource(script);
  let port = 0;
  let child: ChildProcess;
  let spare: ChildProcess | undefined;
  let deaths = 0;
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
    child.on("message", (said: { port: number }) => {
      port = said.port;
      ready.resolve();
      if (!isOver) spare ??= load();
    });
    child.once("exit", () => {
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
    /** Kills it with -9 where it next passes the point, or after `ms` wherever it is then. */
    async killAt(point: string, ms: number): Promise<"AT_POINT" | "ANYWHERE"> {
      await alive;
      const before = deaths;
      // In one step: the process reads it at every point.
      writeFileSync(`${pointFile}.new`, point);
      renameSync(`${pointFile}.new`, pointFile);
      const isAtPoint = (await died(before, ms)) && !existsSync(pointFile);
      rmSync(pointFile, { force: true });
      if (isAtPoint) return "AT_POINT";
      if (deaths === before) await this.kill("SIGKILL");
      return "ANYWHERE";
    },
    async kill(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
      await alive;
      const before = deaths;
      child.kill(signal);
      if (!(await died(before, 60_000))) throw new Error(`${script} does not die of ${signal}`);
    },
    /** Serves again. */
    alive: () => alive,
    end(): void {
      isOver = true;
      child.kill("SIGKILL");
      spare?.kill("SIGKILL");
    },
  };
}
