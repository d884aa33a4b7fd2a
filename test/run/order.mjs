// Tests in the order that ends soonest: the longest files first, by the last run's times, so that
// no worker waits for a late long one.
import { relative } from "node:path";
import Sequencer from "@jest/test-sequencer";
import { root } from "../../deploy/steps.mjs";
import { readTimes, secondsOfFile } from "./times.mjs";

const times = readTimes();

/** Of a test file by its whole path. */
export const secondsOf = (path) => secondsOfFile(times, relative(root, path));

export default class LongestFirst extends Sequencer {
  /** Parts that take about as long: whatever comes next goes where least is. */
  shard(tests, { shardIndex, shardCount }) {
    const parts = Array.from({ length: shardCount }, () => ({ tests: [], seconds: 0 }));
    for (const test of this.sort(tests)) {
      const part = parts.reduce((least, one) => (one.seconds < least.seconds ? one : least));
      part.tests.push(test);
      part.seconds += secondsOf(test.path);
    }
    return parts[shardIndex - 1].tests;
  }

  /** Jest tells its reporters the time that it will take by these durations. */
  sort(tests) {
    for (const test of tests) test.duration = secondsOf(test.path) * 1_000;
    return tests.toSorted((a, b) => b.duration - a.duration || (a.path < b.path ? -1 : 1));
  }
}
