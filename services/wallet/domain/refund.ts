import type { Money } from "../../kernel/money.js";
import { passing, Refusal } from "../../kernel/refusal.js";
import type { Payment } from "./payment.js";
import type { PlannedTransfer } from "./transfers.js";

/** Money of a payment on its way back, whole or in part. */
export interface Refund {
  readonly refundId: string;
  readonly paymentId: string;
  readonly amount: Money;
  readonly reason: string;
  readonly status: "ASKED" | "POSTING" | "DONE" | "REFUSED" | "FAILED";
  readonly approvalId?: string;
  readonly failure?: string;
  /** The payer may not have it when it arrives, as it was when it was asked for. */
  readonly isHeld?: true;
  /** User id. */
  readonly askedBy: string;
  readonly createdAt: Date;
}

/**
 * Refuses STATE_CONFLICT for a payment that has not succeeded, or is a transaction's or a
 * withdrawal's.
 */
export function checkRefundable({ payableType, ending, plan }: Payment): void {
  if (payableType === "TRANSACTION") throw new Refusal("STATE_CONFLICT", "a transaction is refunded, not its payment");
  if (payableType === "WITHDRAWAL") throw new Refusal("STATE_CONFLICT", "the bank decides about a withdrawal");
  if (ending === undefined) throw passing("STATE_CONFLICT", "the payment is under way");
  if (ending.status !== "SUCCESS" || plan === undefined) {
    throw new Refusal("STATE_CONFLICT", "only a payment that has succeeded can be refunded");
  }
}

/** What nobody has got back or asked back, minor units. */
export function refundableMinor({ total, refundedMinor = 0n, refundHeldMinor = 0n }: Payment): bigint {
  return total.minor - refundedMinor - refundHeldMinor;
}

/**
 * Plans one linked group against the payment's own legs. Refunds take from the payee's part first,
 * then fee, then tax, so that all of it is back when all of it is refunded.
 */
export function transfersOfRefund(payment: Payment, refund: Refund, beforeMinor: bigint): PlannedTransfer[] {
  const transfers: PlannedTransfer[] = [];
  let [skip, left] = [beforeMinor, refund.amount.minor];
  for (const [index, leg] of (payment.plan?.transfers ?? []).entries()) {
    const skipped = skip < leg.amount.minor ? skip : leg.amount.minor;
    skip -= skipped;
    const open = leg.amount.minor - skipped;
    const minor = left < open ? left : open;
    if (minor === 0n) continue;
    left -= minor;
    transfers.push({
      key: `refund:${refund.refundId}:${index}`,
      debitAccountId: leg.creditAccountId,
      creditAccountId: leg.debitAccountId,
      amount: { minor, currency: refund.amount.currency },
      kind: "payment_refund",
      description: `Refund of payment ${payment.paymentId}`,
    });
  }
  if (left !== 0n) throw new Error(`refund ${refund.refundId} is more than payment ${payment.paymentId} has moved`);
  return transfers;
}
