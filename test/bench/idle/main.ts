// `npm run bench:idle`: what a cluster takes that nobody calls, fresh and after a short load:
// processor time and memory of every process, and what MongoDB and Redis are asked meanwhile.
import { readFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { logIn } from "../../k8s/world.js";
import { readDemo } from "../../support/edge-client.js";
import { stolenSince, ticks } from "../stolen.js";
import { requestsOf, send, startLoad } from "../restart/traffic.js";
import { openServers, type Servers } from "./servers.js";
import { startAsShipped, type RunningCluster } from "./start.js";
import { useOf, type Use } from "./usage.js";

const { values: options } = parseArgs({
  options: {
    /** DATA_DIR of a cluster that runs already; one is started, and stopped, where absent. */
    "data-dir": { type: "string" },
    seconds: { type: "string", default: "60" },
    /** How long it is left alone before it is measured. */
    rest: { type: "string", default: "60" },
    /** Length of the load in seconds; 0 leaves it out. */
    load: { type: "string", default: "20" },
    "per-second": { type: "string", default: "10" },
    /** Starts once more on the same data and says how long that takes. */
    again: { type: "boolean", default: false },
  },
});
const [seconds, rest, load] = [options.seconds, options.rest, options.load].map(Number) as [number, number, number];
const widths = [11, 8, 6, 9, 16, 7];

let cluster: RunningCluster | undefined;
if (options["data-dir"] === undefined) {
  cluster = await startAsShipped();
  console.log(`ready ${cluster.readyS.toFixed(1)} s after npm start`);
  if (options.again) {
    cluster = await cluster.again();
    console.log(`ready ${cluster.readyS.toFixed(1)} s after the second npm start`);
  }
}
const dataDir = cluster?.dataDir ?? (options["data-dir"] as string);
const file = JSON.parse(readFileSync(join(dataDir, "cluster.json"), "utf8")) as {
  pid: number;
  baseUrl: string;
  mongoUri: string;
  redisUrl: string;
  processes: Record<string, { pid: number }>;
};
const servers = await openServers(file);
try {
  await measure("idle after its start");
  if (load > 0) {
    await carryLoad();
    await measure(`idle after ${load} s of ${options["per-second"]} requests a second`);
  }
} finally {
  await servers.close();
  await cluster?.stop();
}

async function carryLoad(): Promise<void> {
  const demo = readDemo(dataDir);
  const outside = { send } as never;
  const sender = await logIn(outside, file.baseUrl, demo, "amina");
  const requests = requestsOf(sender, await logIn(outside, file.baseUrl, demo, "kofi"));
  const stop = startLoad(() => file.baseUrl, requests, Number(options["per-second"]));
  await sleep(load * 1_000);
  const { sent, others, p50Ms } = await stop();
  const failed = [...others.values()].reduce((sum, count) => sum + count, 0);
  console.log(`load: ${sent} requests, ${failed} of them not 200, p50 ${p50Ms} ms`);
}

/** Rests, then looks at everything at the beginning and the end of `seconds`. */
async function measure(what: string): Promise<void> {
  await sleep(rest * 1_000);
  const pids = Object.fromEntries(Object.entries(file.processes).map(([name, { pid }]) => [name, pid]));
  const stolen = ticks();
  const startedAt = performance.now();
  const [before, requested] = [useOf({ ...pids, runner: file.pid }), await servers.requested()];
  await sleep(seconds * 1_000);
  const [after, answered] = [useOf({ ...pids, runner: file.pid }), await servers.requested()];
  const tookS = (performance.now() - startedAt) / 1_000;
  const machine = `${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}, stolen ${stolenSince(stolen)}`;
  console.log(`\n${what}: ${tookS.toFixed(0)} s, ${machine}`);
  printUse(before, after, tookS);
  printRequested(requested, answered, tookS);
}

function printUse(before: Map<string, Use>, after: Map<string, Use>, tookS: number): void {
  const rows = [...after].map(([name, use]) => ({
    name,
    cpu: ((use.cpuS - (before.get(name)?.cpuS ?? 0)) * 1_000) / tookS,
    ...use,
  }));
  console.log("| process     | CPU ms/s | RSS MB |    PSS MB | of it its own MB | threads |");
  console.log("| ----------- | -------: | -----: | --------: | ---------------: | ------: |");
  for (const { name, cpu, rssMb, pssMb, ownMb, threads } of rows) {
    console.log(line([name, cpu.toFixed(1), rssMb.toFixed(0), pssMb.toFixed(0), ownMb.toFixed(0), String(threads)]));
  }
  const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + of(row), 0);
  const all = [
    sum(({ cpu }) => cpu).toFixed(1),
    sum(({ rssMb }) => rssMb).toFixed(0),
    sum(({ pssMb }) => pssMb).toFixed(0),
  ];
  console.log(line(["all", ...all, sum(({ ownMb }) => ownMb).toFixed(0), String(sum(({ threads }) => threads))]));
}

function line(cells: readonly string[]): string {
  const padded = cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!)));
  return `| ${padded.join(" | ")} |`;
}

type Requested = Awaited<ReturnType<Servers["requested"]>>;

function printRequested(before: Requested, after: Requested, tookS: number): void {
  const perSecond = (now: Map<string, number>, then: Map<string, number>) =>
    [...now]
      .map(([name, count]) => [name, (count - (then.get(name) ?? 0)) / tookS] as const)
      .filter(([, rate]) => rate >= 0.05)
      .toSorted(([, one], [, other]) => other - one);
  const print = (title: string, rates: readonly (readonly [string, number])[]) => {
    const all = rates.reduce((sum, [, rate]) => sum + rate, 0);
    console.log(
      `${title}: ${all.toFixed(1)}/s: ${rates.map(([name, rate]) => `${name} ${rate.toFixed(1)}`).join(", ")}`,
    );
  };
  print("MongoDB's commands", perSecond(after.commands, before.commands));
  print("of them by collection", perSecond(after.collections, before.collections));
  print("Redis's commands", perSecond(after.redis, before.redis));
  console.log(`connections of MongoDB ${after.mongoConnections}, of Redis ${after.redisConnections}`);
}

process.exit(0);
