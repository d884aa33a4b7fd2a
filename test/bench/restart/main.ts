// `npm run bench:restart`: what clients notice while processes are replaced, on this machine. Each
// process has two places, as a Deployment with one replica has while it rolls. `-- --only busy`:
// what two customers wait for who create 17 transactions a second, with one replica of everything
// and with two.
import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { readDemo } from "../../support/edge-client.js";
import { logIn } from "../../k8s/world.js";
import { stolenSince, ticks } from "../stolen.js";
import { startBalancer, type Balancer } from "./balancer.js";
import { freePort, slotsOf, type Cluster, type Slots, type Start } from "./slots.js";
import type { OutsideRequest } from "../../k8s/outside.js";
import { createsOf, requestsOf, send, startLoad, type Report } from "./traffic.js";

const { values: options } = parseArgs({
  options: {
    "per-second": { type: "string", default: "15" },
    /** steady, first, each, at-once or busy; all but the last when absent. */
    only: { type: "string", multiple: true },
    /** How often all are replaced at once. */
    rounds: { type: "string", default: "1" },
  },
});
const perSecond = Number(options["per-second"]);
const isWanted = (part: string): boolean => options.only === undefined || options.only.includes(part);
const names = [
  "identity",
  "compliance",
  "ledger",
  "remittance",
  "wallet",
  "investment",
  "lending",
  "events",
  "gateway",
];
const busyPerSecond = 17;
const limits = {
  RATE_LIMIT_PER_ADDRESS: "99999999",
  RATE_LIMIT_PER_USER: "99999999",
  RATE_LIMIT_PER_TENANT: "99999999",
};

interface Built {
  startCluster(options: object): Promise<Cluster>;
}

const { startCluster } = (await import(resolve("dist/deploy/local/cluster.js"))) as Built;
const dataDir = mkdtempSync(join(tmpdir(), "manilla-restart-"));
const second = new Map<string, number>();
for (const name of names) second.set(name, await freePort());
const first = new Map<string, number>();
const balancers: Record<string, Promise<Balancer>> = {};
let slots: Slots[] = [];
// Both places of everything serve, and take turns.
let isDoubled = false;
let turn = 0;

function portOf(name: string): number {
  const slot = slots.find((one) => one.name === name);
  if (slot === undefined) return first.get(name)!;
  return isDoubled ? slot.ports[turn++ % 2]! : slot.serving();
}

/** Neighbours are reached where they serve at the moment of connecting. */
async function through({ to, address }: { to: string; address: string }): Promise<string> {
  if (!second.has(to)) return address;
  first.set(to, Number(address.split(":")[1]));
  balancers[to] ??= startBalancer(() => portOf(to));
  return `127.0.0.1:${(await balancers[to]).port}`;
}

const gatewayPort = await freePort();
const processEnv = { gateway: { ...limits, LOG_LEVEL: "warn", DRAIN_LINGER_MS: "3000" } };
const cluster = await startCluster({ dataDir, port: gatewayPort, quiet: true, processEnv, through });
first.set("gateway", gatewayPort);
try {
  await new Promise<void>((done, failed) => {
    const env = { ...process.env, DATA_DIR: dataDir };
    const seed = fork(resolve("dist/deploy/seed/main.js"), ["--demo"], { env, stdio: "ignore" });
    seed.once("exit", (code) => (code === 0 ? done() : failed(new Error(`the seed ended with ${code}`))));
  });
  slots = names.map((name) => slotsOf(cluster, name, [first.get(name)!, second.get(name)!], dataDir));
  const base = () => `http://127.0.0.1:${portOf("gateway")}`;
  const outside = { send } as never;
  const demo = readDemo(dataDir);
  const sender = await logIn(outside, base(), demo, "amina");
  const receiver = await logIn(outside, base(), demo, "kofi");
  const requests = requestsOf(sender, receiver);
  const under = async (what: string, work: () => Promise<Start[]>, load = { requests, perSecond }): Promise<void> => {
    const before = ticks();
    const stop = startLoad(base, load.requests, load.perSecond);
    await sleep(3_000);
    const starts = await work();
    await sleep(5_000);
    print(what, await stop(), starts, stolenSince(before));
  };
  // What nothing was restarted for: the measure of the others.
  await under("warming up", () => sleep(10_000).then(() => []));
  if (isWanted("steady")) await under("nothing restarts", () => sleep(15_000).then(() => []));
  if (isWanted("first")) await printFirst(requests, base);
  if (isWanted("each")) {
    for (const one of slots) await under(one.name, async () => [await one.roll()]);
  }
  for (let round = 1; isWanted("at-once") && round <= Number(options.rounds); round++) {
    await under("all at once", () => Promise.all(slots.map((one) => one.roll())));
  }
  if (options.only?.includes("busy")) {
    const creates = createsOf(sender, receiver);
    const busy = async (replicas: string) => {
      for (const rate of [busyPerSecond, 2.4, busyPerSecond]) {
        const what = `${rate} creates a second by two customers, ${replicas}`;
        await under(what, () => sleep(20_000).then(() => []), { requests: creates, perSecond: rate });
      }
    };
    await busy("one replica of everything");
    for (const one of slots) await one.double();
    isDoubled = true;
    for (const balancer of Object.values(balancers)) (await balancer).cut();
    await sleep(10_000);
    const before = slots.map((one) => [one.cpuS(), one.besideCpuS()] as const);
    await busy("two replicas of everything");
    const used = slots.map((one, at) => {
      const [first, beside] = [one.cpuS() - before[at]![0], one.besideCpuS() - before[at]![1]];
      return `${one.name} ${first.toFixed(1)} and ${beside.toFixed(1)}`;
    });
    console.log(`CPU s of the two replicas: ${used.join(", ")}`);
  }
} finally {
  for (const one of slots) await one.stop();
  await cluster.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

/** What the first requests after a restart cost the new processes, beside those that follow. */
async function printFirst(requests: OutsideRequest[], base: () => string): Promise<void> {
  const starts = await Promise.all(slots.map((one) => one.roll()));
  const startS = starts.reduce((sum, { cpuS }) => sum + cpuS, 0);
  const costs: string[] = [];
  for (let stretch = 0; stretch < 4; stretch++) {
    const before = slots.map((one) => one.cpuS());
    const times: number[] = [];
    for (const request of requests.slice(0, 50)) {
      const sentAt = performance.now();
      await send(base(), request);
      times.push(performance.now() - sentAt);
    }
    const used = slots.reduce((sum, one, index) => sum + one.cpuS() - before[index]!, 0);
    times.sort((a, b) => a - b);
    costs.push(`${used.toFixed(2)} s (p50 ${Math.round(times[25]!)}, longest ${Math.round(times[49]!)} ms)`);
  }
  console.log(
    `CPU of all starts ${startS.toFixed(1)} s; of 50 requests one by one after it, four times: ${costs.join(", ")}`,
  );
}

function print(
  what: string,
  { sent, others, p50Ms, p95Ms, p99Ms, maxMs }: Report,
  starts: Start[],
  stolen: string,
): void {
  const failed = [...others.values()].reduce((sum, count) => sum + count, 0);
  const cpu = starts.map(({ cpuS, wallS }) => `${cpuS.toFixed(2)}/${wallS.toFixed(1)}`).join(" ");
  console.log(
    `${what}: ${failed} of ${sent} not 200, p50 ${p50Ms} p95 ${p95Ms} p99 ${p99Ms} max ${maxMs} ms; CPU/wall s to ready: ${cpu}; ${cpus().length} cores, stolen ${stolen}`,
  );
  for (const [name, count] of others) console.log(`   ${count} x ${name}`);
}

process.exit(0);
