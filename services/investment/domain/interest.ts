import { yearFraction, type DayCountConvention, type Fraction } from "../../kernel/time/day-count.js";
import { divideRounded, type Decimal } from "../../kernel/decimal.js";
import { earlier, isBefore } from "./dates.js";

export const compoundings = ["NONE", "DAY", "MONTH", "QUARTER", "HALF_YEAR", "YEAR"] as const;
/** After which period interest bears interest; NONE is simple interest. */
export type Compounding = (typeof compoundings)[number];

/**
 * Conventions that interest on investments is counted by: each of them adds up over parts of a
 * period.
 */
export type InvestmentDayCount = Exclude<DayCountConvention, "30/360 BOND BASIS">;

export interface InterestTerms {
  /** Percent a year, nominal: "12.5" is 12.5 %. */
  readonly ratePercent: Decimal;
  readonly compounding: Compounding;
  readonly dayCount: InvestmentDayCount;
}

/** Interest is counted in 10^-12 of a minor unit; only what is posted is rounded to minor units. */
export const interestScale = 10n ** 12n;

/** Interest of one holding that has been counted and not paid out. */
export interface InterestState {
  /** Where compounding periods are counted from: the start of the term. */
  readonly anchor: Temporal.PlainDate;
  /** Interest is counted for all days before this one. */
  readonly through: Temporal.PlainDate;
  /** Compounding periods that are over since the anchor. */
  readonly periods: number;
  /** Bears interest itself; scaled. */
  readonly capitalised: bigint;
  /** Of the running period; scaled. Slightly below zero after a payment that was rounded up. */
  readonly running: bigint;
}

/** Nothing counted yet on the day that the term begins. */
export function startInterest(date: Temporal.PlainDate): InterestState {
  return { anchor: date, through: date, periods: 0, capitalised: 0n, running: 0n };
}

/**
 * Counts interest on a principal up to a date: balance × rate × part of the year, period by period;
 * at the end of a period its interest joins the balance, unrounded. Each step is rounded half-even
 * to 10^-12 of a minor unit. The same in one step or in many.
 */
export function countInterest(
  principalMinor: bigint,
  terms: InterestTerms,
  state: InterestState,
  to: Temporal.PlainDate,
): InterestState {
  let { through, periods, capitalised, running } = state;
  while (isBefore(through, to)) {
    const periodEnd = endOfPeriod(terms.compounding, state.anchor, periods);
    const end = periodEnd === undefined ? to : earlier(periodEnd, to);
    const part = yearFraction(through, end, terms.dayCount);
    running += interestOf(principalMinor * interestScale + capitalised, terms.ratePercent, part);
    through = end;
    if (periodEnd !== undefined && end.equals(periodEnd)) {
      capitalised += running;
      running = 0n;
      periods += 1;
    }
  }
  return { anchor: state.anchor, through, periods, capitalised, running };
}

/**
 * Of the running period; undefined where interest does not compound. Counted from the anchor, so
 * that 31 January leads to 28 February and 31 March.
 */
function endOfPeriod(
  compounding: Compounding,
  anchor: Temporal.PlainDate,
  periodsOver: number,
): Temporal.PlainDate | undefined {
  const months = monthsOf[compounding];
  if (compounding === "DAY") return anchor.add({ days: periodsOver + 1 });
  return months === undefined ? undefined : anchor.add({ months: months * (periodsOver + 1) });
}

const monthsOf: Partial<Record<Compounding, number>> = { MONTH: 1, QUARTER: 3, HALF_YEAR: 6, YEAR: 12 };

function interestOf(balance: bigint, rate: Decimal, ofYear: Fraction): bigint {
  return divideRounded(
    balance * rate.digits * ofYear.numerator,
    100n * 10n ** BigInt(rate.scale) * ofYear.denominator,
    "half-even",
  );
}

/** What has been counted, in minor units, half-even. */
export function interestMinor({ capitalised, running }: InterestState): bigint {
  return divideRounded(capitalised + running, interestScale, "half-even");
}

/** Interest of a whole term from its start, minor units. */
export function interestOfTerm(
  principalMinor: bigint,
  terms: InterestTerms,
  from: Temporal.PlainDate,
  to: Temporal.PlainDate,
): bigint {
  return interestMinor(countInterest(principalMinor, terms, startInterest(from), to));
}

/**
 * After a payment of some of what was counted: what a rounding took too much or too little stays in
 * the state.
 */
export function payInterest(state: InterestState, paidMinor: bigint): InterestState {
  return { ...state, capitalised: 0n, running: state.capitalised + state.running - paidMinor * interestScale };
}

/** After part of the principal went with its interest: `kept` of `units` stay. */
export function splitInterest(state: InterestState, paidMinor: bigint, retained: bigint, units: bigint): InterestState {
  const capitalised = divideRounded(state.capitalised * retained, units, "half-even");
  const left = state.capitalised + state.running - paidMinor * interestScale;
  return { ...state, capitalised, running: left - capitalised };
}
