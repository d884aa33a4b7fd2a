// Jest's default reporter, with files done of all, the time left by the last run's times,
// and the slowest ten at the end.
import { relative } from "node:path";
import { DefaultReporter, VerboseReporter } from "@jest/reporters";
import { root } from "../../deploy/steps.mjs";
import { secondsOf } from "./order.mjs";
import { clockOf } from "./times.mjs";

const progressOf = (Reporter) =>
  class Progress extends Reporter {
    #all = 0;
    #expectedS = 0;
    #doneS = 0;
    #took = [];
    #prefix = "";

    onRunStart(results, options) {
      this.#all = results.numTotalTestSuites;
      this.#expectedS = options.estimatedTime;
      super.onRunStart(results, options);
    }

    onTestResult(test, result, results) {
      this.#doneS += secondsOf(test.path);
      this.#took.push([(result.perfStats.end - result.perfStats.start) / 1_000, relative(root, test.path)]);
      const files = `${String(this.#took.length).padStart(String(this.#all).length)}/${this.#all}`;
      const leftS = Math.max(0, this.#expectedS - this.#doneS / Math.min(this._globalConfig.maxWorkers, this.#all));
      this.#prefix = `${files} ${clockOf(leftS).padStart(5)} left  `;
      super.onTestResult(test, result, results);
    }

    log(message) {
      super.log(`${this.#prefix}${message}`);
      this.#prefix = "";
    }

    onRunComplete(contexts, results) {
      super.onRunComplete(contexts, results);
      if (this.#took.length < 20) return;
      const slowest = this.#took.toSorted(([a], [b]) => b - a).slice(0, 10);
      const lines = slowest.map(([seconds, path]) => `${seconds.toFixed(1).padStart(8)} s  ${path}`);
      this.log(`\nThe slowest files:\n${lines.join("\n")}\n`);
    }
  };

const [Progress, VerboseProgress] = [DefaultReporter, VerboseReporter].map(progressOf);

/** Verbose where it is asked for, and where there is one file. */
export default function progress(globalConfig) {
  return globalConfig.verbose ? new VerboseProgress(globalConfig) : new Progress(globalConfig);
}
