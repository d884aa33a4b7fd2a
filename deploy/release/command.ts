import { execFile, spawn } from "node:child_process";
import { promisify } from "node:util";

const execute = promisify(execFile);

export interface CommandOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
}

/** Standard output of a program; rejects with what it says where it fails. */
export async function outputOf(program: string, args: readonly string[], options: CommandOptions = {}) {
  const { stdout } = await execute(program, args, { maxBuffer: 256 * 2 ** 20, ...options });
  return stdout;
}

/**
 * Runs a program that may ask a person; `input` is read in their place. Resolves with its status
 * and what it printed as errors.
 */
export function askable(program: string, args: readonly string[], input: string | undefined) {
  return new Promise<{ status: number; errors: string }>((resolve, reject) => {
    const asksPerson = input === undefined;
    const child = spawn(program, args, { stdio: asksPerson ? "inherit" : ["pipe", "ignore", "pipe"] });
    let errors = "";
    child.stderr?.on("data", (text: Buffer) => (errors += text.toString("utf8")));
    child.once("error", reject);
    child.once("close", (status) => resolve({ status: status ?? 1, errors }));
    // A program that ends before it has read all is judged by its status.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input);
  });
}

/** Whether a program of this name can be started. */
export function isThere(program: string, ...args: string[]): Promise<boolean> {
  return outputOf(program, args).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== "ENOENT" && error.code !== "EACCES",
  );
}
