import type { Refund } from "../domain/refund.js";
import type { WalletStore } from "../store/index.js";

/** Ends a refund that nobody decides about: what it held may be refunded by another. */
export async function giveUpRefund(
  store: WalletStore,
  tenantId: string,
  { refundId, paymentId, amount }: Pick<Refund, "refundId" | "paymentId" | "amount">,
  failure: string,
): Promise<void> {
  const wallet = store.forTenant(tenantId);
  await store.transaction(
    async (session) => {
      if (!(await wallet.moveRefund(refundId, "ASKED", { status: "FAILED", failure }, session))) return true;
      await wallet.endRefund(paymentId, amount.minor, "NEVER_POSTED", session);
      return true;
    },
    async () => ((await wallet.findRefund(refundId))?.status === "ASKED" ? undefined : true),
  );
}
