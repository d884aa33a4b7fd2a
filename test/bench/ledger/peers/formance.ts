import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { freePort } from "../../../../deploy/local/ports.js";
import { assertOk, createJsonClient } from "./json-client.js";
import { startServer, untilAnswered, type Peer, type PeerOptions } from "./peer.js";

/**
 * Formance's ledger with the features of a new ledger: moves with balances, and hashed logs, as our
 * entries and chain. Accounts are there when they are named; `force` leaves balances unchecked, as
 * those of the bench's accounts are by ours.
 */
export async function startFormance({ binary, dir, databaseUri, clients }: PeerOptions): Promise<Peer> {
  const port = await freePort();
  const args = ["serve", "--bind", `127.0.0.1:${port}`, "--postgres-uri", databaseUri, "--auto-upgrade"];
  const child = await startServer({ name: "formance", binary, args, dir });
  const client = createJsonClient(port, clients);
  const made = await untilAnswered(child, join(dir, "formance.log"), () => client.post("/v2/bench", {}));
  assertOk("Formance made no ledger", made);
  return {
    name: "Formance",
    pid: child.pid,
    otherPids: [],
    async post([debit, credit]) {
      const posting = { source: addressOf(debit), destination: addressOf(credit), amount: 1, asset: "USD/2" };
      const body = { postings: [posting], force: true };
      assertOk(
        "Formance posted nothing",
        await client.post("/v2/bench/transactions", body, { "idempotency-key": randomUUID() }),
      );
      return true;
    },
    async stop() {
      client.close();
      await child.stop();
    },
  };
}

const addressOf = (account: string) => account.replaceAll(/[^A-Za-z0-9:]/g, "_");
