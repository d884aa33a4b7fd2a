import type { ComplianceServiceDefinition } from "../../../proto/gen/compliance/v1/compliance.js";
import type { WalletServiceDefinition } from "../../../proto/gen/wallet/v1/wallet.js";
import { crashPoint } from "../../kernel/process/crash-point.js";
import { outgoing, type Client } from "../../kernel/grpc/client.js";
import { moneyToWire } from "../../kernel/money.js";
import type { Outbox, RowHandler } from "../../kernel/outbox/index.js";
import { refundedSoFar } from "../domain/refund.js";
import { expiredOf, transactionOf } from "../sagas/outbox-rows.js";
import type { RemittanceStore } from "../store/index.js";
import { createReleaseOfMany } from "./release-of-many.js";
import { rowKinds } from "../row-kinds.js";

type Compliance = Pick<
  Client<ComplianceServiceDefinition>,
  "confirmReservation" | "releaseReservation" | "releaseReservations" | "giveBackReservation"
>;

/** Tells compliance what became of what it reserved. */
export function complianceNotifications(
  compliance: Compliance,
  own: Pick<RemittanceStore, "transaction"> & Pick<Outbox, "addAll" | "wake">,
): Record<string, RowHandler> {
  const releaseAll = createReleaseOfMany(compliance, own);
  return {
    async [rowKinds.confirmReservation](row, { signal }) {
      await compliance.confirmReservation({ transactionId: transactionOf(row) }, outgoing({ ...row, signal }));
      crashPoint("remittance.paid.confirmed");
    },
    async [rowKinds.releaseReservation](row, context) {
      const expired = expiredOf(row);
      if (expired !== undefined) await releaseAll(row, expired, context);
      else {
        const call = outgoing({ ...row, signal: context.signal });
        await compliance.releaseReservation({ transactionId: transactionOf(row) }, call);
      }
      crashPoint("remittance.expired.released");
    },
    async [rowKinds.giveBackReservation](row, { signal }) {
      await compliance.giveBackReservation({ transactionId: transactionOf(row) }, outgoing({ ...row, signal }));
      crashPoint("remittance.refund.given-back");
    },
  };
}

/** Tells wallet what became of what it has paid for: it is completed, or money of it is back. */
export function walletNotifications(
  wallet: Pick<Client<WalletServiceDefinition>, "markPaymentRefunded" | "markTransactionCompleted">,
  store: RemittanceStore,
): Record<string, RowHandler> {
  return {
    async [rowKinds.notifyCompleted](row, { signal }) {
      const transactionId = transactionOf(row);
      const transaction = await store.forTenant(row.tenantId).findTransaction(transactionId);
      const completedAt = transaction?.timeline.find(({ status }) => status === "COMPLETED")?.at;
      if (transaction?.paymentId === undefined || completedAt === undefined) {
        throw new Error(`transaction ${transactionId} was not completed`);
      }
      const told = { paymentId: transaction.paymentId, transactionId, completedAt };
      await wallet.markTransactionCompleted(told, outgoing({ ...row, signal }));
      crashPoint("remittance.completion.told");
    },
    async [rowKinds.notifyPaymentRefunded](row, { signal }) {
      const transactionId = transactionOf(row);
      const transaction = await store.forTenant(row.tenantId).findTransaction(transactionId);
      const { paymentId, refunds } = transaction ?? {};
      const refundedAt =
        transaction?.payout?.refundedAt ?? refunds?.findLast(({ doneAt }) => doneAt !== undefined)?.doneAt;
      if (transaction === undefined || paymentId === undefined || refundedAt === undefined) {
        throw new Error(`transaction ${transactionId} was not refunded`);
      }
      // As it is now: a row that waited tells of the parts behind it too.
      const refunded = refundedSoFar(transaction);
      const isPart = transaction.status === "PARTIALLY_REFUNDED";
      await wallet.markPaymentRefunded(
        { paymentId, transactionId, refunded: moneyToWire(refunded), refundedAt, isPart },
        outgoing({ ...row, signal }),
      );
      crashPoint("remittance.refund.told");
    },
  };
}
