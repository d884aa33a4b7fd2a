// npm run reach [-- NAME]: makes the changes of test/reach/changes.ts, each in a scratch copy,
// until types and the named tests pass, and counts the files edited by hand.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { changes, type Change, type Edit } from "./changes.js";

const contract = ["roles", "api-tokens", "asvs", "client-types", "console-scopes"].map(
  (name) => `test/contract/${name}.test.ts`,
);
const always = [...contract, "gateway/openapi.test.ts", "gateway/openapi-examples.test.ts"];

const root = join(import.meta.dirname, "../..");

function run(folder: string, command: string): void {
  const env = { ...process.env, TEST_DEPTH: "ci" };
  const { status, stdout, stderr } = spawnSync("sh", ["-c", command], { cwd: folder, env, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command}\n${stdout.slice(-6_000)}${stderr.slice(-6_000)}`);
}

/** All that is not ignored, with this folder's packages. */
function scratchCopy(): string {
  const folder = mkdtempSync(join(tmpdir(), "manilla-reach-"));
  run(root, `git ls-files -zco --exclude-standard | tar c --null -T - | tar x -C ${folder}`);
  for (const shared of ["node_modules", ".cache"]) symlinkSync(join(root, shared), join(folder, shared));
  return folder;
}

/** Throws where the anchor is gone: then the change is made otherwise now. */
function apply(folder: string, { file, anchor, text, where }: Edit): void {
  const path = join(folder, file);
  const found = readFileSync(path, "utf8");
  const at = found.indexOf(anchor);
  if (at < 0) throw new Error(`${file} has no ${JSON.stringify(anchor)} any more`);
  const lineEnd = found.indexOf("\n", at);
  const [from, to] = { BEFORE: [at, at], INSTEAD: [at, at + anchor.length], BEHIND: [lineEnd, lineEnd] }[where];
  writeFileSync(path, found.slice(0, from) + (where === "BEHIND" ? `\n${text}` : text) + found.slice(to));
}

function make(change: Change): void {
  const folder = scratchCopy();
  try {
    for (const edit of change.edits) apply(folder, edit);
    run(folder, "npm run -s gen");
    run(folder, "node --import ./test/bench/edge/hooks.mjs gateway/write-openapi.ts && npm run -s sdk:gen");
    run(folder, "npm run -s types");
    run(folder, `npm run -s jest -- ${[...always, ...change.tests].join(" ")}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const chosen = process.argv[2];
for (const change of changes.filter(({ name }) => chosen === undefined || name.includes(chosen))) {
  make(change);
  const files = [...new Set(change.edits.map(({ file }) => file))];
  const [before, goal] = change.figures;
  process.stdout.write(`${change.name}: ${files.length} (before ${before}, goal ${goal})\n  ${files.join("\n  ")}\n`);
}
