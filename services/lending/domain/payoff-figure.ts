import type { LoanEvent } from "./events.js";
import { dueOf, sumOfPart } from "./line.js";
import { positionAt, type Position } from "./position.js";
import { percentOf } from "./rate.js";
import type { LoanTerms } from "./terms.js";

/** What paying off early costs. */
export interface PayoffRule {
  readonly interest: "TO_DAY" | "TO_NEXT_DUE_DATE";
  readonly feeMinor: bigint;
  /** Of the principal that is outstanding, decimal text. */
  readonly feePercent: string;
}

export interface PayoffFigures {
  readonly amountMinor: bigint;
  /** The day up to which interest is in it. */
  readonly interestThrough: string;
  readonly principalMinor: bigint;
  readonly interestMinor: bigint;
  readonly feesMinor: bigint;
  readonly penaltiesMinor: bigint;
  /** For paying early. */
  readonly payoffFeeMinor: bigint;
}

/**
 * What pays a loan off on a day: principal, interest to the day or to the next due date less what
 * was paid of it, what is due of fees and penalties, and the fee for paying early. Instalments that
 * are all due cost no such fee.
 */
export function payoffAt(terms: LoanTerms, events: readonly LoanEvent[], today: string): PayoffFigures {
  const now = positionAt(terms, events, today);
  const interestThrough = throughOf(now, terms, today);
  const earned = positionAt(terms, events, interestThrough).interestAccruedMinor;
  const accruedMinor = interestThrough === today ? now.interestAccruedMinor : earned;
  const settled = sumOfPart(now.lines, "paid", "INTEREST") + sumOfPart(now.lines, "writtenOff", "INTEREST");
  const dueLines = now.lines.filter((line) => line.dueOn <= today);
  const paidAhead = now.lines.filter((line) => line.dueOn > today).reduce((sum, line) => sum + line.paid.FEE, 0n);
  const sum = (part: "PRINCIPAL" | "PENALTY") => now.lines.reduce((all, line) => all + dueOf(line, part), 0n);
  const principalMinor = sum("PRINCIPAL");
  const figures = {
    interestThrough,
    principalMinor,
    interestMinor: accruedMinor - settled,
    feesMinor: dueLines.reduce((all, line) => all + dueOf(line, "FEE"), 0n) - paidAhead,
    penaltiesMinor: sum("PENALTY"),
    payoffFeeMinor: isEarly(now, today)
      ? terms.payoff.feeMinor + percentOf(principalMinor, terms.payoff.feePercent)
      : 0n,
  };
  const { interestMinor, feesMinor, penaltiesMinor, payoffFeeMinor } = figures;
  const amountMinor = principalMinor + interestMinor + feesMinor + penaltiesMinor + payoffFeeMinor;
  return { ...figures, amountMinor: amountMinor > 0n ? amountMinor : 0n };
}

function isEarly({ lines }: Position, today: string): boolean {
  return lines.some((line) => line.dueOn > today && dueOf(line, "PRINCIPAL") > 0n);
}

/**
 * To the next due date is to the end of its instalment's period, and never less than to the day: on
 * a due date that is the day itself, as Apache Fineract has it (getNextRestScheduleDate of the day
 * before).
 */
function throughOf({ nextDuePeriodTo }: Position, { payoff }: LoanTerms, today: string): string {
  if (payoff.interest === "TO_DAY" || nextDuePeriodTo === undefined) return today;
  return nextDuePeriodTo > today ? nextDuePeriodTo : today;
}
