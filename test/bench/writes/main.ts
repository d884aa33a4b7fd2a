// `npm run bench:writes`: processor time of a create-transaction and of a payment from a wallet, by
// process, on a cluster as `npm start` runs it. Passwords cost next to nothing here, so a payment
// is what it is beside its hash. What follows from them counts: events, messages, relays.
// `-- --collections` says how often each collection is asked as well.
import { Agent } from "node:http";
import { cpus, loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { once } from "../edge/load.js";
import { openServers } from "../idle/servers.js";
import { withCluster } from "../payments/cluster.js";
import { clients } from "../payments/options.js";
import { beyondIdle, createMeter, idleOf, usedBetween, type Meter, type Usage } from "../reads/usage.js";
import { login, seed, shots } from "../remittance/orders.js";

const calls = process.argv.includes("--quick") ? 320 : 1_600;
// A process is at its speed after some thousand.
const warmUp = 2 * calls;
const byCollection = process.argv.includes("--collections");
const idleMs = 10_000;
// Relays, events and messages end what was begun.
const endMs = 8_000;

await withCluster({ ARGON2_MEMORY_KIB: "8", ARGON2_PASSES: "1" }, async (bench) => {
  await seed(bench.dataDir, clients);
  const tokens = await Promise.all(Array.from({ length: clients }, (_, client) => login(bench.baseUrl, client)));
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const shotOf = shots(bench.baseUrl, tokens);
  const create = async (client: number) => {
    const status = await once(shotOf(client), agent);
    if (status !== 200) throw new Error(`a transaction was answered ${status}`);
  };
  const meter = await createMeter(bench.file);
  const servers = await openServers(bench.file);
  const rows: string[] = [];
  const requested: string[] = [];
  for (const [name, call] of [
    ["create-transaction", create],
    ["payment, beside its hash", bench.pay],
  ] as const) {
    await callAll(call, warmUp);
    await sleep(endMs);
    const idle = await idleOf(meter, idleMs);
    const before = await servers.requested();
    rows.push(rowOf(name, await measure(call, meter, idle)));
    if (byCollection) requested.push(requestsOf(name, before.collections, (await servers.requested()).collections));
  }
  await servers.close();
  await meter.close();
  agent.destroy();
  bench.close();
  const load = loadavg().map((one) => one.toFixed(1));
  process.stdout.write(
    `${[
      `${calls} calls of each, ${clients} at once; ${cpus().length} cores, load ${load.join(" ")}`,
      "",
      "| what | CPU, ms | of it | to MongoDB | to Redis | rpcs |",
      "| --- | --- | --- | --- | --- | --- |",
      ...rows,
      ...requested,
    ].join("\n")}\n`,
  );
});
process.exit(0);

async function callAll(call: (client: number) => Promise<void>, count: number): Promise<void> {
  let left = count;
  const one = async (_each: unknown, client: number) => {
    while (left-- > 0) await call(client);
  };
  await Promise.all(Array.from({ length: clients }, one));
}

async function measure(call: (client: number) => Promise<void>, meter: Meter, idle: Usage): Promise<Usage> {
  const before = await meter.read();
  await callAll(call, calls);
  await sleep(endMs);
  const used = usedBetween(before, await meter.read(), () => calls);
  return beyondIdle(used, idle, used.atMs / calls);
}

function rowOf(name: string, { cpuMs, mongoCommands, redisCommands, rpcs }: Usage): string {
  const all = Object.values(cpuMs).reduce((sum, ms) => sum + ms, 0);
  const parts = Object.entries(cpuMs)
    .filter(([, ms]) => ms >= 0.1)
    .toSorted(([, a], [, b]) => b - a)
    .map(([process, ms]) => `${process} ${ms.toFixed(1)}`);
  const counts = [mongoCommands, redisCommands, rpcs].map((count) => count.toFixed(1));
  return `| ${name} | ${all.toFixed(1)} | ${parts.join(", ")} | ${counts.join(" | ")} |`;
}

/** Operations of a call on each collection, what the cluster does by itself among them. */
function requestsOf(name: string, before: Map<string, number>, after: Map<string, number>): string {
  const each = [...after].map(
    ([collection, count]) => [collection, (count - (before.get(collection) ?? 0)) / calls] as const,
  );
  const often = each.filter(([, count]) => count >= 0.02).toSorted(([, a], [, b]) => b - a);
  return [`\n${name}:`, ...often.map(([collection, count]) => `${count.toFixed(2)}  ${collection}`)].join("\n");
}
