import { spawn } from "node:child_process";

export interface Ran {
  status: number;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  input?: string | Buffer | undefined;
  /** Milliseconds; ten minutes when absent. */
  timeoutMs?: number | undefined;
  /** Ends the command when it is aborted. */
  signal?: AbortSignal | undefined;
}

/** Runs a command line of words; resolves with whatever it ends with. */
export function runAny(words: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const [command = "", ...args] = words;
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: ["pipe", "pipe", "pipe"],
      timeout: options.timeoutMs ?? 600_000,
      ...(options.signal && { signal: options.signal }),
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
    child.once("error", reject);
    child.once("close", (status) =>
      resolve({
        status: status ?? 1,
        stdout: Buffer.concat(out).toString("utf8"),
        stderr: Buffer.concat(err).toString("utf8"),
      }),
    );
    child.stdin.on("error", () => undefined);
    child.stdin.end(options.input ?? "");
  });
}

/** Standard output of a command that must succeed. */
export async function mustRun(words: readonly string[], options: RunOptions = {}): Promise<string> {
  const { status, stdout, stderr } = await runAny(words, options);
  if (status !== 0)
    throw new Error(
      `${words.slice(0, 6).join(" ")} … ended with ${status}: ${(stderr || stdout).trim().slice(-2_000)}`,
    );
  return stdout;
}

/** Splits a command given in an environment variable at its spaces. */
export function wordsOf(variable: string, otherwise: string): string[] {
  return (process.env[variable] || otherwise).split(/\s+/).filter(Boolean);
}
