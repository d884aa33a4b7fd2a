import { crashPoint } from "../../kernel/process/crash-point.js";
import type { RowHandler } from "../../kernel/outbox/index.js";
import { transactionOf } from "../sagas/outbox-rows.js";
import type { PayoutPosting } from "../sagas/payout-posting.js";
import type { RemittanceStore } from "../store/index.js";
import { rowKinds } from "../row-kinds.js";

/**
 * Books what a cashier has handed out of a till, under the ledger's key that a refund would need.
 */
export function cashSettlement(deps: {
  store: RemittanceStore;
  posting: Pick<PayoutPosting, "settle">;
}): Record<string, RowHandler> {
  return {
    async [rowKinds.settleCash](row, { signal }) {
      const transactionId = transactionOf(row);
      const transaction = await deps.store.forTenant(row.tenantId).findTransaction(transactionId);
      if (transaction === undefined) throw new Error(`transaction ${transactionId} is not there`);
      await deps.posting.settle(transaction, { tenantId: row.tenantId, signal });
      crashPoint("remittance.pickup.booked");
    },
  };
}
