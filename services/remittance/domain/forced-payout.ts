import type { Transaction } from "./transaction.js";

interface Details {
  settleMs?: number;
  delayMs?: number;
  reason?: string;
  /** What the recipient's bank keeps of a return, decimal text. */
  kept?: string;
}

/** What a sandbox's partner is to do with an order, in its words. */
export interface ForcedTreatment extends Details {
  behaviour: string;
}

/** What became forced for one transaction: sent again, its order says the same. */
export interface ForcedOrder {
  transactionId: string;
  /** Of the outcome that was taken for it. */
  outcomeId: string;
  treatment: ForcedTreatment;
  createdAt: Date;
}

/** What a payout can be forced by, the narrowest first. */
export function subjectsOf({ transactionId, recipient }: Pick<Transaction, "transactionId" | "recipient">): string[] {
  return [transactionId, recipient.customerCode];
}

/** An outcome in the partner's words. */
export function treatmentOf({
  outcome,
  settleMs,
  delayMs,
  reason,
  kept,
}: Details & { outcome: string }): ForcedTreatment {
  return {
    behaviour: outcome,
    ...(settleMs !== undefined && { settleMs }),
    ...(delayMs !== undefined && { delayMs }),
    ...(reason !== undefined && { reason }),
    ...(kept !== undefined && { kept }),
  };
}

/**
 * Whether an order that is sent again meets the same: of one that hangs the partner records
 * nothing, and it would hang for ever.
 */
export function holdsForGood({ behaviour }: ForcedTreatment): boolean {
  return behaviour !== "HANG";
}
