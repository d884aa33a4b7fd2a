import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { z } from "zod";
import { moneyServices } from "../../services/identity/clients/neighbours.js";
import { projectRoot } from "../local/project.js";
import { gatewayRow, nodeOptions, serviceTable, type ServiceRow } from "../local/service-table.js";

interface ChartRow {
  main: string;
  migrate?: string;
  protocol?: "grpc" | "http";
  calls?: string[];
  tells?: string[];
  connectors?: string[];
  heapMb?: number;
  youngMb?: number;
  growthPercent?: number;
}

interface ChartValues {
  defaults: { heapMb: number; youngMb: number; growthPercent: number };
  services: Record<string, ChartRow>;
  connectors: Record<string, unknown>;
}

const text = readFileSync(join(projectRoot(), "charts", "manilla", "values.yaml"), "utf8");
const { defaults, services, connectors } = parse(text) as ChartValues;
const ours = serviceTable.filter((row) => !row.outside);
const table: readonly ServiceRow[] = [gatewayRow(serviceTable), ...ours];
const chartRow = (name: string) => services[name] as ChartRow;

/** Whom the chart lets `name` reach. */
function reachedBy(name: string): string[] {
  const { calls = [], tells = [] } = chartRow(name);
  const named = [...calls, ...tells];
  const everyone = Object.keys(services).filter((other) => services[other]?.protocol !== "http" && other !== name);
  // Replicas of the ledger reach each other, for which a cluster of one replica each needs no
  // arrow.
  return [...new Set(named.includes("*") ? everyone : named)].filter((other) => other !== name).toSorted();
}

test("the chart has a row for every process of the service table, and for no other", () => {
  expect(Object.keys(services).toSorted()).toEqual(table.map((row) => row.name).toSorted());
});

test.each(table.map((row) => [row.name, row] as const))(
  "%s is the same in the chart as in the service table",
  (name, row) => {
    const chart = chartRow(name);
    expect(chart).toBeDefined();
    expect(chart.main).toBe(`dist/${row.main}`);
    expect(reachedBy(name)).toEqual(row.calls.filter((other) => other !== "partner").toSorted());
    const { heapMb, youngMb, growthPercent } = { ...defaults, ...chart };
    expect({ heapMb, youngMb, growthPercent }).toEqual({
      heapMb: row.heapMb,
      youngMb: row.youngMb ?? 4,
      growthPercent: row.growthPercent ?? 0,
    });
    expect((chart.connectors ?? []).length > 0).toBe(row.calls.includes("partner"));
  },
);

test("compliance is measured with the options it runs with", () => {
  const { scripts } = JSON.parse(readFileSync(join(projectRoot(), "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  const given = scripts["bench:compliance"]!.split(" ");
  const own = nodeOptions(serviceTable.find(({ name }) => name === "compliance")!);
  expect(given).toEqual(expect.arrayContaining(own.filter((option) => option.includes("="))));
});

test("what a row names is there", () => {
  for (const { main, migrate, connectors: named = [] } of Object.values(services)) {
    for (const entry of [main, migrate].filter((one) => one !== undefined)) {
      const source = entry.replace(/^dist\//, "").replace(/\.js$/, ".ts");
      expect({ source, isThere: existsSync(join(projectRoot(), source)) }).toEqual({ source, isThere: true });
    }
    for (const connector of named.filter((one) => one !== "partner"))
      expect(Object.keys(connectors)).toContain(connector);
  }
  // Every service of ours has a database, and with it migrations.
  for (const { name } of ours) expect(chartRow(name).migrate).toBe(`dist/services/${name}/migrate.js`);
});

// A pod whose service asks for a variable that its row does not give never starts.
test.each(ours.map(({ name }) => [name]))("the row of %s gives what its service cannot start without", async (name) => {
  const module = (await import(`../../services/${name}/config.js`)) as Record<string, z.ZodObject>;
  const env = module[`${name}Env`] as z.ZodObject;
  const { connectors: named = [] } = chartRow(name);
  const prefixes = named.map((connector) => connector.toUpperCase().replaceAll("-", "_"));
  const given = [
    ...reachedBy(name).map((other) => `${other.toUpperCase()}_ADDRESS`),
    ...prefixes.flatMap((prefix) => [`${prefix}_URL`, `${prefix}_API_KEY`, `${prefix}_CALLBACK_SECRET`]),
  ];
  const { error } = env.safeParse({ NODE_ENV: "production" });
  const needed = error?.issues.map(({ path }) => path.join(".")) ?? [];
  const outward = needed.filter(
    (variable) => /_(ADDRESS|URL|API_KEY|SECRET)$/.test(variable) && variable !== "REDIS_URL",
  );
  expect(outward.filter((variable) => !given.includes(variable))).toEqual([]);
  expect(prefixes.filter((prefix) => !Object.hasOwn(env.shape, `${prefix}_URL`))).toEqual([]);
});

test("who makes users of MongoDB by hand is told of every service that has a database", () => {
  const guide = readFileSync(join(projectRoot(), "docs", "operations", "install.md"), "utf8");
  const named = /for \(const service of (\[[^\]]*\])\)/.exec(guide)?.[1] ?? "[]";
  const withDatabase = Object.entries(services).flatMap(([name, { migrate }]) => (migrate === undefined ? [] : [name]));
  expect((JSON.parse(named) as string[]).toSorted()).toEqual(withDatabase.toSorted());
});

test("identity reaches whoever may have money of somebody whom it is to erase", () => {
  const row = table.find(({ name }) => name === "identity");
  expect(row?.calls).toEqual(expect.arrayContaining([...moneyServices]));
  expect(reachedBy("identity")).toEqual(expect.arrayContaining([...moneyServices]));
});
