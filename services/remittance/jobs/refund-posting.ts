import type { WalletServiceDefinition } from "../../../proto/gen/wallet/v1/wallet.js";
import type { Clock } from "../../kernel/time/clock.js";
import { crashPoint } from "../../kernel/process/crash-point.js";
import { outgoing, type Client } from "../../kernel/grpc/client.js";
import type { RowHandler } from "../../kernel/outbox/index.js";
import { settlementKey, takeBackKey } from "../domain/payout-transfers.js";
import { payoutOf } from "../domain/payout.js";
import { approvedRefunds, notTakenBack, refundDone, takenBack, type Refund } from "../domain/refund.js";
import type { Transaction } from "../domain/transaction.js";
import { transactionOf } from "../sagas/outbox-rows.js";
import type { PayoutPosting } from "../sagas/payout-posting.js";
import type { PayoutSteps } from "../sagas/payout-steps.js";
import type { RemittanceStore } from "../store/index.js";
import { rowKinds } from "../row-kinds.js";

const refusals: Record<string, string> = {
  INSUFFICIENT_FUNDS: "the recipient's wallet has not so much any more",
  ACCOUNT_CLOSED: "the recipient's wallet is closed",
};

/**
 * Books approved refunds, each under a key of its own in the ledger. What is taken back is asked of
 * wallet, which owns the account.
 */
export function refundPosting(deps: {
  wallet: Pick<Client<WalletServiceDefinition>, "takeBackDelivery">;
  store: RemittanceStore;
  posting: Pick<PayoutPosting, "refundRequested">;
  steps: PayoutSteps;
  clock: Clock;
}): Record<string, RowHandler> {
  const { wallet, store, posting, steps, clock } = deps;

  async function takeBack(tenantId: string, transaction: Transaction, refund: Refund, signal: AbortSignal) {
    const { transactionId, recipientWallet } = transaction;
    const { refundId, decidedBy: actor = "remittance" } = refund;
    const { interactionId } = payoutOf(transaction);
    const { refusedCode } = await wallet.takeBackDelivery(
      {
        accountId: recipientWallet?.accountId ?? "",
        deliveryKey: settlementKey(transaction),
        key: takeBackKey(transactionId, refundId),
      },
      outgoing({ tenantId, interactionId, signal }),
    );
    crashPoint("remittance.refund.request-taken");
    const because = refusals[refusedCode] ?? refusedCode;
    const decide = (now: Transaction) =>
      refusedCode === "" ? takenBack(now, refundId, clock.now()) : notTakenBack(now, refundId, because);
    await steps.make(tenantId, transactionId, decide, { actor });
  }

  return {
    async [rowKinds.postRefund](row, context) {
      const { tenantId } = row;
      const transactionId = transactionOf(row);
      const find = () => store.forTenant(tenantId).findTransaction(transactionId);
      let transaction: Transaction | undefined = await find();
      if (transaction === undefined) throw new Error(`transaction ${transactionId} is not there`);
      for (const refund of approvedRefunds(transaction)) {
        if (refund.fromRecipient !== undefined) {
          await takeBack(tenantId, transaction, refund, context.signal);
          continue;
        }
        await posting.refundRequested(transaction, refund, { tenantId, signal: context.signal });
        crashPoint("remittance.refund.request-posted");
        const done = (now: Transaction) => refundDone(now, refund.refundId, clock.now());
        await steps.make(tenantId, transactionId, done, { actor: refund.decidedBy ?? "remittance" });
        crashPoint("remittance.refund.request-done");
      }
      transaction = await find();
      if (transaction !== undefined && approvedRefunds(transaction).length > 0) {
        throw new Error(`a refund of ${transactionId} was approved meanwhile`);
      }
    },
  };
}
