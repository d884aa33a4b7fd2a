import { setTimeout as sleep } from "node:timers/promises";
import type { Exit } from "./child.js";
import { createPatience, type Patience } from "./patience.js";
import { StartError } from "./start-error.js";

/** A process that runs: a service, mongod or valkey-server. */
export interface Startable {
  readonly pid: number;
  readonly exited: Promise<Exit>;
  isRunning(): boolean;
  stop(): Promise<unknown>;
  kill(): Promise<unknown>;
}

export interface SuperviseOptions {
  name: string;
  log: string;
  start(env: NodeJS.ProcessEnv): Promise<Startable>;
  isReady(): Promise<boolean>;
  /** Why it ended, from its log; for the error of a first start. */
  reason?: () => string | undefined;
  print(line: string): void;
  /** Told after every start. */
  onStart(pid: number): void;
  backoff?: { firstMs: number; maxMs: number };
  /** How its first start is waited for. */
  patience?: Patience;
}

export interface Restart {
  /** Variables from now on, above those it was started with. */
  env?: NodeJS.ProcessEnv;
  /**
   * Variables of the next run only, such as CRASH_POINT: when that run ends, the next goes without.
   */
  envOnce?: NodeJS.ProcessEnv;
}

export interface Supervised {
  readonly name: string;
  readonly log: string;
  /** Undefined while it is down. */
  pid(): number | undefined;
  /** First start: a process that ends before it is ready is an error. Throws StartError. */
  start(signal?: AbortSignal): Promise<void>;
  whenReady(timeoutMs?: number, signal?: AbortSignal): Promise<void>;
  /** Resolves when the run of this moment has ended. */
  whenEnded(): Promise<Exit | undefined>;
  /** Drains and stops it; it stays down. */
  stop(): Promise<void>;
  /** SIGKILL; it stays down until `restart`. */
  kill(): Promise<void>;
  /** Stops it if it runs, starts it and waits until it is ready. */
  restart(options?: Restart): Promise<void>;
}

const stableAfterMs = 30_000;

/**
 * Keeps a process up: one that ends by itself is started again, later each time (0.25 s to 10 s).
 */
export function supervise(options: SuperviseOptions): Supervised {
  const backoff = options.backoff ?? { firstMs: 250, maxMs: 10_000 };
  const patience = options.patience ?? createPatience({ print: options.print });
  let run: Startable | undefined;
  let wanted = false;
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;
  let extraEnv: NodeJS.ProcessEnv = {};

  const pid = (): number | undefined => (run?.isRunning() ? run.pid : undefined);

  function adopt(started: Startable): void {
    const startedAt = Date.now();
    run = started;
    options.onStart(started.pid);
    void started.exited.then((exit) => {
      if (run === started) run = undefined;
      if (Date.now() - startedAt > stableAfterMs) failures = 0;
      if (wanted) again(describeExit(exit));
    });
  }

  async function launch(envOnce: NodeJS.ProcessEnv = {}): Promise<void> {
    const started = await options.start({ ...extraEnv, ...envOnce });
    adopt(started);
    // Stopped while it was being started.
    if (!wanted) await started.stop();
  }

  function again(why: string): void {
    const waitMs = Math.min(backoff.maxMs, backoff.firstMs * 2 ** failures);
    failures++;
    options.print(`${options.name} ${why}: starting it again in ${waitMs / 1000} s; its log is ${options.log}`);
    timer = setTimeout(() => {
      launch().catch((error: Error) => {
        if (wanted) again(`could not be started (${error.message})`);
      });
    }, waitMs);
  }

  async function whenReady(timeoutMs = 300_000, signal?: AbortSignal): Promise<void> {
    const giveUpAt = Date.now() + timeoutMs;
    while (Date.now() < giveUpAt) {
      signal?.throwIfAborted();
      if (run?.isRunning() && (await options.isReady())) return;
      await sleep(25);
    }
    throw new StartError(`${options.name} was not ready within ${timeoutMs / 1000} s; its log is ${options.log}.`);
  }

  /**
   * The first start is strict: a wrong configuration must be said at once, not tried again for
   * ever.
   */
  async function start(signal?: AbortSignal): Promise<void> {
    wanted = false;
    const started = await options.start(extraEnv);
    adopt(started);
    const { name, log, isReady } = options;
    const fault = await patience({ name, pid, isReady, signal });
    if (!started.isRunning()) {
      const reason = options.reason?.();
      const why = reason ? ` (${reason})` : "";
      throw new StartError(`${name} ${describeExit(await started.exited)} while starting${why}; its log is ${log}.`);
    }
    if (fault !== undefined) throw new StartError(`${name} ${fault} and is not ready; its log is ${log}.`);
    wanted = true;
  }

  async function down(how: "stop" | "kill"): Promise<void> {
    wanted = false;
    clearTimeout(timer);
    const ending = run;
    if (ending) await ending[how]();
    if (run === ending) run = undefined;
  }

  return {
    name: options.name,
    log: options.log,
    pid,
    start,
    whenReady,
    whenEnded: async () => run?.exited,
    stop: () => down("stop"),
    kill: () => down("kill"),
    restart: async ({ env = {}, envOnce = {} } = {}) => {
      await down("stop");
      extraEnv = { ...extraEnv, ...env };
      failures = 0;
      wanted = true;
      await launch(envOnce);
      await whenReady();
    },
  };
}

function describeExit(exit: Exit): string {
  return exit.signal ? `was ended by ${exit.signal}` : `ended with status ${exit.code}`;
}
