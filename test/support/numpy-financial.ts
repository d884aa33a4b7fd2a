import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";

const [financial, numpy] = ["1.0.0", "2.2.6"];

/**
 * A Python that has numpy-financial, installed into a venv of its own under .cache when it is first
 * asked for; undefined without Python or network.
 */
export function findNumpyFinancial(): string | undefined {
  const venv = resolve(".cache", `numpy-financial-${financial}`);
  const python = join(venv, "bin", "python");
  const ready = join(venv, "ready");
  if (existsSync(ready)) return python;
  const quietly = (command: string, args: string[]) =>
    spawnSync(command, args, { stdio: "ignore", timeout: 180_000 }).status === 0;
  const installed =
    quietly("python3", ["-m", "venv", venv]) &&
    (quietly(join(venv, "bin", "pip"), ["install", "--quiet", `numpy-financial==${financial}`, `numpy==${numpy}`]) ||
      quietly(join(venv, "bin", "pip"), ["install", "--quiet", `numpy-financial==${financial}`])) &&
    quietly("touch", [ready]);
  if (!installed) rmSync(venv, { recursive: true, force: true });
  return installed ? python : undefined;
}
