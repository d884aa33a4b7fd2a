import type { LendingPerson } from "./lending-neighbours.js";
import { startSandboxPartner } from "./sandbox-partner.js";

/** The sandbox's bank and card acquirer, and what a test tells them to do. */
export async function createLendingBank() {
  const { url, apiKey, control, knows, stop } = await startSandboxPartner();
  return {
    url,
    apiKey,
    stop,
    knows,
    control,
    /** A bank transfer arrives at the tenant's bank. */
    credit(tenantId: string, reference: string, amount: string, currency = "USD"): Promise<void> {
      const body = { account: tenantId, collection: "lending", reference, amount, currency, senderName: "Amina Bello" };
      return control("/bank/credits", body);
    },
    /** How the bank treats what the tenant sends from now on. */
    rule: (tenantId: string, rule: { behaviour: string; delayMs?: number; reason?: string }): Promise<void> =>
      control("/rules", { account: tenantId, ...rule }),
    /** The card that a customer has stored at the acquirer; "" for none. */
    storeCard: ({ tenantId, customerId }: LendingPerson, cardToken: string): Promise<void> =>
      control("/bank/cards", { account: tenantId, customer: customerId, cardToken }),
    settleCard: (tenantId: string, reference: string, status: "CAPTURED" | "REFUSED"): Promise<void> =>
      control(`/bank/card-charges/${tenantId}/${reference}`, { status }),
  };
}
