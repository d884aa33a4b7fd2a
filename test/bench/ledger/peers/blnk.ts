import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { freePort } from "../../../../deploy/local/ports.js";
import { startRedis } from "../../../../deploy/local/servers.js";
import { accountName, hotAccount } from "../database.js";
import { assertOk, createJsonClient, type JsonAnswer } from "./json-client.js";
import { startServer, untilAnswered, type Peer, type PeerOptions } from "./peer.js";

/**
 * Blnk without its queue (`skip_queue`), which answers before anything is in PostgreSQL. Its locks
 * are in Redis: who waits for one too long is refused.
 */
export async function startBlnk({ binary, dir, databaseUri, clients, accounts }: PeerOptions): Promise<Peer> {
  const redis = await startRedis({ dir: join(dir, "redis") });
  const port = await freePort();
  const env = {
    BLNK_PROJECT_NAME: "bench",
    BLNK_DATA_SOURCE_DNS: databaseUri,
    BLNK_REDIS_DNS: `127.0.0.1:${redis.port}`,
    BLNK_SERVER_PORT: String(port),
  };
  execFileSync(binary, ["migrate", "up"], { cwd: dir, env: { ...process.env, ...env }, stdio: "ignore" });
  const child = await startServer({ name: "blnk", binary, args: ["start"], env, dir });
  const client = createJsonClient(port, clients);
  const log = join(dir, "blnk.log");
  const ledgerId = idOf(await untilAnswered(child, log, () => client.post("/ledgers", { name: "bench" })), "ledger_id");
  const balances = new Map<string, string>();
  for (const name of [hotAccount, ...Array.from({ length: accounts }, (_, n) => accountName(n))]) {
    balances.set(name, idOf(await client.post("/balances", { ledger_id: ledgerId, currency: "USD" }), "balance_id"));
  }
  return {
    name: "Blnk",
    pid: child.pid,
    otherPids: [redis.pid],
    async post([debit, credit]) {
      const answer = await client.post("/transactions", {
        reference: randomUUID(),
        source: balances.get(debit),
        destination: balances.get(credit),
        precise_amount: 1,
        precision: 100,
        currency: "USD",
        description: "bench",
        allow_overdraft: true,
        skip_queue: true,
      });
      if (/lock/i.test(answer.text) && answer.status >= 400) return false;
      assertOk("Blnk posted nothing", answer);
      if (!answer.text.includes('"APPLIED"')) throw new Error(`Blnk applied nothing: ${answer.text}`);
      return true;
    },
    async stop() {
      client.close();
      await child.stop();
      await redis.kill();
    },
  };
}

function idOf(answer: JsonAnswer, field: string): string {
  assertOk(`Blnk gave no ${field}`, answer);
  return String((JSON.parse(answer.text) as Record<string, unknown>)[field]);
}
