import type { RowHandler } from "../../kernel/outbox/index.js";
import { rowKinds } from "../row-kinds.js";
import { giveUpRefund } from "../sagas/refund.js";
import type { WalletStore } from "../store/index.js";

/**
 * Gives up what waits for an approval whose asker died before identity was asked, and did not come
 * again: the money is free, the till open, the order on its way. What identity was asked about all
 * the same is decided about for nothing.
 */
export function forgetUnasked(store: WalletStore): Record<string, RowHandler> {
  return {
    async [rowKinds.forgetUnaskedRefund]({ tenantId, payload }) {
      const refund = await store.forTenant(tenantId).findRefund(String(payload["refundId"]));
      if (refund?.status === "ASKED" && refund.approvalId === undefined) {
        await giveUpRefund(store, tenantId, refund, "NOT_ASKED");
      }
    },
    async [rowKinds.forgetUnaskedClosing]({ tenantId, payload }) {
      await store.forTenant(tenantId).forgetUnaskedClosing(String(payload["tillId"]), String(payload["closingId"]));
    },
    async [rowKinds.forgetUnaskedEnding]({ tenantId, payload }) {
      await store.forTenant(tenantId).forgetUnaskedEnding(String(payload["orderId"]), String(payload["endingId"]));
    },
  };
}
