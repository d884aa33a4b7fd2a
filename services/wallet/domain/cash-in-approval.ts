import type { Money } from "../../kernel/money.js";
import type { CashRule } from "./cash-limit.js";

/**
 * A cash-in above the maker-checker threshold: a manager allows it, and the cashier then takes the
 * cash while the customer is there.
 */
export interface CashIn {
  readonly cashInId: string;
  readonly tillId: string;
  readonly cashierId: string;
  readonly accountId: string;
  readonly customerId: string;
  readonly amount: Money;
  readonly status: "WAITING" | "APPROVED" | "POSTING" | "DONE" | "REFUSED" | "FAILED";
  /** Business day on which it was asked for, such as "2026-11-21": on no other is it taken. */
  readonly day: string;
  readonly approvalId?: string;
  readonly failure?: string;
  readonly createdAt: Date;
}

/** Its status on a day: nobody takes it any more once its own is over. */
export function statusOn({ status, day }: CashIn, today: string): CashIn["status"] | "EXPIRED" {
  return day !== today && (status === "WAITING" || status === "APPROVED") ? "EXPIRED" : status;
}

/**
 * Whether a manager approves it: it is above the threshold, and not more than the cashier takes at
 * all.
 */
export function needsApproval({ perCashInMinor, fourEyesAboveMinor }: CashRule, { minor }: Money): boolean {
  return minor <= perCashInMinor && minor > fourEyesAboveMinor;
}
