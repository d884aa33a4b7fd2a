import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { projectRoot } from "../local/project.js";

/** A rule of the chart's alerts.yaml. */
export interface Rule {
  alert?: string;
  record?: string;
  expr: string;
  annotations?: { runbook_url?: string; summary?: string };
}

/** What the chart fills in, as in templates/monitoring.yaml. */
export interface Release {
  namespace: string;
  fullname: string;
  services: readonly string[];
  runbooks: string;
  certificateDays: number;
}

/** A release of the tests. */
export const release: Release = {
  namespace: "bank",
  fullname: "m",
  services: ["gateway", "ledger", "wallet"],
  runbooks: "https://docs.example.com/alerts",
  certificateDays: 7,
};

/** The text of alerts.yaml for a release. */
export function alertRules({ namespace, fullname, services, runbooks, certificateDays }: Release): string {
  const absent = services.map((service) => `absent(up{namespace='${namespace}', service='${service}'})`);
  const given: Record<string, string> = {
    namespace,
    fullname,
    runbooks,
    services: services.join("|"),
    absent: absent.join(" or "),
    certificateDays: String(certificateDays),
  };
  const text = readFileSync(join(projectRoot(), "charts", "manilla", "monitoring", "alerts.yaml"), "utf8");
  return text.replaceAll(/@(\w+)@/g, (mark, name: string) => given[name] ?? mark);
}

export function rulesOf(of: Release): Rule[] {
  const { groups } = parse(alertRules(of)) as { groups: { rules: Rule[] }[] };
  return groups.flatMap((group) => group.rules);
}

/** How an alert comes about, of alert-cases.yaml. */
export interface AlertCase {
  alert: string;
  series?: Record<string, string>;
  quiet?: Record<string, string>;
  at: string;
  /** Between two readings and evaluations; a minute where absent. */
  every?: string;
  labels: Record<string, string>;
  summary: string;
}

export function alertCases(): AlertCase[] {
  return parse(readFileSync(join(projectRoot(), "deploy", "chart", "alert-cases.yaml"), "utf8")) as AlertCase[];
}
