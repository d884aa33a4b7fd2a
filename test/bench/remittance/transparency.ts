import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startMongo, startRedis } from "../../../deploy/local/servers.js";
import { on } from "../../support/remittance-calls.js";
import { account, beneficiary } from "../../support/remittance-samples.js";
import { createWaitingOrders, type WaitingOrders } from "../../support/waiting-orders.js";
import { cpuOf } from "../process-cpu.js";

/** CPU of a transaction, ms. */
interface Spent {
  services: number;
  mongod: number;
}

const usBsa = { profile: "US_BSA", originCountries: ["USA"] };

/**
 * What the transparency policy costs a transaction that it asks nothing of: orders of 100.00 USD of
 * a tenant with US_BSA and of one without a profile, in turns, through remittance and compliance
 * with stand-ins for the rest, all in one process. CPU is counted, so that what else the machine
 * does falls on neither. Rows of the report.
 */
export async function benchTransparency(quick: boolean): Promise<string[]> {
  const dir = mkdtempSync(join(tmpdir(), "manilla-bench-transparency-"));
  const [mongo, redis] = await Promise.all([
    startMongo({ dir: join(dir, "mongo") }),
    startRedis({ dir: join(dir, "redis") }),
  ]);
  Object.assign(process.env, { MONGODB_URI: mongo.uri, REDIS_URL: redis.url, TEST_RUN: "bench" });
  const world = await createWaitingOrders("transparency", { pollMs: 5_000 });
  try {
    const [tenants, rounds] = quick ? [8, 4] : [20, 16];
    const ofTenant = 20;
    const pids = { mongod: mongo.pid };
    const spend = async (profiles: readonly object[]): Promise<Spent> => {
      // Tenants of its own, in each of which the sender has sent a few today.
      const opened: string[] = [];
      for (let tenant = 0; tenant < tenants; tenant += 1) opened.push(await world.open(...profiles));
      for (const tenantId of opened) await world.create(tenantId, 2);
      await sleep(1_000);
      const before = { own: process.cpuUsage(), mongod: cpuOf(pids)["mongod"]! };
      for (const tenantId of opened) await world.create(tenantId, ofTenant);
      const { user, system } = process.cpuUsage(before.own);
      const orders = tenants * ofTenant;
      return {
        services: (user + system) / 1_000 / orders,
        mongod: (cpuOf(pids)["mongod"]! - before.mongod) / orders,
      };
    };
    for (const warm of [[], [usBsa]]) await spend(warm);
    const without: Spent[] = [];
    const withPolicy: Spent[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const turns = [async () => without.push(await spend([])), async () => withPolicy.push(await spend([usBsa]))];
      for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn();
    }
    const times = quick ? 500 : 4_000;
    const few = await spendOnFacts(world, pids, { orders: 2, times });
    const many = await spendOnFacts(world, pids, { orders: 20, times });
    const others = await spendOnFacts(world, pids, { orders: 1, toOthers: 19, times });
    const added = without.map((one, round) => allOf(withPolicy[round]!) - allOf(one));
    return [
      line("a transaction created, no profile for its country", without),
      line("a transaction created, US_BSA, below its amount", withPolicy),
      line("what is worked out for US_BSA alone, of a sender with one more today", few),
      line("the same, of one with 19 more", many),
      line("the same, of one with 19 to somebody else", others),
      `| what the policy adds, median of ${rounds} pairs (target: at most 0.3 ms; load ${loadavg()[0]!.toFixed(1)}) | | | ${spread(added)} |`,
    ];
  } finally {
    await world.close();
    await Promise.all([mongo.stop(), redis.stop()]);
    rmSync(dir, { recursive: true, force: true });
  }
}

/**
 * What remittance works out for the policy, by itself: the profile, the amount in its currency, and
 * what is linked, which is read.
 */
async function spendOnFacts(
  world: Awaited<ReturnType<typeof createWaitingOrders>>,
  pids: Record<string, number>,
  { orders, toOthers = 0, times }: { orders: number; toOthers?: number; times: number },
): Promise<Spent[]> {
  const spent: Spent[] = [];
  const tenantId = await world.open(usBsa);
  const [transactionId = ""] = await world.create(tenantId, orders);
  if (toOthers > 0) await createToOther(world, tenantId, toOthers);
  const facts = world.factsOf(tenantId, transactionId);
  await facts();
  for (let round = 0; round < 8; round += 1) {
    await sleep(300);
    const before = { own: process.cpuUsage(), mongod: cpuOf(pids)["mongod"]! };
    for (let at = 0; at < times; at += 1) await facts();
    const { user, system } = process.cpuUsage(before.own);
    spent.push({ services: (user + system) / 1_000 / times, mongod: (cpuOf(pids)["mongod"]! - before.mongod) / times });
  }
  return spent;
}

/** Orders of the same sender to another person with another account. */
async function createToOther(world: WaitingOrders, tenantId: string, orders: number): Promise<void> {
  const own: Readonly<Record<string, string>> = { bankaccountno: "2003004003", accountholdername: "Bola Ade" };
  const creditParty = account.map(({ key, value }) => ({ key, value: own[key] ?? value }));
  const other = { ...beneficiary, firstName: "Bola", lastName: "Ade", code: "B-OTHER", creditParty };
  await world.operator.createBeneficiary({ ...other, idempotencyKey: "b-other" }, on(tenantId));
  await world.create(tenantId, orders, { recipientCustomerCode: "B-OTHER", creditParty });
}

const allOf = ({ services, mongod }: Spent): number => services + mongod;

function line(name: string, spent: readonly Spent[]): string {
  const of = (read: (one: Spent) => number) => spread(spent.map(read));
  return `| ${name} | ${of(({ services }) => services)} | ${of(({ mongod }) => mongod)} | ${of(allOf)} |`;
}

/** "median (quarter to three quarters)", ms. */
function spread(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number) => (sorted[Math.floor((sorted.length - 1) * part)] ?? NaN).toFixed(2);
  return `${at(0.5)} (${at(0.25)} to ${at(0.75)})`;
}

if (process.argv[1]?.endsWith("transparency.ts") === true) {
  for (const row of await benchTransparency(process.argv.includes("--quick"))) process.stdout.write(`${row}\n`);
}
