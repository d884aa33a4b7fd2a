import type { ComplianceServiceDefinition } from "../../../proto/gen/compliance/v1/compliance.js";
import type { WalletServiceDefinition } from "../../../proto/gen/wallet/v1/wallet.js";
import { crashPoint } from "../../shared/crash-point.js";
import { outgoing, type Client } from "../../shared/grpc/client.js";
import { moneyToWire } from "../../shared/money.js";
import type { OutboxRow, RowHandler } from "../../shared/outbox/index.js";
import { refundedSoFar } from "../domain/refund.js";
import type { RemittanceStore } from "../store/index.js";

/** Kinds of outbox rows. */
export const confirmReservation = "compliance.confirm-reservation";
export const releaseReservation = "compliance.release-reservation";
export const giveBackReservation = "compliance.give-back-reservation";
export const recoverCreation = "create.recover";
/** Takes a transaction that was paid for one step on, and to its end. */
export const drivePayout = "payout.drive";
/** Books cash that a cashier has handed out. */
export const settleCash = "payout.settle-cash";
/** Gives back what a second person has approved. */
export const postRefund = "refund.post";
/** Sends a batch of payouts. */
export const sendBatch = "payout.send-batch";
export const tellPaymentRefunded = "wallet.payment-refunded";

/** The rows of one transaction run one after the other, in the order of its versions. */
export function transactionAggregate(transactionId: string): string {
  return `transaction:${transactionId}`;
}

/** Apart from the news to compliance: a payout does not wait for compliance to be there. */
export function payoutAggregate(transactionId: string): string {
  return `payout:${transactionId}`;
}

export function refundAggregate(transactionId: string): string {
  return `refund:${transactionId}`;
}

export function batchAggregate(batchId: string): string {
  return `payout-batch:${batchId}`;
}

/** The transaction that a row is about. */
export function transactionOf(row: OutboxRow): string {
  const { transactionId } = row.payload;
  if (typeof transactionId !== "string") throw new Error(`row ${row.id} names no transaction`);
  return transactionId;
}

type Compliance = Pick<
  Client<ComplianceServiceDefinition>,
  "confirmReservation" | "releaseReservation" | "giveBackReservation"
>;

/** Tells compliance what became of what it reserved. */
export function complianceNews(compliance: Compliance): Record<string, RowHandler> {
  return {
    async [confirmReservation](row, { signal }) {
      await compliance.confirmReservation({ transactionId: transactionOf(row) }, outgoing({ ...row, signal }));
      crashPoint("remittance.paid.confirmed");
    },
    async [releaseReservation](row, { signal }) {
      await compliance.releaseReservation({ transactionId: transactionOf(row) }, outgoing({ ...row, signal }));
      crashPoint("remittance.expired.released");
    },
    async [giveBackReservation](row, { signal }) {
      await compliance.giveBackReservation({ transactionId: transactionOf(row) }, outgoing({ ...row, signal }));
      crashPoint("remittance.refund.given-back");
    },
  };
}

/** Tells wallet that a payment's money, or a part of it, is back in its account. */
export function walletNews(
  wallet: Pick<Client<WalletServiceDefinition>, "markPaymentRefunded">,
  store: RemittanceStore,
): Record<string, RowHandler> {
  return {
    async [tellPaymentRefunded](row, { signal }) {
      const transactionId = transactionOf(row);
      const transaction = await store.forTenant(row.tenantId).findTransaction(transactionId);
      const { paymentId, refunds } = transaction ?? {};
      const refundedAt =
        transaction?.payout?.refundedAt ?? refunds?.findLast(({ doneAt }) => doneAt !== undefined)?.doneAt;
      if (transaction === undefined || paymentId === undefined || refundedAt === undefined) {
        throw new Error(`transaction ${transactionId} was not refunded`);
      }
      // As it is now: news of a part that waited tells of those behind it too.
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
