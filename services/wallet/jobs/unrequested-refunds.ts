import type { RowHandler } from "../../kernel/outbox/index.js";
import { giveUpRefund } from "../sagas/refund.js";
import type { WalletStore } from "../store/index.js";

/** Gives up a refund whose asker died before identity was asked, and did not come again. */
export function dropUnrequestedRefund(store: WalletStore): RowHandler {
  return async ({ tenantId, payload }) => {
    const refund = await store.forTenant(tenantId).findRefund(String(payload["refundId"]));
    if (refund?.status === "ASKED" && refund.approvalId === undefined) {
      await giveUpRefund(store, tenantId, refund, "NOT_ASKED");
    }
  };
}
