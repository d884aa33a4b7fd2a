import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Rule } from "../../deploy/partner/behaviours.js";
import { signCallback } from "../../deploy/partner/callbacks.js";
import { startPartner } from "../../deploy/partner/server.js";

export const partnerKey = "key-of-the-test-partner";
export const callbackSecret = `whsec_${Buffer.from("a secret of the payout tests").toString("base64")}`;

/** What the partner knows a payout by. */
interface Payout {
  tenantId: string;
  transactionId: string;
}

/** The sandbox partner for real, with books in a folder of its own, and what tests do to it. */
export async function startSandboxPartner() {
  const folder = await mkdtemp(join(tmpdir(), "payouts-"));
  const config = {
    host: "127.0.0.1",
    port: 0,
    booksFile: join(folder, "books.db"),
    apiKey: partnerKey,
    callbackSecret,
    settleMs: 20,
    windowMs: 1_000,
  };
  let partner = await startPartner(config);
  config.port = partner.port;
  const url = `http://127.0.0.1:${partner.port}`;

  async function control(method: string, path: string, body?: object): Promise<void> {
    const init = { method, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(`${url}/control/${path}`, init);
    if (!response.ok) throw new Error(`the partner's control answered ${response.status}`);
  }

  function ask(tenantId: string, path: string): Promise<Response> {
    const headers = { authorization: `Bearer ${partnerKey}`, "x-account": tenantId };
    return fetch(`${url}/v1/${path}`, { headers });
  }

  return {
    url,
    force: (rule: Rule) => control("POST", "rules", rule),
    unforce: () => control("DELETE", "rules"),
    sendBack: ({ tenantId, transactionId }: Payout, kept: string) =>
      control("POST", `payouts/${tenantId}/${transactionId}/return`, { kept }),
    /** What the partner says of a reference. */
    async atPartner({ tenantId, transactionId }: Payout): Promise<string> {
      const response = await ask(tenantId, `payouts/${transactionId}`);
      return ((await response.json()) as { status?: string }).status ?? String(response.status);
    },
    async statement(tenantId: string): Promise<{ reference: string; kind: string; amount: string }[]> {
      const response = await ask(tenantId, "statement");
      return ((await response.json()) as { lines: { reference: string; kind: string; amount: string }[] }).lines;
    },
    /** Whom the partner's books name as the holder of the account. */
    holderAtPartner({ tenantId, transactionId }: Payout): string | undefined {
      const file = new DatabaseSync(config.booksFile, { timeout: 5_000 });
      const found = file
        .prepare("SELECT holder FROM payout_holders WHERE account = ? AND reference = ?")
        .get(tenantId, transactionId);
      file.close();
      return found?.["holder"] as string | undefined;
    },
    /** Takes a payout out of the partner's books; returns what puts it back. */
    async forgetAtPartner({ tenantId, transactionId }: Payout) {
      const file = new DatabaseSync(config.booksFile, { timeout: 5_000 });
      const at = [tenantId, transactionId] as const;
      const [row] = file.prepare("SELECT * FROM payouts WHERE account = ? AND reference = ?").all(...at);
      file.prepare("DELETE FROM payouts WHERE account = ? AND reference = ?").run(...at);
      return async (status: string) => {
        const names = Object.keys(row!);
        const marks = names.map(() => "?").join(", ");
        const values = Object.values({ ...row, status }) as (string | number)[];
        file.prepare(`INSERT INTO payouts (${names.join(", ")}) VALUES (${marks})`).run(...values);
        file.close();
      };
    },
    stopPartner: () => partner.stop(),
    async startPartner() {
      partner = await startPartner(config);
    },
    /** As where the pod is another one: what it has known is gone. */
    async loseBooks() {
      await partner.stop();
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder);
      partner = await startPartner(config);
    },
    removeBooks: () => rm(folder, { recursive: true, force: true }),
  };
}

/** A callback as the partner would sign it, whatever is true. */
export function signedCallback({ tenantId, transactionId }: Payout, status: string) {
  const body = JSON.stringify({ account: tenantId, payout: { reference: transactionId, status } });
  const [id, timestampS] = [randomUUID(), Math.floor(Date.now() / 1_000)];
  return {
    webhookId: id,
    webhookTimestamp: String(timestampS),
    webhookSignature: signCallback(callbackSecret, id, timestampS, body)["webhook-signature"]!,
    body: Buffer.from(body),
  };
}
