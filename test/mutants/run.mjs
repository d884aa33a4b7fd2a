// `npm run mutants`: edits the sources as seeds.json says, one at a time, and runs the unit test
// files that reach the edited file until one fails: those of depth quick, then, where all of them
// pass, the others. What no test minds is a hole in the tests.
// `--every=5` takes each fifth seed, `--only=FILE` those of a file, `--workers=1` is for a machine
// that is busy, `--quick` leaves out the others.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root, run, tool } from "../../deploy/steps.mjs";
import { endWithSignals, temporaryFolders } from "../run/leftovers.mjs";
import globalSetup from "../support/global-setup.ts";
import globalTeardown from "../support/global-teardown.ts";
import { testFiles } from "./reach.mjs";
import { faultOfSeed, readSeeds } from "./seeds.mjs";

// Quick has to see 85 of 100, all 95.
const leastShare = { quick: 0.85, ci: 0.95 };
// An edit may make a loop that does not end.
const longestMs = 600_000;

const options = Object.fromEntries(
  process.argv.slice(2).map((word) => /^--(every|only|workers|quick)(?:=(.+))?$/.exec(word)?.slice(1) ?? [word, word]),
);
const unknown = Object.keys(options).filter((name) => !["every", "only", "workers", "quick"].includes(name));
if (unknown.length > 0) {
  console.error(`npm run mutants knows --every=N, --only=FILE, --workers=N and --quick, not ${unknown.join(", ")}.`);
  process.exit(2);
}
const every = Number(options.every ?? 1);
const seeds = readSeeds().filter(
  ({ file }, index) => index % every === 0 && (options.only === undefined || file.includes(options.only)),
);
const faults = seeds.map(faultOfSeed).filter((fault) => fault !== undefined);
if (faults.length > 0) {
  console.error(faults.join("\n"));
  process.exit(1);
}

const children = new Set();
const end = endWithSignals(children);
const folders = temporaryFolders();
const heartbeat = pathToFileURL(join(root, "test", "run", "heartbeat.mjs")).href;
const filesOf = testFiles();
const cache = join(root, ".cache");
mkdirSync(cache, { recursive: true });
const [killerFile, beats] = ["killer", "beats"].map((kind) => join(cache, `mutants.${kind}`));

const never = "it does not end";

/**
 * The test that minds the edit, or how else it was seen; undefined where none does. A file that
 * fails without the edit as well has seen nothing, and is left out.
 */
async function killerOf(seed, files, depth) {
  let left = files;
  while (left.length > 0) {
    const killer = await firstFailure(seed, left, depth);
    if (killer === undefined || killer === never) return killer;
    const [file] = killer.split(": ");
    const anyway = await firstFailure(undefined, [file], depth);
    if (anyway === undefined) return killer;
    console.log(`not counted, since it fails without the edit: ${anyway}`);
    left = left.filter((one) => one !== file);
  }
  return undefined;
}

/** Of tests that run with an edit, or without one. */
async function firstFailure(seed, files, depth) {
  rmSync(killerFile, { force: true });
  const env = {
    ...process.env,
    ...folders,
    TEST_DEPTH: depth,
    NODE_ENV: "test",
    NODE_OPTIONS: `--experimental-vm-modules --disable-warning=ExperimentalWarning --import=${heartbeat}`,
    JEST_BEATS: beats,
    ...(seed !== undefined && { MUTANT: JSON.stringify(seed) }),
    MUTANT_FILES: JSON.stringify(files),
    MUTANT_KILLER: killerFile,
  };
  const words = ["--runTestsByPath", ...files, "--selectProjects", "unit", `--maxWorkers=${options.workers ?? 2}`];
  const ours = ["testSequencer=nearest", "reporters=first-failure"].map(
    (word) => `--${word.replace("=", `=${join(root, "test", "mutants")}/`)}.mjs`,
  );
  const onSpawn = (child) => {
    children.add(child);
    child.once("close", () => children.delete(child));
  };
  const { status } = await run(tool("jest"), [...words, ...ours], { env, maxMs: longestMs, onSpawn });
  if (end.isEnding) await new Promise(() => {});
  if (status === 0) return undefined;
  return existsSync(killerFile) ? readFileSync(killerFile, "utf8") : never;
}

const began = performance.now();
await globalSetup();
const rows = [];
try {
  for (const seed of seeds) {
    const startedAt = performance.now();
    const quick = filesOf(seed.file, "quick");
    const others = !("quick" in options) ? filesOf(seed.file, "ci").filter((file) => !quick.includes(file)) : [];
    let depth = "quick";
    let killer = await killerOf(seed, quick, "quick");
    if (killer === undefined && others.length > 0) {
      killer = await killerOf(seed, others, "ci");
      depth = "ci";
    }
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    rows.push({
      ...seed,
      depth: killer === undefined ? "none" : depth,
      killer,
      files: [quick.length, others.length],
      seconds,
    });
    const said = killer === undefined ? "LIVES" : `${depth.padEnd(5)} ${killer}`;
    console.log(
      `${String(rows.length).padStart(2)}/${seeds.length} ${String(seconds).padStart(4)} s  ${seed.file}: ${said}`,
    );
  }
} finally {
  await globalTeardown();
}

const shareOf = (...depths) => rows.filter(({ depth }) => depths.includes(depth)).length / rows.length;
const shares = { quick: shareOf("quick"), ci: shareOf("quick", "ci") };
writeFileSync(join(cache, "mutants-last.json"), `${JSON.stringify({ shares, rows }, null, 2)}\n`);
for (const { file, find, replace, depth } of rows.filter((row) => row.depth !== "quick"))
  console.log(`${depth === "ci" ? "seen by the others only" : "LIVES"}  ${file}\n    - ${find}\n    + ${replace}`);
const percent = (share) => `${Math.floor(share * 100)} %`;
const minutes = ((performance.now() - began) / 60_000).toFixed(1);
console.log(
  `mutants: ${rows.length} in ${minutes} min; quick sees ${percent(shares.quick)}, all ${percent(shares.ci)}`,
);
const isShort = shares.quick < leastShare.quick || (!("quick" in options) && shares.ci < leastShare.ci);
process.exitCode = isShort ? 1 : 0;
