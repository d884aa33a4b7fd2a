// `npm run bench:plugins`: what it costs to decide where a payout goes, what tenants' plugins take
// of memory, and what one tenant's partner that hangs does to another tenant's payouts.
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { startMongo, startRedis } from "../../../deploy/local/servers.js";
import { createPayoutWorld, type PayoutWorld } from "../../support/payout-fixture.js";
import { stolenSince, ticks } from "../stolen.js";
import { percentile } from "./figures.js";
import { openTenants, runArm } from "./hanging.js";
import { growthBy, timeResolving } from "./resolving.js";
import { startPartners, type Partners } from "./start-partner.js";

const quick = process.argv.includes("--quick");
const decisions = quick ? 20_000 : 1_000_000;
const turns = quick ? 1 : 3;
// 40 s at this rate: longer than a call may take, so that the one that hangs is timed out.
const payouts = quick ? 40 : 400;
const perSecond = 10;
const tenants = 100;

const print = (line: string) => void process.stdout.write(`${line}\n`);
const dir = mkdtempSync(join(tmpdir(), "manilla-bench-plugins-"));
const [mongo, redis] = await Promise.all([
  startMongo({ dir: join(dir, "mongo") }),
  startRedis({ dir: join(dir, "redis") }),
]);
Object.assign(process.env, { MONGODB_URI: mongo.uri, REDIS_URL: redis.url, TEST_RUN: String(process.pid) });
const before = ticks();
const partners = await startPartners();
// A statement is no part of what is measured.
const world = await createPayoutWorld("bench", { PARTNER_STATEMENT_EVERY_S: "3600" });
try {
  await resolving(partners, world);
  await memory(partners);
  await hanging(partners, world);
  const load = loadavg()
    .map((one) => one.toFixed(1))
    .join(", ");
  print(`\n${cpus().length} × ${cpus()[0]?.model ?? "?"}, load ${load}, stolen ${stolenSince(before)}`);
} finally {
  await world.close();
  partners.stop();
  await Promise.all([mongo.kill(), redis.kill()]);
  rmSync(dir, { recursive: true, force: true });
}

async function resolving(at: Partners, { tenant, create, find }: PayoutWorld): Promise<void> {
  const tenantId = await tenant();
  const transaction = await find(tenantId, await create(tenantId));
  const cached = await timeResolving(at, transaction, { times: decisions });
  const asking = await timeResolving(at, transaction, { times: decisions / 500, keepForMs: 0 });
  print("where a payout goes, of three plugins, ms:");
  print(
    `  kept      p50 ${shown(cached.tookMs, 50)}, p99 ${shown(cached.tookMs, 99)}, identity was asked ${cached.asked} times`,
  );
  print(`  not kept  p50 ${shown(asking.tookMs, 50)}, p99 ${shown(asking.tookMs, 99)}, ${asking.asked} times`);
  const ratio = percentile(asking.tookMs, 99) / percentile(cached.tookMs, 99);
  print(`  not kept / kept at p99: ${ratio.toFixed(0)} times; target: kept p99 at most 0.05 ms`);
}

async function memory(at: Partners): Promise<void> {
  const { heapMb, rssMb } = await growthBy(at, tenants);
  print(
    `${tenants} tenants with three plugins each, all called: heap +${heapMb.toFixed(1)} MB, rss +${rssMb.toFixed(1)} MB; target: +30 MB`,
  );
}

async function hanging(at: Partners, world: PayoutWorld): Promise<void> {
  const opened = await openTenants(world, at);
  const arm = (hangs: boolean, count = payouts) =>
    runArm({ world, partners: at, tenants: opened, payouts: count, perSecond, hangs });
  await arm(false, 20);
  const found = { answers: [] as Arm[], hangs: [] as Arm[] };
  for (let turn = 0; turn < turns; turn += 1) {
    // Whichever comes first has no advantage in the end.
    for (const hangs of turn % 2 === 0 ? [false, true] : [true, false]) {
      found[hangs ? "hangs" : "answers"].push(await arm(hangs));
    }
  }
  print(`payouts of a tenant, from the payment to the order at its partner, ms; ${payouts * turns} of each arm:`);
  sayPart(found, "beforeMs", "while another's partner hangs; target: at most 1.10");
  // Its breaker is open then, and what waited goes on by another way, beside everything else.
  if (!quick) sayPart(found, "afterMs", "after its calls were given up");
  const most = found.hangs.map((one) => one.most);
  print(`  calls under way at the one that hung: at most ${Math.max(...most)}`);
}

type Arm = Awaited<ReturnType<typeof runArm>>;

/** Of one part of all arms: the times, and the ratio of the two kinds at p99 in each turn. */
function sayPart(found: { answers: Arm[]; hangs: Arm[] }, part: "beforeMs" | "afterMs", what: string): void {
  print(`  ${what}`);
  for (const [name, arms] of Object.entries(found)) {
    const values = arms.flatMap((one) => one[part]);
    print(`    another's partner ${name.padEnd(8)} p50 ${shown(values, 50)}, p99 ${shown(values, 99)}`);
  }
  // A turn in which the machine was busy with something else is not the median one.
  const ratios = found.hangs.map((one, turn) => percentile(one[part], 99) / percentile(found.answers[turn]![part], 99));
  const each = ratios.toSorted((a, b) => a - b).map((ratio) => ratio.toFixed(2));
  print(`    hangs / answers at p99: ${percentile(ratios, 50).toFixed(2)} (turns: ${each.join(", ")})`);
}

function shown(values: readonly number[], percent: number): string {
  const value = percentile(values, percent);
  return value < 1 ? value.toFixed(4) : value.toFixed(1);
}
