// Tests in the order that ends soonest: the longest files first, by the last run's times, so that no worker waits for a late long one.
const { readFileSync } = require("node:fs");
const { join, relative } = require("node:path");
const { default: Sequencer } = require("@jest/test-sequencer");

const root = join(__dirname, "..", "..");
const { files: times } = JSON.parse(readFileSync(join(__dirname, "times.json"), "utf8"));
const usualS = 4;

/** Seconds that a test file took; a usual one's where it is new. */
const secondsOf = (path) => times[relative(root, path)] ?? usualS;

module.exports = class LongestFirst extends Sequencer {
  /** Jest tells its reporters the time that it will take by these durations. */
  sort(tests) {
    for (const test of tests) test.duration = secondsOf(test.path) * 1_000;
    return tests.toSorted((a, b) => b.duration - a.duration || (a.path < b.path ? -1 : 1));
  }
};
module.exports.secondsOf = secondsOf;
