import { execFile } from "node:child_process";
import { mkdirSync, renameSync } from "node:fs";
import { resolve } from "node:path";
import { promisify } from "node:util";

// Packages that are no ES modules ask for these.
const banner = `import { createRequire as requireOf } from "node:module";
const require = requireOf(import.meta.url), __filename = import.meta.filename, __dirname = import.meta.dirname;`;
const options = ["--bundle", "--platform=node", "--format=esm", "--target=node26"];
const made = new Map<string, Promise<string>>();

/**
 * Path of one file of JavaScript with all that a file of test/support needs: a process that is
 * killed again and again spends most of its life on finding and compiling a thousand of them.
 */
export function bundleSource(file: string): Promise<string> {
  const known = made.get(file) ?? bundle(file);
  made.set(file, known);
  return known;
}

async function bundle(file: string): Promise<string> {
  const folder = resolve(".cache", "bundles");
  const path = resolve(folder, file.replace(/\.ts$/, ".mjs"));
  mkdirSync(folder, { recursive: true });
  // In one step: another test file may run the last one.
  const fresh = `${path}.${process.pid}`;
  const given = [resolve("test/support", file), ...options, `--banner:js=${banner}`, `--outfile=${fresh}`];
  await promisify(execFile)(resolve("node_modules/.bin/esbuild"), [...given, "--log-level=error"]);
  renameSync(fresh, path);
  return path;
}
