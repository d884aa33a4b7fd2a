import { passing } from "../../kernel/refusal.js";
import { shownStatus } from "./block-view.js";
import { changing, conflict, type Step } from "./payout.js";
import type { Transaction } from "./transaction.js";

/** How long after the payment a transaction may be cancelled. */
export const cancellableForMs = 30 * 60_000;

/**
 * Cancels a transaction; undefined where that was asked before. `now` is the tenant's time, by
 * which the window runs; `dueAt` is real time, by which the work that follows is done. Refuses
 * STATE_CONFLICT while it is created or paid, once it is paid out or refunded, and after the
 * window.
 */
export function cancel(transaction: Transaction, reason: string, now: Date, dueAt = now): Step | undefined {
  const { status, compliance } = transaction;
  switch (status) {
    case "AWAITING_COMPLIANCE":
      if (compliance === undefined) throw passing("STATE_CONFLICT", "the transaction is still being created");
      return { change: { status: "CANCELLED", reason }, drive: "NONE", events: ["RESERVATION_RELEASED"] };
    case "AWAITING_PAYMENT":
      return { change: { status: "CANCELLED", reason }, drive: "NONE", events: ["RESERVATION_RELEASED"] };
    case "PAYING":
      throw passing("STATE_CONFLICT", "the transaction is being paid at this moment");
    case "PAID":
    case "PROCESSING":
    case "READY_FOR_PICKUP": {
      assertInTime(transaction, now);
      // PROCESSING is stored before the partner is asked: while it is PAID, the partner has not
      // heard of it.
      const isOurs = status === "PAID" || transaction.pickup !== undefined;
      const change = isOurs ? changing(transaction, { outcome: "NOT_SENT" }) : {};
      return { change: { ...change, status: "CANCELLING", reason }, drive: { at: dueAt } };
    }
    case "CANCELLING":
    case "CANCELLED":
      return undefined;
    case "BLOCKED":
      return cancelBlocked(transaction, reason, now);
    default:
      throw conflict(`the transaction is ${status}`);
  }
}

/**
 * Answers as the status that is shown: what was not paid is cancelled, and of what was the wish is
 * noted, which counts when the block is released.
 */
function cancelBlocked(transaction: Transaction, reason: string, now: Date): Step | undefined {
  const { block, pickup } = transaction;
  const shown = shownStatus(transaction);
  switch (shown) {
    case "AWAITING_COMPLIANCE": {
      const set = { block: { by: block?.by ?? [] } };
      return { change: { status: "CANCELLED", reason, set }, drive: "NONE", events: ["RESERVATION_RELEASED"] };
    }
    case "PAID":
    case "PROCESSING": {
      assertInTime(transaction, now);
      const isOurs = block?.stoppedIn === "PAID" || pickup !== undefined;
      const set = isOurs ? changing(transaction, { outcome: "NOT_SENT" }).set : {};
      const noted = { ...block!, stoppedIn: "CANCELLING", shownAs: "CANCELLING" } as const;
      const change = { status: "BLOCKED", reason, shownAs: "CANCELLING", set: { ...set, block: noted } } as const;
      return { change, drive: "KEEP" };
    }
    case "CANCELLING":
      return undefined;
    default:
      throw conflict(`the transaction is ${shown}`);
  }
}

function assertInTime({ paidAt }: Transaction, now: Date): void {
  if (paidAt !== undefined && now.getTime() - paidAt.getTime() <= cancellableForMs) return;
  throw conflict("a transaction can be cancelled up to 30 minutes after its payment");
}

/**
 * Gives back what compliance has reserved by approving a transaction that was cancelled meanwhile.
 */
export function approvedTooLate({ status }: Transaction): Step | undefined {
  return status === "CANCELLED" ? { change: {}, drive: "NONE", events: ["RESERVATION_RELEASED"] } : undefined;
}
