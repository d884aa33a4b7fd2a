import { spawnSync } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

/**
 * A program of Python packages, each with its version: installed into a venv of its own under
 * .cache when it is first asked for; undefined without Python or a package index.
 */
export function findPythonTool(program: string, version: string, packages: readonly string[]): string | undefined {
  const venv = resolve(".cache", `${program}-${version}`);
  const found = join(venv, "bin", program);
  // Written last: a venv whose installer was killed is made anew.
  const whole = join(venv, "installed.txt");
  const wanted = packages.join("\n");
  if (existsSync(found) && existsSync(whole)) return found;
  const quietly = (command: string, args: string[]) =>
    spawnSync(command, args, { stdio: "ignore", timeout: 180_000 }).status === 0;
  const installed =
    quietly("python3", ["-m", "venv", "--clear", venv]) &&
    quietly(join(venv, "bin", "pip"), ["install", "--quiet", ...packages]) &&
    existsSync(found);
  if (installed) writeFileSync(whole, `${wanted}\n`);
  else rmSync(venv, { recursive: true, force: true });
  return installed ? found : undefined;
}
