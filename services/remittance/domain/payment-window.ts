import { Refusal } from "../../kernel/refusal.js";
import { shownStatus } from "./block-view.js";
import type { Step } from "./payout.js";
import { refusedInState, type Change, type Transaction } from "./transaction.js";

/** How long a transaction waits for its payment, unless the operator says otherwise. */
export const payableForMs = 30 * 60_000;

/** AWAITING_PAYMENT → EXPIRED. */
export const notPaidInTime = { status: "EXPIRED", reason: "not paid in time" } as const satisfies Change;

/** Whether it is to expire: its time is over, and nobody has paid or is paying. */
export function isOverdue(transaction: Transaction, now: Date): boolean {
  return transaction.status === "AWAITING_PAYMENT" && isPaymentWindowOver(transaction, now);
}

/**
 * AWAITING_PAYMENT → EXPIRED before its time; undefined where it has expired. Refuses
 * STATE_CONFLICT.
 */
export function expireByHand(transaction: Transaction, reason: string): Step | undefined {
  const status = shownStatus(transaction);
  if (status === "EXPIRED") return undefined;
  if (status !== "AWAITING_PAYMENT") throw refusedInState(status);
  return { change: { status: "EXPIRED", reason }, drive: "NONE", events: ["RESERVATION_RELEASED"] };
}

/** Whether the time to pay is over, swept or not. */
export function isPaymentWindowOver({ expiresAt }: Transaction, now: Date): boolean {
  return expiresAt !== undefined && now.getTime() >= expiresAt.getTime();
}

export function paymentWindowOver(): Refusal {
  return new Refusal("TRANSACTION_EXPIRED", "the time to pay for this transaction is over");
}
