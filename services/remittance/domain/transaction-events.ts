import type { EventType } from "../../platform/events/types.js";
import { timesAmended } from "./amendment.js";
import { shownStatus } from "./block-view.js";
import type { Change, Transaction, TransactionStatus } from "./transaction.js";

export type TransactionEvent = Extract<EventType, `transaction.${string}`>;

/** What is told of a status that a transaction comes to; of the others nothing is. */
const eventOfStatus: Partial<Record<TransactionStatus, TransactionEvent>> = {
  PAID: "transaction.paid",
  PROCESSING: "transaction.processing",
  READY_FOR_PICKUP: "transaction.ready_for_pickup",
  COMPLETED: "transaction.completed",
  FAILED: "transaction.failed",
  RETURNED: "transaction.returned",
  REFUNDED: "transaction.refunded",
  PARTIALLY_REFUNDED: "transaction.refunded",
  CANCELLED: "transaction.cancelled",
  EXPIRED: "transaction.expired",
  REJECTED: "transaction.rejected",
};

/** What compliance's first answer tells: the transaction is there, or it was refused. */
export function eventOfCreation({ status }: Pick<Change, "status">): TransactionEvent {
  return status === "REJECTED" ? "transaction.rejected" : "transaction.created";
}

/**
 * What a change tells by what its owner is shown; undefined where that is nothing new. A block, and
 * its end where it goes on from where it stood, tell nothing: neither is anybody's to see.
 */
export function eventOfChange(before: Transaction, change: Change): TransactionEvent | undefined {
  const { status, shownAs, isSecret, set } = change;
  if (set?.amendments !== undefined && timesAmended(set) > timesAmended(before)) return "transaction.amended";
  if (status === undefined || shownAs !== undefined) return undefined;
  // The status that it was stopped in was told when it came to it.
  const known = isSecret === true ? before.block?.stoppedIn : shownStatus(before);
  // A review has ended well, whatever it was about: there is one event for all of them.
  if (status === "AWAITING_PAYMENT") return known === "AWAITING_COMPLIANCE" ? "transaction.approved" : undefined;
  // Each part that goes back is told.
  if (status === known && status !== "PARTIALLY_REFUNDED") return undefined;
  return eventOfStatus[status];
}
