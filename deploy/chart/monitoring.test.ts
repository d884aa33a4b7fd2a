import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Status } from "nice-grpc";
import { createLedgerMetrics } from "../../services/ledger/metrics.js";
import { createBankFileMetrics } from "../../services/remittance/clients/bank-files/metrics.js";
import { createUnclearMetrics } from "../../services/remittance/jobs/partner-alerts.js";
import { createCreditMetrics } from "../../services/platform/banks/credit-metrics.js";
import { createDiskMetrics } from "../../services/kernel/mongo/disk-space.js";
import { createLeftRowMetrics } from "../../services/kernel/outbox/left-rows.js";
import { refusalTable } from "../../services/kernel/refusal.js";
import { createMetrics } from "../../services/kernel/telemetry/metrics.js";
import { loadSchema } from "../cli/schema.js";
import { projectRoot } from "../local/project.js";
import { alertCases, alertRules, release, rulesOf } from "./alert-rules.js";

const monitoring = join(projectRoot(), "charts", "manilla", "monitoring");
const text = (...path: string[]) => readFileSync(join(...path), "utf8");
const rules = rulesOf(release);
const dashboards = readdirSync(join(monitoring, "dashboards")).map((file) => ({
  file,
  board: JSON.parse(text(monitoring, "dashboards", file)) as {
    panels: { id: number; title: string; targets: { expr: string }[] }[];
  },
}));
const expressions: [string, string][] = [
  ...rules.map(({ alert, record, expr }): [string, string] => [alert ?? record ?? "", expr]),
  ...dashboards.flatMap(({ file, board }) =>
    board.panels.flatMap(({ title, targets }) =>
      targets.map(({ expr }): [string, string] => [`${file}: ${title}`, expr]),
    ),
  ),
];

// What Prometheus says of a target, and kube-state-metrics of jobs, pods and
// autoscalers; they are not ours.
const ofTheCluster = [
  "up",
  "kube_horizontalpodautoscaler_status_desired_replicas",
  "kube_horizontalpodautoscaler_spec_max_replicas",
  "kube_horizontalpodautoscaler_spec_min_replicas",
  "kube_job_status_failed",
  "kube_cronjob_status_last_successful_time",
  "kube_pod_container_status_restarts_total",
];
// What Prometheus adds to every series by where it was scraped.
const ofTheTarget = ["namespace", "pod", "service", "le"];

const metrics = createMetrics();
createLeftRowMetrics(metrics.registry);
createDiskMetrics(metrics.registry);
createLedgerMetrics(metrics.registry);
createBankFileMetrics(metrics.registry);
createCreditMetrics(metrics.registry);
createUnclearMetrics(metrics.registry);
let series: Map<string, readonly string[]>;
beforeAll(async () => {
  // The process's own figures begin with a scrape.
  await metrics.text();
  const found = metrics.registry.getMetricsAsArray() as unknown as {
    name: string;
    type: string;
    labelNames?: string[];
  }[];
  series = new Map(
    found.flatMap(({ name, type, labelNames = [] }) =>
      (type === "histogram" ? [`${name}_count`, `${name}_sum`, `${name}_bucket`] : [name]).map(
        (one): [string, readonly string[]] => [one, labelNames],
      ),
    ),
  );
});

/** Names of series in an expression, with the labels that it asks of each. */
function seriesOf(expr: string): { name: string; labels: string[] }[] {
  const bare = expr.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
  return [...bare.matchAll(/\b(up|(?:manilla|kube|nodejs|process)[a-z0-9_:]*)(?![a-z])(?:\{([^}]*)\})?/g)].map(
    ([, name = "", labels = ""]) => ({
      name,
      labels: [...labels.matchAll(/(\w+)\s*[=!]/g)].map(([, label = ""]) => label),
    }),
  );
}

test.each(expressions)("%s asks for series and labels that there are", (_name, expr) => {
  const recorded = new Set(rules.map(({ record }) => record));
  const requested = seriesOf(expr);
  expect(requested.length).toBeGreaterThan(0);
  for (const { name, labels } of requested.filter(
    (one) => !recorded.has(one.name) && !ofTheCluster.includes(one.name),
  )) {
    expect({ name, isThere: series.has(name) }).toEqual({ name, isThere: true });
    const known = [...(series.get(name) ?? []), ...ofTheTarget];
    expect(labels.filter((label) => !known.includes(label))).toEqual([]);
  }
  for (const [, by = ""] of expr.matchAll(/\bby \(([^)]*)\)/g)) {
    const known = [...requested.flatMap(({ name }) => series.get(name) ?? []), ...ofTheTarget];
    const ofRecorded = rules
      .filter(({ record }) => requested.some(({ name }) => name === record))
      .map((rule) => rule.expr);
    const grouped = by.split(",").map((label) => label.trim());
    const isKnown = (label: string) => known.includes(label) || ofRecorded.some((other) => other.includes(label));
    const isOfCluster = requested.some(({ name }) => ofTheCluster.includes(name));
    expect(grouped.filter((label) => !isKnown(label) && !isOfCluster)).toEqual([]);
  }
});

test("every rpc and code that is asked for by name is one", () => {
  const rpcs = [...loadSchema(join(projectRoot(), "proto")).rpcs.keys()];
  const codes = new Set([...Object.keys(refusalTable), ...Object.keys(Status), "OK"]);
  let requested = 0;
  for (const [where, expr] of expressions) {
    for (const [, pattern = ""] of expr.matchAll(/\brpc=~?"([^"]*)"/g)) {
      requested++;
      // An alternative that matches nothing is a misspelt rpc.
      const alternatives = /^(.*)\(([^)]*)\)(.*)$/.exec(pattern);
      const each = alternatives
        ? (alternatives[2] ?? "").split("|").map((one) => `${alternatives[1]}${one}${alternatives[3]}`)
        : [pattern];
      for (const one of each)
        expect([where, one, rpcs.some((rpc) => new RegExp(`^(?:${one})$`).test(rpc))]).toEqual([where, one, true]);
    }
    for (const [, pattern = ""] of expr.matchAll(/\bcode=~?"([^"]*)"/g)) {
      requested++;
      expect(pattern.split("|").filter((code) => !codes.has(code))).toEqual([]);
    }
  }
  expect(requested).toBeGreaterThan(5);
});

test("every alert has its section in the runbook, and no section is about an alert that is gone", () => {
  const runbook = text(projectRoot(), "docs", "operations", "alerts.md");
  const sections = [...runbook.matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
  expect(sections.toSorted()).toEqual(rules.flatMap(({ alert }) => alert ?? []).toSorted());
});

test("what services count is shown or watched: late and parked work, interest that is behind, what is refused", () => {
  const requested = new Set(expressions.flatMap(([, expr]) => seriesOf(expr).map(({ name }) => name)));
  const ours = [...series.keys()].filter((name) => name.startsWith("manilla_") && !name.endsWith("_sum"));
  expect(ours.filter((name) => !requested.has(name))).toEqual([]);
});

test("panels of a dashboard have ids of their own", () => {
  for (const { file, board } of dashboards) {
    const ids = board.panels.map(({ id }) => id);
    expect({ file, count: new Set(ids).size }).toEqual({ file, count: ids.length });
  }
});

test("no label of ours is one that Prometheus puts on every series", () => {
  const taken = ["namespace", "pod", "service", "job", "instance", "endpoint", "container"];
  const collide = [...series].filter(([, labels]) => labels.some((label) => taken.includes(label)));
  expect(collide).toEqual([]);
});

test("every alert links to its section, and the chart fills in whatever the rules leave open", () => {
  const alerts = rules.filter(({ alert }) => alert !== undefined);
  expect(alerts.map(({ alert, annotations }) => [alert, annotations?.runbook_url])).toEqual(
    alerts.map(({ alert = "" }) => [alert, `${release.runbooks}#${alert.toLowerCase()}`]),
  );
  const template = text(monitoring, "..", "templates", "monitoring.yaml");
  const marks = new Set(text(monitoring, "alerts.yaml").replaceAll(/^#.*$/gm, "").match(/@\w+@/g));
  expect([...marks].filter((mark) => !template.includes(`replace "${mark}"`))).toEqual([]);
  expect(alertRules(release).replaceAll(/^#.*$/gm, "")).not.toMatch(/@\w+@/);
});

test("every alert has a case, whose series carry the labels that services export and no others", () => {
  const cases = alertCases();
  expect([...new Set(cases.map(({ alert }) => alert))]).toEqual(rules.flatMap(({ alert }) => alert ?? []));
  const given = cases.flatMap((one) => Object.keys({ ...one.series, ...one.quiet }));
  const ours = given.filter((name) => /^(manilla|nodejs)_/.test(name));
  expect(ours.length).toBeGreaterThan(20);
  for (const name of ours) {
    const [, metric = "", labels = ""] = /^(\w+)\{(.*)\}$/.exec(name) ?? [];
    const own = [...labels.matchAll(/(\w+)="/g)].map(([, label = ""]) => label);
    const expected = ["namespace", "pod", "service", ...(series.get(metric) ?? ["no such metric"])];
    const isBucket = metric.endsWith("_bucket");
    expect({ name, labels: own.toSorted() }).toEqual({
      name,
      labels: [...expected, ...(isBucket ? ["le"] : [])].toSorted(),
    });
  }
});
