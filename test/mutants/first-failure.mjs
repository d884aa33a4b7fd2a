// Ends Jest at the first test that fails, with its name in the file MUTANT_KILLER.
import { writeFileSync } from "node:fs";
import { relative } from "node:path";
import { root } from "../../deploy/steps.mjs";

function end(test, what) {
  writeFileSync(process.env.MUTANT_KILLER, `${relative(root, test.path)}: ${what}`);
  process.exit(1);
}

export default class FirstFailure {
  onTestCaseResult(test, { status, fullName }) {
    if (status === "failed") end(test, fullName);
  }

  onTestResult(test, result) {
    const failed = result.testResults.find(({ status }) => status === "failed");
    if (failed !== undefined) end(test, failed.fullName);
    if (result.testExecError != null || result.failureMessage != null) end(test, "it cannot be loaded");
  }
}
