import type { Money } from "../../kernel/money.js";
import type { CashRule } from "./cash-limit.js";
import type { DayPart } from "./wallet-daily-limit.js";

/** A cash-in above the maker-checker threshold, which waits for a manager's approval. */
export interface CashIn {
  readonly cashInId: string;
  readonly tillId: string;
  readonly cashierId: string;
  readonly accountId: string;
  readonly customerId: string;
  readonly amount: Money;
  readonly status: "WAITING" | "POSTING" | "DONE" | "REFUSED" | "FAILED";
  /** Taken when it is approved, of the day on which the cash was handed over. */
  readonly parts: readonly DayPart[];
  /** The till has no more than this with it. */
  readonly tillMinor: bigint;
  /** The customer may not have it yet, as it was when the cash was handed over. */
  readonly isHeld?: true;
  readonly approvalId?: string;
  readonly failure?: string;
  readonly createdAt: Date;
}

/**
 * Whether a manager approves it: it is above the threshold, and not more than the cashier takes at
 * all.
 */
export function needsApproval({ perCashInMinor, fourEyesAboveMinor }: CashRule, { minor }: Money): boolean {
  return minor <= perCashInMinor && minor > fourEyesAboveMinor;
}
