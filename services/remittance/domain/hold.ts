import type { Action } from "./next-action.js";
import { payoutOf, type Step } from "./payout.js";
import type { Transaction } from "./transaction.js";

const minPauseMs = 1_000;
const maxPauseMs = 5 * 60_000;

/**
 * What compliance said counts for so long after it was asked: whoever
 * hands over later asks once more.
 */
const clearForMs = 5_000;

/** Whether an answer to what was asked then still counts. */
export function isClearSince(requestedAt: Date | undefined, now: Date): boolean {
  return requestedAt !== undefined && now.getTime() - requestedAt.getTime() <= clearForMs;
}

/**
 * Whether compliance is asked about hits before this is done. ASK asks for itself, where the
 * partner does not know the payout; a batch asks when it goes out, but what was held waits for its
 * hit and not for one batch or window after the other.
 */
export function isRequestedBefore(action: Action, transaction: Transaction): boolean {
  switch (action.do) {
    case "START":
    case "HOLD_FOR_PICKUP":
    case "CREDIT_WALLET":
      return true;
    case "FIND_WINDOW":
    case "JOIN_BATCH":
      return payoutOf(transaction).heldAt !== undefined;
    default:
      return false;
  }
}

/**
 * A hit stands against a party: the payout stays where it is, with its money in clearing, and is
 * looked at again after half the time that it has been held, from 1 s to 5 min. Undefined where it
 * was handed over, or is not to be paid out any more. It leaves its batch and its window.
 */
export function hold(transaction: Transaction, now: Date): Step | undefined {
  if (!isWithUs(transaction)) return undefined;
  const { batchId: _batch, windowAt: _window, ...payout } = payoutOf(transaction);
  const { heldAt = now } = payout;
  const pauseMs = Math.min(maxPauseMs, Math.max(minPauseMs, (now.getTime() - heldAt.getTime()) / 2));
  return { change: { set: { payout: { ...payout, heldAt } } }, drive: { at: new Date(now.getTime() + pauseMs) } };
}

/**
 * The hit may be over, or known what its partner is to be told: whoever drives asks now. Undefined
 * where nothing is waited for.
 */
export function resumeWaiting(transaction: Transaction, now: Date): Step | undefined {
  const { heldAt, noCarrierSince, batchId } = payoutOf(transaction);
  if ((heldAt === undefined && noCarrierSince === undefined) || batchId !== undefined || !isWithUs(transaction))
    return undefined;
  return { change: {}, drive: { at: now } };
}

/** Whether nobody outside has the payout, as far as we know. */
function isWithUs(transaction: Transaction): boolean {
  const { status, recipientWallet } = transaction;
  if (status === "PAID") return true;
  // A credit into a wallet is ours until the ledger has it.
  const { acceptedAt, outcome } = payoutOf(transaction);
  const isUnknown = recipientWallet !== undefined || acceptedAt === undefined;
  return status === "PROCESSING" && outcome === undefined && isUnknown;
}
