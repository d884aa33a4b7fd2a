import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPartner } from "../../deploy/partner/server.js";
import type { LendingPerson } from "./lending-neighbours.js";

const apiKey = "test-key-of-the-sandbox";

/** The sandbox's bank and card acquirer, and what a test tells them to do. */
export async function createLendingBank() {
  const partner = await startPartner({
    host: "127.0.0.1",
    port: 0,
    apiKey,
    callbackSecret: `whsec_${Buffer.from("a secret of the sandbox").toString("base64")}`,
    settleMs: 20,
    windowMs: 1_000,
    booksFile: join(mkdtempSync(join(tmpdir(), "lending-bank-")), "books.db"),
  });
  const url = `http://127.0.0.1:${partner.port}`;

  async function control(path: string, body: object): Promise<void> {
    const response = await fetch(`${url}/control/${path}`, { method: "POST", body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`the bank answered ${response.status}`);
  }

  return {
    url,
    apiKey,
    stop: () => partner.stop(),
    /** A bank transfer arrives at the tenant's bank. */
    credit(tenantId: string, reference: string, amount: string, currency = "USD"): Promise<void> {
      const body = { account: tenantId, collection: "lending", reference, amount, currency, senderName: "Amina Bello" };
      return control("bank/credits", body);
    },
    /** How the bank treats what the tenant sends from now on. */
    rule: (tenantId: string, rule: { behaviour: string; delayMs?: number; reason?: string }): Promise<void> =>
      control("rules", { account: tenantId, ...rule }),
    /** The card that a customer has stored at the acquirer; "" for none. */
    storeCard: ({ tenantId, customerId }: LendingPerson, cardToken: string): Promise<void> =>
      control("bank/cards", { account: tenantId, customer: customerId, cardToken }),
    settleCard: (tenantId: string, reference: string, status: "CAPTURED" | "REFUSED"): Promise<void> =>
      control(`bank/card-charges/${tenantId}/${reference}`, { status }),
  };
}
