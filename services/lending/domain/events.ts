import type { HolidayCalendar } from "./calendar.js";

interface Happened {
  readonly id: string;
  /** The day it counts for, ISO text; it may lie before the day on which it was written down. */
  readonly on: string;
}

interface MoneyIn extends Happened {
  readonly amountMinor: bigint;
  /** Ledger account that the money is in. */
  readonly sourceAccountId: string;
}

export interface RescheduleTerms {
  readonly instalments: number;
  readonly firstDueOn: string;
  readonly annualRate: string;
  readonly calendar: HolidayCalendar;
}

/** What happened to a loan after its disbursement, in the order in which it was written down. */
export type LoanEvent =
  | ({ readonly type: "REPAYMENT" } & MoneyIn)
  | ({
      readonly type: "PAYOFF";
      /** The day up to which interest is owed: the day itself or the next due date. */
      readonly interestThrough: string;
      readonly feeMinor: bigint;
    } & MoneyIn)
  /** A bank took a repayment back: its amount is owed again, as principal. */
  | ({ readonly type: "CHARGEBACK"; readonly repaymentId: string } & MoneyIn)
  | ({ readonly type: "WRITE_OFF" } & Happened)
  /** Money that came in after the loan was written off. */
  | ({
      readonly type: "RECOVERY";
      /** What the bank, or whoever collects, calls it: it is booked once. */
      readonly reference: string;
    } & MoneyIn)
  | ({ readonly type: "RESCHEDULE"; readonly terms: RescheduleTerms } & Happened)
  /** What was paid too much went back to the customer. */
  | ({ readonly type: "REFUND"; readonly amountMinor: bigint; readonly targetAccountId: string } & Happened)
  /**
   * The bank sent the money of the disbursement back: the loan never was, and what was paid on it
   * is the customer's.
   */
  | ({ readonly type: "DISBURSEMENT_RETURNED" } & Happened);

/**
 * By the day they count for. Of one day what was paid comes before what people did about the loan,
 * whenever the bank told of it; the rest in the order they were written down.
 */
export function inOrder(events: readonly LoanEvent[]): LoanEvent[] {
  const place = ({ type }: LoanEvent): number => (type === "REPAYMENT" ? 0 : type === "PAYOFF" ? 1 : 2);
  return events.toSorted((a, b) => (a.on === b.on ? place(a) - place(b) : a.on < b.on ? -1 : 1));
}
