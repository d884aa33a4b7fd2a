// `npm run bench:reads`: what each GET costs, by its example in the documentation, on a cluster as
// `npm start` runs it: processor time by process, commands sent to MongoDB and Redis, rpcs.
// Processor time means something on a busy machine too.
import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent } from "node:http";
import { cpus, loadavg, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { routes } from "../../../gateway/operations/index.js";
import { createExamples } from "../../support/examples.js";
import { readDemo } from "../../support/edge-client.js";
import { once, type Shot } from "../edge/load.js";
import { createMeter, beyondIdle, idleOf, usedBetween, type Cluster, type Meter, type Usage } from "./usage.js";

const { values: options } = parseArgs({
  options: {
    /** A cluster that runs on this folder is measured in place of a new one. */
    data: { type: "string" },
    /** Operations, all GETs when absent. */
    only: { type: "string", multiple: true },
    calls: { type: "string", default: "200" },
    clients: { type: "string", default: "4" },
  },
});
const calls = Number(options.calls);
const clients = Number(options.clients);
// A process is at its speed after some calls of a kind.
const warmUpCalls = Math.min(100, calls);
const idleMs = 10_000;

interface Built {
  startCluster(options: object): Promise<{ file: Cluster; stop(): Promise<void> }>;
  readClusterFile(dataDir: string): Cluster;
}

interface Row extends Usage {
  operationId: string;
  status: string;
  cpuAllMs: number;
}

if (options.data === undefined) await onNewCluster();
else
  await measureAll(
    ((await import(resolve("dist/deploy/local/cluster-file.js"))) as Built).readClusterFile(options.data),
    options.data,
  );

async function onNewCluster(): Promise<void> {
  const { startCluster } = (await import(resolve("dist/deploy/local/cluster.js"))) as Built;
  const dataDir = mkdtempSync(join(tmpdir(), "manilla-reads-"));
  const cluster = await startCluster({ dataDir, port: 0, quiet: true });
  try {
    await new Promise<void>((done, failed) => {
      const env = { ...process.env, DATA_DIR: dataDir };
      const seed = fork(resolve("dist/deploy/seed/main.js"), ["--demo"], { env, stdio: "ignore" });
      seed.once("exit", (code) => (code === 0 ? done() : failed(new Error(`the seed ended with ${code}`))));
    });
    await measureAll(cluster.file, dataDir);
  } finally {
    await cluster.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function measureAll(cluster: Cluster, dataDir: string): Promise<void> {
  const examples = createExamples(readDemo(dataDir));
  const wanted = routes.filter(({ method, operationId, file, example }) => {
    const isNamed = options.only?.includes(operationId) ?? (method === "get" && file !== "text/event-stream");
    return isNamed && example !== undefined;
  });
  const meter = await createMeter(cluster);
  const shots: { operationId: string; shot: Shot }[] = [];
  for (const { operationId } of wanted) {
    const { client, method, prefix, path, headers } = await examples.requestOf(operationId);
    const token = client.token();
    const all = { ...headers, ...(token !== undefined && { "x-auth-token": token }) };
    shots.push({ operationId, shot: { url: `${cluster.baseUrl}${prefix}${path}`, method, headers: all } });
  }
  // What the examples wrote has been told to whom it is of interest.
  await sleep(idleMs / 2);
  const idlePerMs = await idleOf(meter, idleMs);
  const rows: Row[] = [];
  for (const { operationId, shot } of shots) rows.push(await measure(operationId, shot, meter, idlePerMs));
  await meter.close();
  print(rows, idlePerMs);
}

async function measure(operationId: string, shot: Shot, meter: Meter, idlePerMs: Usage): Promise<Row> {
  const statuses = await sendAll(shot, warmUpCalls);
  const before = await meter.read();
  for (const [status, count] of await sendAll(shot, calls)) statuses.set(status, (statuses.get(status) ?? 0) + count);
  const after = await meter.read();
  const used = usedBetween(before, after, () => calls);
  const own = beyondIdle(used, idlePerMs, used.atMs / calls);
  const cpuAllMs = Object.values(own.cpuMs).reduce((sum, ms) => sum + ms, 0);
  return { ...own, operationId, status: [...statuses.keys()].join(" "), cpuAllMs };
}

async function sendAll(shot: Shot, count: number): Promise<Map<number, number>> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const statuses = new Map<number, number>();
  let left = count;
  const client = async () => {
    while (left-- > 0) {
      const status = await once(shot, agent);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  agent.destroy();
  return statuses;
}

function print(rows: readonly Row[], idlePerMs: Usage): void {
  const machine = `${cpus().length} cores, load ${loadavg()
    .map((load) => load.toFixed(1))
    .join(" ")}`;
  const idleMsPerS = Object.values(idlePerMs.cpuMs).reduce((sum, ms) => sum + ms * 1_000, 0);
  const lines = rows
    .toSorted((a, b) => b.cpuAllMs - a.cpuAllMs)
    .map(({ operationId, status, cpuAllMs, cpuMs, mongoCommands, redisCommands, rpcs }) => {
      const { gateway = 0, mongodb = 0, redis = 0 } = cpuMs;
      const services = Object.entries(cpuMs)
        .filter(([name, ms]) => !["gateway", "mongodb", "redis"].includes(name) && ms >= 0.1)
        .toSorted(([, a], [, b]) => b - a)
        .map(([name, ms]) => `${name} ${ms.toFixed(1)}`);
      const figures = [cpuAllMs, gateway, services.join(", "), mongodb, redis, mongoCommands, redisCommands, rpcs];
      const cells = figures.map((figure) => (typeof figure === "number" ? figure.toFixed(1) : figure));
      return `| ${operationId} | ${status} | ${cells.join(" | ")} |`;
    });
  process.stdout.write(
    `${[
      `${calls} calls of each, ${clients} at once; ${machine}; ${idleMsPerS.toFixed(0)} ms/s of the idle cluster taken off`,
      "",
      "| operation | answered | CPU, ms | gateway | services | mongod | redis | to MongoDB | to Redis | rpcs |",
      "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
      ...lines,
    ].join("\n")}\n`,
  );
}
