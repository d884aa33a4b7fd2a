// What `npm test -- …` was asked for.
import { existsSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import { StepError } from "../../deploy/steps.mjs";

const projects = [
  ["test/e2e", "e2e"],
  ["test/console", "console"],
  ["test/faults", "faults"],
];

/** The Jest project that has the tests below a folder or in a file. */
function projectOf(path) {
  return projects.find(([folder]) => path === folder || path.startsWith(`${folder}/`))?.[1] ?? "unit";
}

/**
 * `{depth, steps?, paths, isTimesKept, isServersAsked}` of a command line. `paths` are folders and
 * test files by Jest project, `steps` the steps to run where not all of the depth. Throws
 * StepError, in one sentence, at what is not known.
 */
export function argumentsOf(words, knownSteps, root, depthOfEnvironment = "quick") {
  const asked = { depth: depthOfEnvironment, steps: undefined, paths: {}, isTimesKept: false, isServersAsked: false };
  for (const word of words) {
    if (word === "--all") asked.depth = "ci";
    else if (word === "--long") asked.depth = "long";
    else if (word === "--servers") asked.isServersAsked = true;
    else if (word === "--keep-times") asked.isTimesKept = true;
    else if (word.startsWith("--only=")) asked.steps = word.slice("--only=".length).split(",");
    else if (word.startsWith("-"))
      throw new StepError(`npm test knows --all, --long, --only=STEP,…, --servers and --keep-times, not ${word}.`);
    else {
      const path = isAbsolute(word) ? relative(root, word) : word.replace(/\/+$/, "");
      if (!existsSync(join(root, path))) throw new StepError(`There is no ${word} whose tests could be run.`);
      (asked.paths[projectOf(path)] ??= []).push(path);
    }
  }
  const unknown = asked.steps?.filter((name) => !knownSteps.includes(name)) ?? [];
  if (unknown.length > 0) throw new StepError(`--only knows ${knownSteps.join(", ")}, not ${unknown.join(", ")}.`);
  if (!["quick", "ci", "long"].includes(asked.depth))
    throw new StepError(`TEST_DEPTH must be quick, ci or long, not ${asked.depth}.`);
  const named = Object.keys(asked.paths);
  if (named.length > 0) {
    const needsBuild = named.some((project) => project !== "unit");
    asked.steps ??= ["generate", ...(needsBuild ? ["build"] : []), ...named];
  }
  return asked;
}
