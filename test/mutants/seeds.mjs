// The seeded edits: seeds.json, each with its file, the exact text that is replaced (once in the
// file) and what takes its place.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../deploy/steps.mjs";

export const readSeeds = () => JSON.parse(readFileSync(join(root, "test", "mutants", "seeds.json"), "utf8"));

/** What is wrong with a seed; undefined where it applies. */
export function faultOfSeed({ file, find, replace }) {
  const times = readFileSync(join(root, file), "utf8").split(find).length - 1;
  if (times !== 1) return `${file} has ${JSON.stringify(find)} ${times} times, not once`;
  return find === replace ? `${file}: ${JSON.stringify(find)} is replaced by itself` : undefined;
}
