import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { onPath } from "./outside-tools.js";
import { findPythonTool } from "./python-tool.js";

const version = "4.32.5";

/** The program: on PATH, else from its package; undefined without Python or network. */
export const findSchemathesis = (): string | undefined =>
  onPath("schemathesis") ?? findPythonTool("schemathesis", version, [`schemathesis==${version}`]);

// They end the very session, token or person that the others are called with.
const selfEnding = ["logout", "changePassword", "endSession", "resetPassword", "disableUser"];
// A request for it has no end: its own tests read it.
const endless = ["streamEvents"];

// Log-ins that fail are throttled by address: those of others must not be.
const ownAddress = "198.51.100.9";

export interface SchemathesisRun {
  program: string;
  baseUrl: string;
  /** "/sandbox", or nothing. */
  prefix?: string;
  host: string;
  token: string;
  /** Operations that the gateway has; those that end their own session, or never, are left out. */
  operationIds: readonly string[];
  phases: string;
  maxExamples: number;
  maxTimeS?: number;
  seed: number;
  checks?: string;
  /** Field names and ids that exist, which two of three generated requests carry. */
  knownIds?: Readonly<Record<string, readonly string[]>>;
  /** Names the files that the run leaves in .cache. */
  name: string;
}

export interface SchemathesisResult {
  requests: number;
  /** Title of a failure, as "Server error", to its count; empty where all is well. */
  failures: ReadonlyMap<string, number>;
  passed: boolean;
  /** The beginning of what it says of failures; of all it says where it names none. */
  findings: string;
}

/** Runs the program against /openapi.json and counts what it sent and found. */
export function runSchemathesis(run: SchemathesisRun): Promise<SchemathesisResult> {
  const files = resolve(".cache", `schemathesis-${run.name}`);
  rmSync(`${files}.json`, { force: true });
  const env: NodeJS.ProcessEnv = { ...process.env, NODE_OPTIONS: "" };
  if (run.knownIds) {
    writeFileSync(`${files}.ids.json`, JSON.stringify(run.knownIds));
    env["KNOWN_IDS"] = `${files}.ids.json`;
    env["SCHEMATHESIS_HOOKS"] = "hooks";
    env["PYTHONPATH"] = resolve("test/fuzz");
    env["PYTHONDONTWRITEBYTECODE"] = "1";
  }
  return new Promise((done, reject) => {
    const child = spawn(run.program, argumentsOf(run, `${files}.json`), { cwd: resolve(".cache"), env });
    let output = "";
    child.stdout.on("data", (text) => (output += text));
    child.stderr.on("data", (text) => (output += text));
    child.on("error", reject);
    child.on("close", (status) => {
      writeFileSync(`${files}.txt`, output);
      done(resultOf(`${files}.json`, status, output));
    });
  });
}

function argumentsOf(run: SchemathesisRun, report: string): string[] {
  const headers = { "X-Forwarded-For": ownAddress, "X-Auth-Token": run.token, Host: run.host };
  const settings = {
    "--url": run.baseUrl + (run.prefix ?? ""),
    "--checks": run.checks ?? "all",
    "--max-examples": String(run.maxExamples),
    "--phases": run.phases,
    ...(run.maxTimeS === undefined ? {} : { "--max-time": String(run.maxTimeS) }),
    "--request-timeout": "15",
    "--workers": "1",
    "--seed": String(run.seed),
    "--report-json-path": report,
  };
  const options = Object.entries(settings).flat().concat("--no-color");
  for (const [name, value] of Object.entries(headers)) options.push("--header", `${name}: ${value}`);
  for (const id of [...selfEnding, ...endless].filter((one) => run.operationIds.includes(one))) {
    options.push("--exclude-operation-id", id);
  }
  return [
    "--config-file",
    resolve("test/contract/schemathesis.toml"),
    "run",
    `${run.baseUrl}/openapi.json`,
    ...options,
  ];
}

/** What the program wrote about a run; where it wrote nothing, the run failed as a whole. */
function resultOf(file: string, status: number | null, output: string): SchemathesisResult {
  const findings = (output.split("= FAILURES =")[1] ?? output).slice(0, 12_000);
  if (!existsSync(file)) return { requests: 0, failures: new Map([["The run itself", 1]]), passed: false, findings };
  const report = JSON.parse(readFileSync(file, "utf8")) as {
    test_cases: { generated: number };
    failures: { title: string; count: number }[];
    errors: { title: string; count: number }[];
  };
  const failures = new Map([...report.failures, ...report.errors].map(({ title, count }) => [title, count]));
  return { requests: report.test_cases.generated, failures, passed: status === 0, findings };
}
