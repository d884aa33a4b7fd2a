// Which test files load a source file, by what they import.
import { existsSync, globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import { root } from "../../deploy/steps.mjs";
import { readTimes, secondsOfFile } from "../run/times.mjs";

const imports =
  /(?:^|\n)\s*(?:import|export)\s+(?!type\b)[^;]*?from\s+"([^"]+)"|\bimport\(\s*"([^"]+)"|\nimport\s+"([^"]+)"/g;

/** What a file of ours loads of ours; types are gone when it runs. */
function loadedBy(file) {
  const found = [];
  for (const [, ...names] of `\n${readFileSync(join(root, file), "utf8")}`.matchAll(imports)) {
    const name = names.find((one) => one !== undefined);
    if (name === "@manilla/client") found.push("sdk/src/index.ts");
    if (!name.startsWith(".")) continue;
    const path = join(dirname(file), name);
    found.push(...[path.replace(/\.js$/, ".ts"), path].filter((one) => existsSync(join(root, one))).slice(0, 1));
  }
  return found.filter((one) => /\.[tj]s$/.test(one));
}

const known = new Map();
const loads = (file) => known.get(file) ?? known.set(file, loadedBy(file)).get(file);

/** All that loads with a file. */
function reachOf(file) {
  const reached = new Set([file]);
  for (const one of reached) for (const next of loads(one)) reached.add(next);
  return reached;
}

/** Test files of the unit project at a depth. */
function testsAt(depth) {
  process.env.TEST_DEPTH = depth;
  const require = createRequire(import.meta.url);
  const path = require.resolve("../../jest.config.cjs");
  delete require.cache[path];
  const [unit] = require(path).projects;
  const patterns = unit.testMatch.map((pattern) => pattern.replace("<rootDir>/", ""));
  const leftOut = unit.testPathIgnorePatterns.map((pattern) => new RegExp(pattern.replace("<rootDir>/", "^")));
  return patterns
    .flatMap((pattern) => globSync(pattern, { cwd: root, exclude: (name) => name === "node_modules" }))
    .filter((file) => !leftOut.some((pattern) => pattern.test(file)));
}

const wordsOf = (file) =>
  basename(file)
    .split(/[-.]/)
    .map((word) => word.replace(/(ies|y|s)$/, ""));

/**
 * Whether the names of two files have a word in common: customer-effects.ts and customers.test.ts.
 */
function hasWordOf(file, source) {
  const words = new Set(wordsOf(source).filter((word) => word.length > 3));
  return wordsOf(file).some((word) => words.has(word));
}

/**
 * `filesOf(source, depth)`: the test files of a depth that reach a source file, those that load it
 * themselves or are of its service first, and the short ones before the long.
 */
export function testFiles() {
  const times = readTimes();
  const [quick, ci] = ["quick", "ci"].map((depth) => testsAt(depth).map((file) => ({ file, reach: reachOf(file) })));
  const farness = (file, source) => {
    const [, service, room] = source.split("/");
    if (loads(file).includes(source) || basename(file, ".test.ts") === basename(source, ".ts")) return 0;
    if (!file.startsWith(`services/${service}/`)) return 3;
    return 2 - (file.startsWith(`services/${service}/${room}/`) ? 0.5 : 0) - (hasWordOf(file, source) ? 1 : 0);
  };
  return (source, depth) => {
    const far = ({ file }) => farness(file, source);
    return (depth === "quick" ? quick : ci)
      .filter(({ reach }) => reach.has(source))
      .toSorted((a, b) => far(a) - far(b) || secondsOfFile(times, a.file) - secondsOfFile(times, b.file))
      .map(({ file }) => relative(root, join(root, file)));
  };
}
