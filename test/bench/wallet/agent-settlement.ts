// `node --import ./test/bench/edge/hooks.mjs test/bench/wallet/agent-settlement.ts`
// [--lines 100000]: a settlement of an agent, from the question to close it to its statement, and
// its text read whole. The wallet, a real ledger and what stands in share this process.
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startMongo, startRedis } from "../../../deploy/local/servers.js";
import type { NewAgentLine } from "../../../services/wallet/domain/agent-line.js";
import { waitFor } from "../../support/index.js";
import { createSettledAgents } from "../../support/settled-agent.js";

const { values } = parseArgs({ options: { lines: { type: "string", default: "100000" } } });
const count = Number(values.lines);
const atOnce = 1_000;

const dir = mkdtempSync(join(tmpdir(), "manilla-bench-agents-"));
const [mongo, redis] = await Promise.all([
  startMongo({ dir: join(dir, "mongo") }),
  startRedis({ dir: join(dir, "redis") }),
]);
Object.assign(process.env, { MONGODB_URI: mongo.uri, REDIS_URL: redis.url, TEST_RUN: "bench" });
const world = await createSettledAgents("bench");
try {
  const agent = await world.agent();
  const from = world.today();
  // One transfer in the ledger for all of them: it is the lines that are settled one by one.
  const whole = await agent.moved("COMMISSION", "COMMISSION", BigInt(count), { isKept: false });
  for (let kept = 0; kept < count; kept += atOnce) {
    const lines = Array.from({ length: Math.min(atOnce, count - kept) }, (_, at): NewAgentLine => {
      const lineId = `commission:${kept + at}`;
      return { ...whole, lineId, transactionId: lineId, amountMinor: 1n, at: new Date(Date.now() + at) };
    });
    await agent.keep(lines);
  }
  const { settlementId } = await agent.open(from, world.nextDay());
  const rss = process.memoryUsage().rss;
  let highest = rss;
  const watch = setInterval(() => (highest = Math.max(highest, process.memoryUsage().rss)), 50);
  const began = performance.now();
  await agent.close(settlementId);
  const patience = { timeoutMs: 600_000, everyMs: 100, what: "it to be closed" };
  const closed = await waitFor(async () => {
    const now = await agent.read(settlementId);
    return now.status === "CLOSED" ? now : undefined;
  }, patience);
  const closedAt = performance.now();
  const hash = createHash("sha256");
  for (let cursor = ""; ;) {
    const page = await world.gateway.readAgentStatement({ settlementId, cursor }, agent.by());
    hash.update(page.text);
    if (page.nextCursor === "") break;
    cursor = page.nextCursor;
  }
  const read = performance.now();
  clearInterval(watch);
  const mb = (bytes: number) => (bytes / 2 ** 20).toFixed(0);
  const seconds = (ms: number) => (ms / 1_000).toFixed(1);
  process.stdout.write(
    `${closed.statement?.lineCount} lines closed after ${seconds(closedAt - began)} s, ` +
      `text read in ${seconds(read - closedAt)} s, ` +
      `sha256 ${hash.digest("hex") === closed.statement?.sha256 ? "is its own" : "DIFFERS"}, ` +
      `${mb(highest)} MB at most (${mb(rss)} before it), load ${loadavg()[0]!.toFixed(1)}\n`,
  );
} finally {
  await world.closeAll();
  await Promise.all([mongo.stop(), redis.stop()]);
  rmSync(dir, { recursive: true, force: true });
}
