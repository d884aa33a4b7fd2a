import { randomUUID } from "node:crypto";
import { Refusal, type RefusalCode } from "../../services/kernel/refusal.js";
import type { PayoutWorld } from "./payout-fixture.js";
import { cashier, on } from "./remittance-calls.js";

const creditParty = [
  { key: "payoutpointid", value: "LAG-1" },
  { key: "recipientname", value: "Ngozi Okafor" },
];
/** Where our own cashiers hand out cash. */
export const cashPoint = {
  code: "LAG-1",
  name: "Lagos Island",
  type: "PAYOUT_POINT_TYPE_CASH" as const,
  country: "NG",
  currency: "NGN",
  minimumMinor: 1_000_00n,
  maximumMinor: 1_000_000_00n,
  enabled: true,
};
/** What asks for cash there. */
export const asCash = { type: "DELIVERY_METHOD_CASH_PICKUP" as const, creditParty };

/** Of a desk's cashier, in the ledger as the wallet opens it. */
export const tillOf = (cashierId: string) => `cash_till:${cashierId}:NGN`;

/** What an agent gave out of their own notes, in the ledger as the wallet opens it. */
export const owedToAgent = (agentId: string) => `agent_unsettled:${agentId}:NGN`;

/** Hands out as the wallet does, of a till or of an agent's own. Throws what is refused. */
export async function handOut(
  world: Pick<PayoutWorld, "wallet" | "books">,
  tenantId: string,
  transactionCode: string,
  pickupCode: string,
  {
    cashierId = "CA1",
    key = randomUUID() as string,
    ofAgent = false,
    handedOutAt,
  }: { cashierId?: string; key?: string; ofAgent?: boolean; handedOutAt?: Date } = {},
) {
  const found = await world.wallet.findPickup({ transactionCode }, on(tenantId, { ...cashier, userId: cashierId }));
  const accountId = ofAgent ? owedToAgent(cashierId) : tillOf(cashierId);
  const given = { accountId, code: ofAgent ? "agent_unsettled" : "cash_till", currency: "NGN", name: "Given out" };
  await world.books.createAccounts({ accounts: [given] }, on(tenantId));
  const { transactionId } = found;
  const request = { idempotencyKey: key, transactionId, cashierId, pickupCode, ofAgent, handedOutAt };
  const { refused } = await world.wallet.handOutCash(request, on(tenantId));
  if (refused === undefined) return found;
  const { triesLeft } = refused;
  const details = triesLeft === undefined ? {} : { figures: { triesLeft: String(triesLeft) } };
  throw new Refusal(refused.code as RefusalCode, refused.message, details);
}
