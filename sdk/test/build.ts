import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** Translates the library, types unchecked, into a folder of the test's own. */
export function buildLibrary(): { folder: string; index: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "manilla-client-"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module", "sideEffects": false }');
  const options = ["--noCheck", "--declaration", "false", "--outDir", folder];
  execFileSync(resolve("node_modules/.bin/tsc"), ["-p", resolve("sdk/tsconfig.json"), ...options], { stdio: "pipe" });
  return { folder, index: join(folder, "index.js"), remove: () => rmSync(folder, { recursive: true, force: true }) };
}
