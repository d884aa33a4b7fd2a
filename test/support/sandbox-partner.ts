import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RecordedParties } from "../../services/platform/plugins/payout-contract.js";
import { startPartner } from "../../deploy/partner/server.js";

const apiKey = "test-key-of-the-sandbox";

/** The sandbox's partner as bank and card acquirer, quick to settle, and its controls. */
export async function startSandboxPartner() {
  const partner = await startPartner({
    host: "127.0.0.1",
    port: 0,
    booksFile: join(await mkdtemp(join(tmpdir(), "bank-")), "books.db"),
    apiKey,
    callbackSecret: `whsec_${Buffer.from("a secret of the sandbox").toString("base64")}`,
    settleMs: 20,
    windowMs: 1_000,
  });
  const url = `http://127.0.0.1:${partner.port}`;
  return {
    url,
    apiKey,
    /** Tells it what is to happen there, as POST /control<path>. */
    async control(path: string, body: object): Promise<void> {
      const response = await fetch(`${url}/control${path}`, { method: "POST", body: JSON.stringify(body) });
      if (!response.ok) throw new Error(`the bank answered ${response.status}: ${await response.text()}`);
    },
    /**
     * What it says of an account's transfer ("transfers") or charge ("card-charges");
     * undefined where it knows none.
     */
    async knows(account: string, what: "transfers" | "card-charges", reference: string): Promise<string | undefined> {
      const headers = { authorization: `Bearer ${apiKey}`, "x-account": account };
      const response = await fetch(`${url}/v1/bank/${what}/${reference}`, { headers });
      return response.status === 404 ? undefined : ((await response.json()) as { status: string }).status;
    },
    /** Whom it has recorded of an account's transfer as paying and as paid. */
    async partiesOf(account: string, reference: string): Promise<RecordedParties> {
      const headers = { authorization: `Bearer ${apiKey}`, "x-account": account };
      const response = await fetch(`${url}/v1/bank/transfers/${reference}`, { headers });
      const { originator, beneficiary } = (await response.json()) as RecordedParties;
      return { originator, beneficiary };
    },
    async clearRules(account: string): Promise<void> {
      await fetch(`${url}/control/rules?account=${account}`, { method: "DELETE" });
    },
    stop: () => partner.stop(),
  };
}
