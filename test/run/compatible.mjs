// What changed for whoever calls the HTTP API, connects a payout partner or speaks gRPC since the
// last release; before the first one, since this work left main. What breaks them ends it with 1
// where there is a release, unless docs/operations/breaking-changes.md names it.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fail, StepError, tool } from "../../deploy/steps.mjs";
import { findGoTool } from "../support/go-tool.ts";

const oasdiff = {
  name: "oasdiff",
  version: "1.37.0",
  source: "github.com/oasdiff/oasdiff",
  ldflags: "-s -w",
  instead: "put oasdiff 1.37 or newer on PATH",
};
// What is compared is where this is started: the project, or a stand-in of it.
const root = process.cwd();
const documents = ["docs/openapi.json", "docs/payout-connector.openapi.json", "docs/payee-check.openapi.json"];
const named = "docs/operations/breaking-changes.md";
const mostLines = 40;

/** What git prints; undefined where it fails, as without a tag. */
function ask(...words) {
  const { status, stdout } = spawnSync("git", words, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26 });
  return status === 0 ? stdout.trim() : undefined;
}

/**
 * The last release before HEAD, else where HEAD left origin/main, else the commit before;
 * undefined where there is none.
 */
function earlierVersion() {
  const tag = ask("describe", "--tags", "--abbrev=0", "--match", "v[0-9]*", "HEAD~1");
  if (tag !== undefined) return { revision: tag, isRelease: true };
  const left = ask("merge-base", "HEAD", "origin/main");
  const other = left === ask("rev-parse", "HEAD") ? undefined : left;
  const revision = other ?? ask("rev-parse", "--verify", "--quiet", "HEAD~1");
  return revision === undefined ? undefined : { revision: revision.slice(0, 12), isRelease: false };
}

function say(what, text) {
  const lines = text
    .split("\n")
    // Without the scratch file that a change was found in, which nobody can look at.
    .map((line) => line.replace(/ at \S+, in API /, " ").trim())
    .filter((line) => !["", "No changes detected"].includes(line));
  if (lines.length === 0) return console.log(`${what}: nothing.`);
  console.log(`${what}:\n  ${lines.slice(0, mostLines).join("\n  ")}`);
  if (lines.length > mostLines) console.log(`  and ${lines.length - mostLines} lines more`);
}

/** Whether nothing that is not named breaks a caller of `document`. */
function compareDocument(program, document, revision, scratch) {
  const before = ask("show", `${revision}:${document}`);
  if (before === undefined) return true;
  const earlier = join(scratch, "earlier.json");
  writeFileSync(earlier, before);
  const compare = (verb, ...more) =>
    spawnSync(program, [verb, earlier, join(root, document), "--format", "singleline", "--color", "never", ...more], {
      encoding: "utf8",
      maxBuffer: 2 ** 26,
    });
  const all = compare("changelog");
  if (all.status !== 0) throw new StepError(`oasdiff cannot compare ${document}: ${all.stderr.trim()}`);
  say(`${document} since ${revision}`, all.stdout);
  const breaking = compare("breaking", "--fail-on", "ERR", "--err-ignore", join(root, named));
  if (breaking.status !== 0) say(`${document}: this breaks callers`, breaking.stdout || breaking.stderr);
  return breaking.status === 0;
}

function compareProto(revision, scratch) {
  const archive = execFileSync("git", ["archive", revision, "proto", "buf.yaml"], { cwd: root, maxBuffer: 2 ** 26 });
  execFileSync("tar", ["-x", "-C", scratch], { input: archive });
  const { status, stdout } = spawnSync(tool("buf"), ["breaking", "--against", scratch], {
    cwd: root,
    encoding: "utf8",
  });
  say(`proto: this breaks callers since ${revision}`, stdout);
  return status === 0;
}

const earlier = earlierVersion();
if (earlier === undefined) {
  console.log("There is no earlier commit to compare with.");
  process.exit(0);
}
const scratch = mkdtempSync(join(tmpdir(), "manilla-earlier-"));
try {
  const program = await findGoTool(oasdiff).catch((cause) => {
    throw new StepError(cause.message, { cause });
  });
  const held = documents.map((document) => compareDocument(program, document, earlier.revision, scratch));
  held.push(compareProto(earlier.revision, scratch));
  if (earlier.isRelease && held.includes(false)) {
    console.log(`Callers of ${earlier.revision} must go on working: change it back, or name it in ${named}.`);
    process.exitCode = 1;
  }
} catch (error) {
  fail(error);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
