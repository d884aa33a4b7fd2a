import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, mkdirSync, openSync, readSync, fstatSync } from "node:fs";
import { dirname } from "node:path";

export interface ChildOptions {
  command: string;
  args: readonly string[];
  env?: NodeJS.ProcessEnv | undefined;
  cwd?: string | undefined;
  /** File that gets standard output and error, appended to. */
  log: string;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface Child {
  readonly pid: number;
  readonly exited: Promise<Exit>;
  isRunning(): boolean;
  /** SIGTERM, then SIGKILL after `graceMs`. Resolves when the process is gone. */
  stop(graceMs?: number): Promise<Exit>;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<Exit>;
}

/**
 * Starts a process in a group of its own, so that Ctrl-C reaches only us and we can stop everything
 * in order. Should we die without stopping it (kill -9), a guard stops it.
 */
export async function startChild(options: ChildOptions): Promise<Child> {
  mkdirSync(dirname(options.log), { recursive: true, mode: 0o700 });
  const log = openSync(options.log, "a");
  const child = spawn(options.command, options.args, {
    cwd: options.cwd,
    env: options.env ?? process.env,
    detached: true,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  const pid = await new Promise<number>((resolve, reject) => {
    child.once("spawn", () => resolve(child.pid as number));
    child.once("error", reject);
  });
  const exited = new Promise<Exit>((resolve) => child.once("exit", (code, signal) => resolve({ code, signal })));
  const release = guard(pid);
  void exited.then(release);
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  return {
    pid,
    exited,
    isRunning,
    stop: (graceMs = 10_000) => stopChild(child, exited, isRunning, graceMs),
    kill: () => {
      if (isRunning()) child.kill("SIGKILL");
      return exited;
    },
  };
}

async function stopChild(
  child: ChildProcess,
  exited: Promise<Exit>,
  isRunning: () => boolean,
  graceMs: number,
): Promise<Exit> {
  if (!isRunning()) return exited;
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), graceMs);
  try {
    return await exited;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * A shell that waits on a pipe from us: a line means the child has ended, end of file that we died
 * before it.
 */
function guard(pid: number): () => void {
  const shell = spawn("/bin/sh", ["-c", 'read -r line || kill -TERM "$0"', String(pid)], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  shell.once("error", () => undefined);
  shell.stdin.on("error", () => undefined);
  shell.unref();
  (shell.stdin as unknown as { unref?: () => void }).unref?.();
  return () => shell.stdin.end("ended\n");
}

/** The last `maxBytes` bytes of a file as text; empty when it cannot be read. */
export function tailOf(path: string, maxBytes = 4096): string {
  try {
    const file = openSync(path, "r");
    try {
      const size = fstatSync(file).size;
      const buffer = Buffer.alloc(Math.min(size, maxBytes));
      readSync(file, buffer, 0, buffer.length, size - buffer.length);
      return buffer.toString("utf8");
    } finally {
      closeSync(file);
    }
  } catch {
    return "";
  }
}
