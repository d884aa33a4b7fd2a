// `npm test`: every check in order, each with its time; the last line is
// `tests: N passed, N failed, N skipped`.
// `npm test -- --all` is what .ci/run does (the faults too), `--long` looks longer still,
// `--only=lint,unit` runs some of the steps, and `npm test -- services/wallet` what
// belongs to a folder. What runs when: test/README.md. TEST_DEPTH (quick, ci, long) is
// --all and --long of the environment.
import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { build, generate } from "../deploy/build.mjs";
import { fail, root, run, tool } from "../deploy/steps.mjs";
import { argumentsOf } from "./run/arguments.mjs";
import { runJest } from "./run/jest.mjs";
import { endWithSignals, temporaryFolders } from "./run/leftovers.mjs";
import { faultsOfMachine } from "./run/machine.mjs";
import { changedFiles, keepGreen } from "./run/static.mjs";
import { clockOf, keepTimes, readTimes } from "./run/times.mjs";

const total = { passed: 0, failed: 0, skipped: 0 };
const failures = [];
const files = {};
const children = new Set();

function onChild(child) {
  children.add(child);
  child.once("close", () => children.delete(child));
}

/**
 * A tool that passes or fails as a whole counts as one test. What it says is
 * printed where it fails, or `always`.
 */
async function check(name, args, { always = false } = {}) {
  const { status, output } = await run(tool(name), args, { maxMs, onSpawn: onChild });
  if (status !== 0 || always) console.log(output.trim());
  return { passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1, skipped: 0 };
}

/** Of what changed, those that `reads` accepts; everything where that is not known. */
async function checkChanged(name, args, { reads, everything = [] }) {
  const wanted = changed?.filter((path) => reads.test(path));
  if (wanted?.length === 0) return { passed: 1, failed: 0, skipped: 0 };
  return check(name, [...args, ...(wanted ?? everything)]);
}

/** A project, or a part of it under a name of its own. */
async function jest(project, args, name = project) {
  const counts = await runJest(project, args, { name, env: environment, paths: asked.paths[project], maxMs, onChild });
  Object.assign(files, counts.files);
  failures.push(...counts.failures);
  return counts;
}

/** A project's files in parts that take about as long, side by side. */
async function inParts(project, count, args) {
  const parts = Array.from({ length: count }, (_, index) => index + 1);
  const all = await Promise.all(
    parts.map((part) => jest(project, [...args, `--shard=${part}/${count}`], `${project}-${part}`)),
  );
  const sum = (kind) => all.reduce((so, counts) => so + counts[kind], 0);
  // Each part has named its failures.
  return { passed: sum("passed"), failed: sum("failed"), skipped: sum("skipped"), failures: [] };
}

/** Work that others depend on: counts only when it fails. */
async function prepare(work) {
  await work();
  return { passed: 0, failed: 0, skipped: 0 };
}

/** The suite on a real cluster, which counts for itself. */
async function kubernetes() {
  const { status, output } = await run(process.execPath, ["test/k8s/run.mjs"], { onSpawn: onChild });
  console.log(output.trim());
  const counted = /^tests: (\d+) passed, (\d+) failed, (\d+) skipped$/m.exec(output)?.slice(1).map(Number);
  const [passed = 0, failed = 0, skipped = 0] = counted ?? [];
  return { passed, failed: failed === 0 && status !== 0 ? 1 : failed, skipped };
}

const prettier = [
  "--check",
  "--ignore-unknown",
  "--log-level",
  "warn",
  "--cache",
  "--cache-location",
  ".cache/prettier",
];
let isTyped = false;
const steps = {
  generate: () => prepare(generate),
  lint: () => checkChanged("oxlint", ["--type-aware", "--deny-warnings"], { reads: /\.(ts|tsx|mjs|cjs)$/ }),
  format: () => checkChanged("prettier", prettier, { reads: /./, everything: ["."] }),
  types: async () => {
    const all = [await check("tsc", ["-p", "tsconfig.json"]), await check("tsc", ["-p", "console/tsconfig.json"])];
    isTyped = all[0].failed === 0;
    return { passed: all[0].passed + all[1].passed, failed: all[0].failed + all[1].failed, skipped: 0 };
  },
  proto: () => check("buf", ["lint"]),
  // The long files mostly wait for a partner, a lease, a process: at depth ci a third worker
  // uses what they leave of two cores.
  unit: () => jest("unit", [`--maxWorkers=${asked.depth === "quick" ? 2 : 3}`]),
  build: () => prepare(() => build({ typesChecked: asked.depth === "quick" && isTyped })),
  openapi: () => check("node", ["dist/gateway/write-openapi.js", "--check"]),
  compatible: () =>
    check("node", ["--import", "./test/bench/edge/hooks.mjs", "test/run/compatible.mjs"], { always: true }),
  // One file at a time before a cluster, which leaves a core idle: two parts have a cluster each,
  // and the console's browser a third.
  e2e: () =>
    asked.depth === "quick" || asked.paths.e2e ? jest("e2e", ["--runInBand"]) : inParts("e2e", 2, ["--runInBand"]),
  console: () => jest("console", ["--runInBand"]),
  // Each file has servers of its own, and mostly waits for a process that comes back.
  faults: () => jest("faults", ["--maxWorkers=3"]),
  // Where .ci/run has found a cluster, or who asks for it.
  ...(process.env.TEST_K8S ? { k8s: kubernetes } : {}),
};
const leftOutOfQuick = ["compatible", "faults"];
// Steps that run side by side, since one of them alone leaves a core idle; the first only read.
const sideBySide = { static: ["lint", "format", "types", "proto"], cluster: ["e2e", "console"] };
const groupOf = (name) => Object.keys(sideBySide).find((group) => sideBySide[group].includes(name)) ?? name;

let asked;
try {
  asked = argumentsOf(process.argv.slice(2), Object.keys(steps), root, process.env.TEST_DEPTH);
} catch (error) {
  fail(error);
  process.exit(2);
}
if (asked.isServersAsked) {
  const args = ["--import", "./test/bench/edge/hooks.mjs", "test/run/servers.mjs"];
  process.exit(spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" }).status ?? 1);
}
const faults = await faultsOfMachine();
if (faults.length > 0) {
  console.error(faults.join("\n"));
  process.exit(1);
}
// Twice what a slow machine takes for a step: a tool that hangs is killed, so
// that a run ends with its figures.
const maxMs = asked.depth === "long" ? undefined : 2_400_000;
const changed = changedFiles(asked.depth);
const environment = { ...process.env, TEST_DEPTH: asked.depth, ...temporaryFolders() };
const end = endWithSignals(children);

const times = readTimes();
const depthOfTimes = asked.depth === "long" ? "ci" : asked.depth;
const secondsOf = (name) => times.steps[depthOfTimes]?.[name] ?? 0;
const tookS = {};

async function report(name) {
  const startedAt = performance.now();
  const counts = await steps[name]().catch((error) => {
    console.log(error.message);
    return { passed: 0, failed: 1, skipped: 0 };
  });
  // What was killed says nothing more.
  if (end.isEnding) await new Promise(() => {});
  for (const kind of Object.keys(total)) total[kind] += counts[kind];
  if (counts.failed > 0 && counts.failures === undefined) failures.push(name);
  tookS[name] = Math.round((performance.now() - startedAt) / 100) / 10;
  console.log(`${tookS[name].toFixed(1).padStart(6)} s  ${name}${counts.failed > 0 ? " FAILED" : ""}`);
  return counts.failed;
}

const wanted = Object.keys(steps).filter((name) =>
  asked.steps ? asked.steps.includes(name) : asked.depth !== "quick" || !leftOutOfQuick.includes(name),
);
const groups = [];
for (const name of wanted) {
  if (groups.length > 0 && groupOf(name) === groupOf(groups.at(-1)[0])) groups.at(-1).push(name);
  else groups.push([name]);
}
const isWhole = Object.keys(asked.paths).length === 0;
const planned = groups.map((group) => {
  const seconds = Math.max(...group.map(secondsOf));
  return `${group.join(" + ")}${isWhole && seconds > 0 ? ` ${clockOf(seconds)}` : ""}`;
});
const plannedS = groups.reduce((sum, group) => sum + Math.max(...group.map(secondsOf)), 0);
const whole = isWhole && plannedS > 0 ? `, ${clockOf(plannedS)} when last measured` : "";
console.log(`Depth ${asked.depth}: ${planned.join(", ")}${whole}.`);

const startedAt = new Date();
for (const group of groups) {
  const began = performance.now();
  const failed = await Promise.all(group.map(report));
  const isStatic = group.length === sideBySide.static.length && groupOf(group[0]) === "static";
  if (isStatic && failed.every((count) => count === 0)) keepGreen();
  const budgetS = isWhole ? times.budgets[depthOfTimes]?.[groupOf(group[0])] : undefined;
  const groupS = (performance.now() - began) / 1_000;
  if (budgetS !== undefined && groupS > budgetS)
    console.log(
      `          ${group.join(" + ")} took ${clockOf(groupS)}; its budget is ${clockOf(budgetS)} (test/run/times.json)`,
    );
}

if (asked.isTimesKept) {
  keepTimes({ depth: depthOfTimes, steps: tookS, files, isThere: (path) => existsSync(join(root, path)) });
}
// One line a run, for whoever looks for tests that fail now and then.
mkdirSync(join(root, ".cache"), { recursive: true });
const { stdout: commit } = spawnSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" });
const line = { startedAt, commit: commit?.trim(), depth: asked.depth, steps: tookS, ...total, failures };
appendFileSync(join(root, ".cache", "test-runs.jsonl"), `${JSON.stringify(line)}\n`);
if (failures.length > 0) console.log(`Failed:\n  ${failures.join("\n  ")}`);
process.exitCode = total.failed > 0 ? 1 : 0;
console.log(`tests: ${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
