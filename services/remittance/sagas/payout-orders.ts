import { systemClock } from "../../kernel/time/clock.js";
import { isSandbox } from "../../platform/sandbox/sandbox.js";
import type { PayoutOrder } from "../clients/payout-connector.js";
import { holdsForGood, subjectsOf, treatmentOf, type ForcedTreatment } from "../domain/forced-payout.js";
import { isPaidByPartner } from "../domain/accepted-payout-polling.js";
import { askedMembers, needsParties } from "../domain/order-parties.js";
import { payoutOf } from "../domain/payout.js";
import type { Transaction } from "../domain/transaction.js";
import type { RemittanceStore } from "../store/index.js";

export type PayoutOrders = ReturnType<typeof createPayoutOrders>;

/**
 * What the partner is asked to pay: the same whenever it is asked. In a sandbox the order says what
 * is forced of it, so that the partner needs no memory of it; nobody looks for a live tenant's.
 */
export function createPayoutOrders(store: RemittanceStore) {
  /** Takes what is forced, and keeps it for this transaction in the same commit. */
  async function forcedOf(tenantId: string, transaction: Transaction): Promise<ForcedTreatment | undefined> {
    const tenant = store.forTenant(tenantId);
    const { transactionId } = transaction;
    // In this order: where another process takes the last one for this transaction meanwhile,
    // it is noted by the second look.
    const isAnyForced = await tenant.hasForced();
    const known = await tenant.findForcedOrder(transactionId);
    if (known !== undefined) return known.treatment;
    if (!isAnyForced) return undefined;
    const { treatment } = await store.transaction<{ treatment: ForcedTreatment | undefined }>(
      async (session) => {
        const before = await tenant.findForcedOrder(transactionId, session);
        if (before !== undefined) return { treatment: before.treatment };
        const taken = await tenant.takeForced(subjectsOf(transaction), session);
        if (taken === undefined) return { treatment: undefined };
        const made = treatmentOf(taken.forced);
        if (holdsForGood(made)) {
          const { outcomeId } = taken;
          const createdAt = systemClock.now();
          await tenant.insertForcedOrder({ transactionId, outcomeId, treatment: made, createdAt }, session);
        }
        return { treatment: made };
      },
      // Of one that hangs nobody can tell: it is taken once more, or not.
      () => tenant.findForcedOrder(transactionId),
    );
    return treatment;
  }

  return {
    async of(tenantId: string, transaction: Transaction): Promise<PayoutOrder> {
      const { transactionId, price, deliveryMethod, creditParty, orderParties: parties } = transaction;
      const order = { reference: transactionId, amount: price.receive, method: deliveryMethod, creditParty };
      const forced = isSandbox(tenantId) ? await forcedOf(tenantId, transaction) : undefined;
      // Where it must say who pays it never goes out without: that would be a bug of ours.
      if (parties === undefined && needsParties(transaction) && isPaidByPartner(transaction)) {
        throw new Error(`the parties of ${transactionId} are not there`);
      }
      const asked = askedMembers(transaction);
      const { callbackUrl } = payoutOf(transaction);
      return {
        ...order,
        ...(callbackUrl !== undefined && { callbackUrl }),
        ...(parties !== undefined && { parties }),
        ...(asked.length > 0 && { askedMembers: asked }),
        ...(forced !== undefined && { forced }),
      };
    },
  };
}
