import { execFile } from "node:child_process";
import { mkdirSync, renameSync } from "node:fs";
import { resolve } from "node:path";
import { promisify } from "node:util";

// No ES module, and short: reading and linking millions of letters takes as long as
// running them. Names stay: what is called by its own is looked up by it. Amazon's
// library is loaded by nobody here.
const form = ["--bundle", "--platform=node", "--format=cjs", "--target=node26", "--external:@aws-sdk/client-kms"];
const options = [...form, "--minify-whitespace", "--minify-syntax", "--log-level=error"];
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
  const path = resolve(folder, file.replace(/\.ts$/, ".cjs"));
  mkdirSync(folder, { recursive: true });
  // In one step: another test file may run the last one.
  const fresh = `${path}.${process.pid}`;
  const given = [resolve("test/support", file), ...options, `--outfile=${fresh}`];
  await promisify(execFile)(resolve("node_modules/.bin/esbuild"), given);
  renameSync(fresh, path);
  return path;
}
