import { changing, payoutOf, type PartnerPayout, type Step } from "./payout.js";
import type { Transaction } from "./transaction.js";

const minPauseMs = 1_000;
const maxPauseMs = 15 * 60_000;

/**
 * When a partner that has accepted a payout is asked again: after half the payout's age, from 1 s
 * to 15 min. One whose answer is not known is asked again by jobs/unknown-answer-retry.ts.
 */
export function nextPollAt(transaction: Transaction, now: Date): Date {
  const { sentAt = now } = payoutOf(transaction);
  const pauseMs = (now.getTime() - sentAt.getTime()) / 2;
  return new Date(now.getTime() + Math.min(maxPauseMs, Math.max(minPauseMs, pauseMs)));
}

/**
 * The partner hints at a change: whoever drives asks now. Undefined where nothing new can come of
 * it. That it came back counts while it is being settled too, whatever for: a line of the statement
 * may be heard but once.
 */
export function hint(transaction: Transaction, status: Hinted, now: Date): Step | undefined {
  if (!isPaidByPartner(transaction)) return undefined;
  const isRecalled = transaction.status === "BLOCKED" && transaction.block?.recall === "ASKED";
  const waits = isRecalled || transaction.status === "PROCESSING" || transaction.status === "READY_FOR_PICKUP";
  const mayComeBack = ["COMPLETED", "PARTIALLY_REFUNDED", "CANCELLING"].includes(transaction.status);
  const isMore = status === "RETURNED" || status === "UNCLEAR" || payoutOf(transaction).unclear !== undefined;
  const isNew = waits ? status !== "ACCEPTED" : mayComeBack && isMore;
  return isNew ? { change: {}, drive: { at: now } } : undefined;
}

/**
 * Its money is on its way back, or is back, and the partner says now that it pays: a person asks.
 * Undefined where that is known.
 */
export function recordAgainstRefusal(transaction: Transaction, statement: string, now: Date): Step | undefined {
  const { outcome, unclear, decided } = payoutOf(transaction);
  if (outcome !== "REFUSED" || unclear !== undefined || decided?.said === statement) return undefined;
  return { change: changing(transaction, { unclear: { said: statement, since: now } }), drive: "KEEP" };
}

/** UNCLEAR is what ends nothing by itself. */
export type Hinted = PartnerPayout["status"] | "UNCLEAR";

/** False for what our own cashiers hand out and for what goes into a wallet of the same books. */
export function isPaidByPartner({ pickup, recipientWallet }: Transaction): boolean {
  return pickup === undefined && recipientWallet === undefined;
}
