// How long things took in the last run whose times were kept (`npm test -- --keep-times`),
// in seconds: test/run/times.json.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const file = join(fileURLToPath(import.meta.url), "..", "times.json");

/**
 * `{budgets: {quick, ci: {step: s}}, steps: {quick, ci: {step: s}}, files: {path: s}}`. Budgets are
 * what a step may take on two quiet cores; the others were measured.
 */
export const readTimes = () => JSON.parse(readFileSync(file, "utf8"));

const usualS = 4;

/** Seconds that a test file took in `times`; a usual one's where it is new. */
export const secondsOfFile = ({ files }, path) => files[path] ?? usualS;

const inOrder = (entries) => Object.fromEntries(Object.entries(entries).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** Keeps what a run took, beside what it did not run. Of `files` that are gone, nothing is kept. */
export function keepTimes({ depth, steps, files, isThere }) {
  const before = readTimes();
  const kept = Object.entries({ ...before.files, ...files }).filter(([path]) => isThere(path));
  const after = {
    budgets: before.budgets,
    steps: { ...before.steps, [depth]: { ...before.steps[depth], ...steps } },
    files: inOrder(Object.fromEntries(kept)),
  };
  writeFileSync(file, `${JSON.stringify(after, null, 2)}\n`);
}

/** Seconds as minutes and seconds: 4:05. */
export function clockOf(seconds) {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
