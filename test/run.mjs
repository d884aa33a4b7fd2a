// `npm test`: every check in order, each with its time; the last line is `tests: N passed, N failed, N skipped`.
// `npm test -- --only=lint,unit` runs some of them. How long the tests look for what is rare is TEST_DEPTH: `quick` where nothing is
// said, which leaves the faults out (`npm test -- --only=faults` runs them); `ci` in .ci/run; `long` by `npm run test:long` (--long).
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, generate } from "../deploy/build.mjs";
import { root, run, tool } from "../deploy/steps.mjs";
import { endAfter } from "./end-of-jest.mjs";

if (process.argv.includes("--long")) process.env.TEST_DEPTH = "long";
const depth = process.env.TEST_DEPTH ?? "quick";
// Twice what a slow machine takes for a step: a tool that hangs is killed, so that a run ends with its figures.
const maxMs = depth === "long" ? undefined : 2_400_000;

const total = { passed: 0, failed: 0, skipped: 0 };

/** A tool that passes or fails as a whole counts as one test. */
function check(name, args) {
  return async () => {
    const { status, output } = await run(tool(name), args, { maxMs });
    if (status !== 0) console.log(output.trim());
    return { passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1, skipped: 0 };
  };
}

function jest(project, args, isAgain = false) {
  return async () => {
    const [results, beats] = ["json", "beats"].map((kind) => join(root, ".cache", `jest-${project}.${kind}`));
    mkdirSync(join(root, ".cache"), { recursive: true });
    for (const file of [results, beats, mongodEnded]) rmSync(file, { force: true });
    const options = ["--selectProjects", project, "--json", `--outputFile=${results}`];
    // The MongoDB driver imports dynamically; a warning for that in every worker helps nobody.
    const heartbeat = `--import=${pathToFileURL(join(root, "test", "heartbeat.mjs")).href}`;
    const nodeOptions = `--experimental-vm-modules --disable-warning=ExperimentalWarning ${heartbeat}`;
    // What a shell sets, Jest would leave: connections would not be watched.
    const env = { ...process.env, NODE_ENV: "test", NODE_OPTIONS: nodeOptions, JEST_BEATS: beats };
    let end;
    const onSpawn = (child) => (end = endAfter(results, beats, child));
    const { status } = await run(tool("jest"), [...options, ...args], { env, inherit: true, maxMs, onSpawn });
    if (end.threads.length > 0) console.log(`Jest did not end after its last test: ${end.threads.join("; ")}`);
    if (end.isLockedUp) console.log("Its event loop had stopped; its results count.");
    const counts = countJest(results, end.isLockedUp ? 0 : status);
    if (isAgain || counts.failed === 0 || !existsSync(mongodEnded)) return counts;
    return afterCrash(counts, results, (files) => jest(project, [...args, "--runTestsByPath", ...files], true)());
  };
}

// What test/support/global-setup.ts leaves where the run's mongod ended by itself.
const mongodEnded = join(root, ".cache", "mongod-ended");

/** A mongod that crashed says nothing of the tests that ran then: their files are run once more, and that counts. */
async function afterCrash(counts, results, again) {
  rmSync(mongodEnded);
  const { testResults } = JSON.parse(readFileSync(results, "utf8"));
  const files = testResults.filter(({ status }) => status === "failed");
  const of = (wanted) => files.flatMap((one) => one.assertionResults).filter(({ status }) => status === wanted).length;
  console.log(`The run's mongod ended by itself: ${files.length} files that failed are run again.`);
  const more = await again(files.map(({ name }) => name));
  return {
    passed: counts.passed - of("passed") + more.passed,
    failed: more.failed,
    skipped: counts.skipped - of("pending") - of("todo") + more.skipped,
  };
}

function countJest(results, status) {
  if (!existsSync(results)) return { passed: 0, failed: 1, skipped: 0 };
  const json = JSON.parse(readFileSync(results, "utf8"));
  // A file that cannot be loaded has no tests to count.
  const failed = json.numFailedTests + json.numRuntimeErrorTestSuites;
  return {
    passed: json.numPassedTests,
    // Jest may also fail as a whole, in its set-up or with a leftover handle.
    failed: failed === 0 && status !== 0 ? 1 : failed,
    skipped: json.numPendingTests + json.numTodoTests,
  };
}

/** Work that others depend on: counts only when it fails. */
function prepare(work) {
  return async () => {
    await work();
    return { passed: 0, failed: 0, skipped: 0 };
  };
}

/** The suite on a real cluster, which counts for itself. */
async function kubernetes() {
  const { status, output } = await run(process.execPath, ["test/k8s/run.mjs"]);
  console.log(output.trim());
  const counted = /^tests: (\d+) passed, (\d+) failed, (\d+) skipped$/m.exec(output)?.slice(1).map(Number);
  const [passed = 0, failed = 0, skipped = 0] = counted ?? [];
  return { passed, failed: failed === 0 && status !== 0 ? 1 : failed, skipped };
}

let isTyped = false;
const steps = {
  generate: prepare(generate),
  lint: check("oxlint", ["--type-aware", "--deny-warnings"]),
  format: check("prettier", ["--check", ".", "--log-level", "warn", "--cache", "--cache-location", ".cache/prettier"]),
  types: async () => {
    const all = [await check("tsc", ["-p", "tsconfig.json"])(), await check("tsc", ["-p", "console/tsconfig.json"])()];
    isTyped = all[0].failed === 0;
    return { passed: all[0].passed + all[1].passed, failed: all[0].failed + all[1].failed, skipped: 0 };
  },
  proto: check("buf", ["lint"]),
  unit: jest("unit", ["--maxWorkers=2"]),
  build: prepare(() => build({ typesChecked: depth === "quick" && isTyped })),
  openapi: check("node", ["dist/gateway/write-openapi.js", "--check"]),
  e2e: jest("e2e", ["--runInBand"]),
  console: jest("console", ["--runInBand"]),
  // Each file has servers of its own, and mostly waits for a process that comes back: two at a time take little more than half.
  faults: jest("faults", ["--maxWorkers=2"]),
  // Where .ci/run has found a cluster, or who asks for it.
  ...(process.env.TEST_K8S ? { k8s: kubernetes } : {}),
};

const only = process.argv
  .find((argument) => argument.startsWith("--only="))
  ?.slice("--only=".length)
  .split(",");
const unknown = only?.filter((name) => !(name in steps));
if (unknown?.length) {
  console.error(`--only knows ${Object.keys(steps).join(", ")}, not ${unknown.join(", ")}.`);
  process.exit(2);
}

async function report(name) {
  const startedAt = performance.now();
  const counts = await steps[name]().catch((error) => {
    console.log(error.message);
    return { passed: 0, failed: 1, skipped: 0 };
  });
  for (const kind of Object.keys(total)) total[kind] += counts[kind];
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1).padStart(6);
  console.log(`${seconds} s  ${name}${counts.failed > 0 ? " FAILED" : ""}`);
}

// The checks that only read run side by side: one of them alone leaves a core idle.
const readers = new Set(["lint", "format", "types", "proto"]);
const wanted = Object.keys(steps).filter((name) =>
  only ? only.includes(name) : depth !== "quick" || name !== "faults",
);
while (wanted.length > 0) {
  const firstOther = wanted.findIndex((name) => !readers.has(name));
  const sideBySide = wanted.splice(0, firstOther === -1 ? wanted.length : Math.max(1, firstOther));
  await Promise.all(sideBySide.map(report));
}

process.exitCode = total.failed > 0 ? 1 : 0;
console.log(`tests: ${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
