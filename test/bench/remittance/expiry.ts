// `npm run bench:expiry [-- --quick] [--customers 32] [--alone N] [--beside N] [--rounds N]`: what
// a transaction that nobody pays costs to expire, by process, and what its expiry does to those
// who create others at the time.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent } from "node:http";
import { cpus, loadavg, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { once } from "../edge/load.js";
import { cpuOf, cpuSince, sumOf, type Cpu } from "../process-cpu.js";
import { stolenSince, ticks } from "../stolen.js";
import { login, seed, shots } from "./orders.js";
import { openUnpaid } from "./unpaid.js";

interface Built {
  startCluster(options: object): Promise<{
    baseUrl: string;
    file: { mongoUri: string; processes: Record<string, { pid: number }> };
    stop(): Promise<void>;
  }>;
}

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    customers: { type: "string", default: "32" },
    alone: { type: "string" },
    beside: { type: "string" },
    rounds: { type: "string" },
    "per-second": { type: "string", default: "10" },
  },
});
const quick = values.quick;
const expiring = Number(values.customers);
const creating = 8;
const perSecond = Number(values["per-second"]);
const aloneCount = Number(values.alone ?? (quick ? 640 : 3_200));
const besideCount = Number(values.beside ?? (quick ? 1_280 : 10_000));
const quietS = quick ? 15 : 30;
const rounds = Number(values.rounds ?? (quick ? 1 : 3));
const limits = {
  LOG_LEVEL: "info",
  RATE_LIMIT_PER_ADDRESS: "99999999",
  RATE_LIMIT_PER_USER: "99999999",
  RATE_LIMIT_PER_TENANT: "99999999",
};

/** Creations that were not answered 200. */
let failed = 0;
const dataDir = mkdtempSync(join(tmpdir(), "manilla-bench-expiry-"));
const { startCluster } = (await import(resolve("dist/deploy/local/cluster.js"))) as Built;
const cluster = await startCluster({ dataDir, port: 0, quiet: true, processEnv: { gateway: limits } });
const unpaid = await openUnpaid(cluster.file.mongoUri);
const pids = Object.fromEntries(Object.entries(cluster.file.processes).map(([name, { pid }]) => [name, pid]));
const agent = new Agent({ keepAlive: true });
try {
  await bench();
} finally {
  await unpaid.close();
  await cluster.stop();
  agent.destroy();
  if (process.env["KEEP_LOGS"] === undefined) rmSync(dataDir, { recursive: true, force: true });
  else process.stdout.write(`logs are in ${dataDir}\n`);
}

async function bench(): Promise<void> {
  await seed(dataDir, expiring + creating);
  const tokens: string[] = [];
  for (let client = 0; client < expiring + creating; client += 1) tokens.push(await login(cluster.baseUrl, client));
  const orderOf = shots(cluster.baseUrl, tokens);
  const creators = Array.from({ length: creating }, (_, client) => () => once(orderOf(expiring + client), agent));
  await pace(creators, quick ? 5 : 15);
  print(`# ${expiring} customers, load average ${loadavg()[0]?.toFixed(1)}`);
  const created = await cpuOfCreate(creators);
  const idle = await cpuOfRest();
  show("an idle second", idle, 1);
  show("a create-transaction", cpuSince({}, created.cpu, { ofSecond: idle, seconds: created.seconds }), created.count);

  const unpaidAlone = await prepare(orderOf, aloneCount);
  const stolen = ticks();
  const { cpu, seconds } = await timed(() => expireAll(unpaidAlone.ids));
  show("an expired transaction", cpuSince({}, cpu, { ofSecond: idle, seconds }), unpaidAlone.ids.length);
  print(`${unpaidAlone.ids.length} expired in ${seconds.toFixed(0)} s; stolen ${stolenSince(stolen)}`);
  if ((await unpaid.heldOf(unpaidAlone.codes)) !== 0n) throw new Error("a reservation is left");

  const [quiet, busy, ratios]: number[][] = [[], [], []];
  for (let round = 0; round < rounds; round += 1) {
    let before: number[] = [];
    const alone = await timed(async () => void (before = await pace(creators, quietS)));
    const loadBefore = loadavg()[0]?.toFixed(0);
    const many = await prepare(orderOf, besideCount);
    let isOver = false;
    const startedAt = performance.now();
    const ended = expireAll(many.ids).finally(() => (isOver = true));
    let beside: number[] = [];
    const together = await timed(async () => void (beside = await pace(creators, 900, () => isOver)));
    await ended;
    const tookS = ((performance.now() - startedAt) / 1_000).toFixed(0);
    print(`alone ${shown(before)}; beside ${many.ids.length} that expire in ${tookS} s: ${shown(beside)}`);
    show(`a second of creations (load average ${loadBefore})`, alone.cpu, alone.seconds);
    show(`a second beside them (load average ${loadavg()[0]?.toFixed(0)})`, together.cpu, together.seconds);
    quiet!.push(...before);
    busy!.push(...beside);
    ratios!.push(at(beside, 0.99) / at(before, 0.99));
  }
  print(`create-transaction, ${perSecond}/s: alone ${shown(quiet!)}, beside them ${shown(busy!)}`);
  const each = ratios!.map((ratio) => ratio.toFixed(2)).join(", ");
  print(
    `ratio at p99 (target: at most 1.5): ${(at(busy!, 0.99) / at(quiet!, 0.99)).toFixed(2)}; of each round ${each}`,
  );
  print(`load average ${loadavg()[0]?.toFixed(1)}; ${cpus().length} cores (${cpus()[0]?.model ?? "unknown"})`);
  print(`creations that failed: ${failed}`);
  print(`warnings: ${JSON.stringify(warnings())}`);
}

/**
 * Unpaid transactions of the customers who never pay: one each by the gateway, the others copied.
 */
async function prepare(orderOf: ReturnType<typeof shots>, count: number) {
  for (let client = 0; client < expiring; client += 1) {
    const status = await once(orderOf(client), agent);
    if (status !== 200) throw new Error(`a transaction was answered ${status}`);
  }
  const codes = Array.from({ length: expiring }, (_, client) => `C-BENCH-${client}`);
  const ids = await unpaid.multiply(codes, Math.ceil(count / expiring));
  const at = Date.now() + 10_000 + 2 * ids.length;
  await unpaid.makeDue(ids, at);
  if (Date.now() > at) throw new Error("the machine is too slow: some fall due before they are measured");
  await sleep(at - Date.now());
  return { ids, codes };
}

async function expireAll(ids: readonly string[]): Promise<void> {
  // The rows of creations beside them come and go: it is over when it was so twice.
  for (let over = 0; over < 2; over = (await unpaid.isOver()) ? over + 1 : 0) await sleep(250);
  const count = await unpaid.countOver(ids);
  if (count < ids.length) throw new Error(`${count} of ${ids.length} are over`);
}

/** One creation after the other falls due, whatever became of those before. Latencies in ms. */
async function pace(
  creators: readonly (() => Promise<number>)[],
  seconds: number,
  isOver: () => boolean = () => false,
): Promise<number[]> {
  const latencies: number[] = [];
  const running: Promise<unknown>[] = [];
  const startedAt = performance.now();
  for (let count = 0; count < seconds * perSecond && !isOver(); count += 1) {
    const dueAt = startedAt + (count * 1_000) / perSecond;
    await sleep(Math.max(0, dueAt - performance.now()));
    const one = creators[count % creators.length]!().then((status) => {
      if (status !== 200) failed += 1;
      latencies.push(performance.now() - dueAt);
    });
    running.push(one);
  }
  await Promise.all(running);
  return latencies;
}

async function cpuOfCreate(creators: readonly (() => Promise<number>)[]) {
  let count = 0;
  const { cpu, seconds } = await timed(async () => void (count = (await pace(creators, quick ? 10 : 30)).length));
  return { cpu, seconds, count };
}

async function cpuOfRest(): Promise<Cpu> {
  await sleep(3_000);
  const { cpu, seconds } = await timed(() => sleep(20_000));
  return Object.fromEntries(Object.entries(cpu).map(([name, ms]) => [name, ms / seconds]));
}

async function timed(work: () => Promise<unknown>): Promise<{ cpu: Cpu; seconds: number }> {
  const [before, startedAt] = [cpuOf(pids), performance.now()];
  await work();
  const cpu = cpuSince(before, cpuOf(pids), { ofSecond: {}, seconds: 0 });
  return { cpu, seconds: (performance.now() - startedAt) / 1_000 };
}

function show(what: string, cpu: Cpu, count: number): void {
  const each = Object.entries(cpu)
    .map(([name, ms]) => [name, ms / count] as const)
    .filter(([, ms]) => Math.abs(ms) >= 0.05)
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, ms]) => `${name} ${ms.toFixed(2)}`);
  print(`${what}: ${(sumOf(cpu) / count).toFixed(2)} ms of CPU (${each.join(", ")})`);
}

/** Warnings of the services, by message. */
function warnings(): Record<string, number> {
  const found: Record<string, number> = {};
  for (const name of ["remittance", "compliance", "events"]) {
    const { log } = cluster.file.processes[name] as unknown as { log: string };
    for (const line of readFileSync(log, "utf8").split("\n")) {
      if (!line.startsWith("{")) continue;
      const { level, msg, err } = JSON.parse(line) as {
        level: number | string;
        msg: string;
        err?: { message?: string };
      };
      if (level === "info" || level === 30) continue;
      const what = `${name}: ${msg}${err?.message === undefined ? "" : ` (${err.message})`}`;
      found[what] = (found[what] ?? 0) + 1;
    }
  }
  return found;
}

function at(latencies: readonly number[], share: number): number {
  return latencies.toSorted((a, b) => a - b)[Math.floor(latencies.length * share)] ?? NaN;
}

function shown(latencies: readonly number[]): string {
  return `p50 ${at(latencies, 0.5).toFixed(0)}, p99 ${at(latencies, 0.99).toFixed(0)} ms of ${latencies.length}`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
