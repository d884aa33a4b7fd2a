import { formatMoney, type Money } from "../../kernel/money.js";
import { isRefundPolled } from "./block.js";
import { changing, payoutOf, type Step } from "./payout.js";
import { refundedTo } from "./counter-sale.js";
import type { Transaction } from "./transaction.js";

/**
 * How the money goes back: out of clearing, or from the partner through the exchange less what a
 * bank kept. The key of clearing is spent where the ledger itself refused to credit a wallet: that
 * is its answer for ever, so nothing else can take the money out by it.
 */
export type RefundTerms =
  | { from: "CLEARING"; isKeySpent: boolean }
  | { from: "PARTNER"; kept: Money }
  /** The wallet that it was delivered to has given it back. */
  | { from: "WALLET" };

/** Throws, as a bug, where the state does not allow a refund. */
export function refundTerms(transaction: Transaction): RefundTerms {
  const { outcome, settledAt, kept } = payoutOf(transaction);
  const { status } = transaction;
  const isUnpaid =
    outcome === "REFUSED" || outcome === "RECALLED" || (outcome === "NOT_SENT" && status === "CANCELLING");
  if ((status === "FAILED" || status === "CANCELLING") && isUnpaid && settledAt === undefined)
    return { from: "CLEARING", isKeySpent: outcome === "REFUSED" && transaction.recipientWallet !== undefined };
  if (status === "RETURNED" && outcome === "RETURNED" && transaction.recipientWallet !== undefined) {
    return { from: "WALLET" };
  }
  if (status === "RETURNED" && outcome === "RETURNED" && settledAt !== undefined && kept !== undefined) {
    return { from: "PARTNER", kept };
  }
  throw new Error(`transaction ${transaction.transactionId} is ${status} and cannot be refunded`);
}

/**
 * The refund is posted: REFUNDED, also where a block came later; wallet and compliance are told.
 */
export function refund(transaction: Transaction, refunded: Money, now: Date): Step | undefined {
  const { status, block } = transaction;
  const isLate = isRefundPolled(transaction);
  if (!isLate && status !== "FAILED" && status !== "CANCELLING" && status !== "RETURNED") return undefined;
  const { set } = changing(transaction, { refundedAt: now, refunded });
  // What is left of a block says that it came too late.
  const noted = isLate ? { block: { by: block!.by } } : {};
  return {
    change: {
      set: { ...set, ...noted },
      status: "REFUNDED",
      reason: `${formatMoney(refunded)} ${refunded.currency} ${refundedTo(transaction)}`,
    },
    drive: "NONE",
    events: ["PAYMENT_REFUNDED", "RESERVATION_GIVEN_BACK"],
  };
}
