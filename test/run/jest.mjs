// One run of Jest, counted.
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { root, run, tool } from "../../deploy/steps.mjs";
import { endAfter } from "./end-of-jest.mjs";

/**
 * Runs a project's files, or those below `paths`, under a name that no other run beside it has.
 * Resolves with `{passed, failed, skipped, files, failures}`: seconds by file, and `file: name` of
 * each test that failed, with its reason.
 */
export async function runJest(project, args, { name = project, env: base, paths = [], maxMs, onChild }) {
  const [results, beats] = ["json", "beats"].map((kind) => join(root, ".cache", `jest-${name}.${kind}`));
  mkdirSync(join(root, ".cache"), { recursive: true });
  for (const file of [results, beats]) rmSync(file, { force: true });
  const options = ["--selectProjects", project, "--json", `--outputFile=${results}`, ...args];
  // The MongoDB driver imports dynamically; a warning for that in every worker helps nobody.
  const heartbeat = `--import=${pathToFileURL(join(import.meta.dirname ?? join(root, "test", "run"), "heartbeat.mjs")).href}`;
  const nodeOptions = `--experimental-vm-modules --disable-warning=ExperimentalWarning ${heartbeat}`;
  // What a shell sets, Jest would leave: connections would not be watched.
  const env = { ...base, NODE_ENV: "test", NODE_OPTIONS: nodeOptions, JEST_BEATS: beats };
  let end;
  const onSpawn = (child) => {
    onChild(child);
    end = endAfter(results, beats, child);
  };
  const { status } = await run(tool("jest"), [...paths, ...options], { env, inherit: true, maxMs, onSpawn });
  if (end.threads.length > 0) console.log(`Jest did not end after its last test: ${end.threads.join("; ")}`);
  if (end.isLockedUp) console.log("Its event loop had stopped; its results count.");
  return countsOf(results, end.isLockedUp ? 0 : status);
}

function countsOf(results, status) {
  if (!existsSync(results)) return { passed: 0, failed: 1, skipped: 0, files: {}, failures: ["Jest did not run"] };
  const json = JSON.parse(readFileSync(results, "utf8"));
  // A file that cannot be loaded has no tests to count.
  const failed = json.numFailedTests + json.numRuntimeErrorTestSuites;
  const pathOf = (file) => relative(root, file.name);
  return {
    passed: json.numPassedTests,
    // Jest may also fail as a whole, in its set-up or with a leftover handle.
    failed: failed === 0 && status !== 0 ? 1 : failed,
    skipped: json.numPendingTests + json.numTodoTests,
    files: Object.fromEntries(
      json.testResults.map((file) => [pathOf(file), Math.round((file.endTime - file.startTime) / 100) / 10]),
    ),
    failures: json.testResults.flatMap((file) => {
      const failed = file.assertionResults.filter(({ status: of }) => of === "failed");
      return file.status === "failed" && failed.length === 0
        ? [`${pathOf(file)}: could not be loaded${reasonOf(file.message)}`]
        : failed.map((test) => `${pathOf(file)}: ${test.fullName}${reasonOf(test.failureMessages[0])}`);
    }),
  };
}

/** The first lines of what a test said: of a long run little more than its end is kept. */
function reasonOf(message = "") {
  const lines = stripVTControlCharacters(message)
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.includes("node_modules"));
  return lines
    .slice(0, 12)
    .map((line) => `\n      ${line.slice(0, 200)}`)
    .join("");
}
