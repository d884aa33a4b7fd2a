import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isThere } from "../../test/support/outside-tools.js";
import { findPromtool } from "../../test/support/promtool.js";
import { alertCases, alertRules, release, type AlertCase } from "./alert-rules.js";

const promtool = findPromtool();
const howToGetIt = "promtool: on PATH, or Go 1.24 or newer and a module proxy to build it from";
const withPromtool = isThere(promtool, howToGetIt) ? describe : describe.skip;

withPromtool("Prometheus' own checker", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "manilla-alerts-"));
    writeFileSync(join(folder, "rules.yaml"), alertRules(release));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** What promtool says; throws with it where it finds a fault. */
  function run(...args: string[]): string {
    try {
      return execFileSync(promtool!, args, { cwd: folder, encoding: "utf8", stdio: "pipe" });
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      throw new Error(`${stdout}\n${stderr}`, { cause: error });
    }
  }

  /** One case as a file of promtool's unit tests. */
  function unitOf({ alert, series = {}, quiet = {}, at, every = "1m", labels, summary }: AlertCase): string {
    const runbook = `${release.runbooks}#${alert.toLowerCase()}`;
    const fired = { exp_labels: labels, exp_annotations: { runbook_url: runbook, summary } };
    const test = {
      name: `${alert} at ${at}`,
      interval: every,
      input_series: Object.entries({ ...series, ...quiet }).map(([name, values]) => ({ series: name, values })),
      alert_rule_test: [{ eval_time: at, alertname: alert, exp_alerts: [fired] }],
    };
    return JSON.stringify({ rule_files: ["rules.yaml"], evaluation_interval: every, tests: [test] });
  }

  test("reads every rule", () => {
    expect(run("check", "rules", "rules.yaml")).toMatch(/SUCCESS: \d+ rules found/);
  });

  test.each(alertCases().map((one): [string, AlertCase] => [`${one.alert} (${one.at})`, one]))(
    "%s fires for what its series say, names it, and is quiet otherwise",
    (_name, one) => {
      writeFileSync(join(folder, "unit.json"), unitOf(one));
      expect(run("test", "rules", "unit.json")).toContain("SUCCESS");
    },
  );

  test("a rule that would not fire fails here", () => {
    const [first] = alertCases();
    writeFileSync(join(folder, "unit.json"), unitOf({ ...first!, series: {} }));
    expect(() => run("test", "rules", "unit.json")).toThrow(/FAILED/);
  });
});
