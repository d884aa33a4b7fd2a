// `node --import ./test/bench/edge/hooks.mjs test/bench/ledger/settlement.ts` [--lines 100000]: a
// settlement of all that is open on an account, from its proposal to the posting. The ledger, its
// jobs and what stands in for identity share this process.
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startMongo, startRedis } from "../../../deploy/local/servers.js";
import { waitFor } from "../../support/index.js";
import { createSettlingFixture, settlingTenant } from "../../support/settling-fixture.js";

const { values } = parseArgs({ options: { lines: { type: "string", default: "100000" } } });
const lines = Number(values.lines);
const atOnce = 500;

const dir = mkdtempSync(join(tmpdir(), "manilla-bench-settlement-"));
const [mongo, redis] = await Promise.all([
  startMongo({ dir: join(dir, "mongo") }),
  startRedis({ dir: join(dir, "redis") }),
]);
Object.assign(process.env, { MONGODB_URI: mongo.uri, REDIS_URL: redis.url, TEST_RUN: "bench" });
const fixture = await createSettlingFixture("ledger_settlement_bench");
try {
  const ledger = await fixture.start();
  const tenant = settlingTenant(
    () => ledger,
    () => fixture.identity,
  );
  await tenant.openAll();
  for (let owed = 0; owed < lines; owed += atOnce)
    await Promise.all(Array.from({ length: Math.min(atOnce, lines - owed) }, () => tenant.owe(tenant.partnerUsd, 1n)));
  const amount = `${Math.trunc(lines / 100)}.${String(lines % 100).padStart(2, "0")}`;
  const throughDate = new Date().toISOString().slice(0, 10);
  const before = { at: performance.now(), rss: process.memoryUsage().rss };
  let highest = before.rss;
  const watch = setInterval(() => (highest = Math.max(highest, process.memoryUsage().rss)), 50);
  const { settlementId } = await tenant.propose({
    amount,
    cost: { amount, currency: "USD" },
    lines: { throughDate },
  });
  const patience = { timeoutMs: 600_000, everyMs: 100, what: "the lines to be taken" };
  const proposed = await waitFor(async () => {
    const now = await tenant.read(settlementId);
    return now.approvalId === "" ? undefined : now;
  }, patience);
  await tenant.decide(proposed.approvalId);
  const ended = await waitFor(async () => {
    const now = await tenant.read(settlementId);
    return /POSTED|REFUSED/.test(now.status) ? now : undefined;
  }, patience);
  const all = performance.now() - before.at;
  clearInterval(watch);
  const mb = (bytes: number) => (bytes / 2 ** 20).toFixed(0);
  process.stdout.write(
    `${lines} lines: ${ended.status}, posted after ${(all / 1_000).toFixed(1)} s, ` +
      `${mb(highest)} MB at most (${mb(before.rss)} before it), load ${loadavg()[0]!.toFixed(1)}\n`,
  );
} finally {
  await fixture.close();
  await Promise.all([mongo.stop(), redis.stop()]);
  rmSync(dir, { recursive: true, force: true });
}
