import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";

const version = "4.32.5";

/** The program, installed into a venv of its own under .cache when it is first asked for; undefined without Python or network. */
export function findSchemathesis(): string | undefined {
  const venv = resolve(".cache", `schemathesis-${version}`);
  const program = join(venv, "bin", "schemathesis");
  if (existsSync(program)) return program;
  const quietly = (command: string, args: string[]) =>
    spawnSync(command, args, { stdio: "ignore", timeout: 180_000 }).status === 0;
  const installed =
    quietly("python3", ["-m", "venv", venv]) &&
    quietly(join(venv, "bin", "pip"), ["install", "--quiet", `schemathesis==${version}`]);
  if (!installed) rmSync(venv, { recursive: true, force: true });
  return installed ? program : undefined;
}
