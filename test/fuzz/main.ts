// `npm run fuzz -- --requests 50000`: made-up requests to every operation of a sandbox as each of
// the four roles, with ids that exist. From 100,000 requests on each role also sends every case
// that schemathesis makes of a schema by system, some 33,000. Ends with 1 where anything was
// answered 5xx, with a status that is not documented, or off its schema. `--roles CASHIER,CUSTOMER`
// sends the share of these alone: requests are made by one process at a time, so two runs keep two
// cores busy.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readDemo, type DemoUser } from "../support/edge-client.js";
import { seedDemo, startBuiltCluster } from "../support/global-setup-e2e.js";
import { findSchemathesis, runSchemathesis } from "../support/schemathesis.js";
import { roles, sessionsInSandbox } from "./in-sandbox.js";

const { values: options } = parseArgs({
  options: {
    requests: { type: "string", default: "50000" },
    seed: { type: "string", default: "1" },
    roles: { type: "string", default: roles.join() },
  },
});
const requested = options.roles.split(",");
const sending = roles.filter((role) => requested.includes(role));
if (sending.length < requested.length) {
  console.error(`--roles must be of ${roles.join()}`);
  process.exit(2);
}
const wanted = Number(options.requests);
const isSystematic = wanted >= 100_000;
// One address and a few people send everything here.
const unlimited = Object.fromEntries(
  ["ADDRESS", "USER", "TENANT"].map((whose) => [`RATE_LIMIT_PER_${whose}`, "100000000"]),
);

const found = findSchemathesis();
if (found === undefined) {
  console.error("schemathesis cannot be installed: it needs Python 3 and the Python package index.");
  process.exit(2);
}
const program = found;
const dataDir = mkdtempSync(join(tmpdir(), "manilla-fuzz-"));
const cluster = await startBuiltCluster({
  dataDir,
  port: 0,
  quiet: true,
  processEnv: { gateway: { TRUSTED_PROXY_HOPS: "1", ...unlimited } },
});
try {
  seedDemo(dataDir);
  process.exitCode = (await fuzz()) ? 0 : 1;
} finally {
  await cluster.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function fuzz(): Promise<boolean> {
  const demo = readDemo(dataDir);
  const sessions = await sessionsInSandbox(demo);
  let [total, clean] = [0, true];
  for (const role of sending) {
    let sent = 0;
    for (let round = 0; sent < wanted / roles.length; round++) {
      const { requests, failures, findings } = await runAs(role, round);
      sent += requests;
      const counts = [...failures].map(([title, count]) => `${title}: ${count}`).join(", ") || "none";
      console.log(`${role.padEnd(8)} ${String(requests).padStart(6)} requests, failures: ${counts}`);
      if (failures.size > 0) {
        clean = false;
        console.log(findings);
      }
      if (requests === 0) throw new Error("schemathesis sent nothing");
    }
    total += sent;
  }
  console.log(`${total} requests as ${sending.join()}: ${clean ? "no failure" : "FAILED"}`);
  return clean;

  function runAs(role: DemoUser["role"], round: number) {
    const session = sessions.get(role)!;
    return runSchemathesis({
      ...session,
      program,
      phases: round === 0 && isSystematic ? "examples,coverage,fuzzing,stateful" : "fuzzing,stateful",
      maxExamples: Math.max(5, Math.ceil(wanted / roles.length / session.operationIds.length / 2)),
      seed: Number(options.seed) + round,
      name: `${role.toLowerCase()}-${round}`,
    });
  }
}
