import { yearFraction, type DayCountConvention, type Fraction } from "../../kernel/time/day-count.js";
import { divideRounded } from "../../kernel/decimal.js";
import {
  addPeriods,
  businessDay,
  type BusinessDayRule,
  type HolidayCalendar,
  type RepaymentFrequency,
} from "./calendar.js";
import { levelPayment, percent, percentOf, periodRate, shareOf } from "./rate.js";

/** Conventions that loans are made by. */
export type LoanDayCount = Exclude<DayCountConvention, "30E/360">;

export interface ScheduleTerms {
  readonly principalMinor: bigint;
  /** Percent a year, decimal text. */
  readonly annualRate: string;
  readonly interestMethod: "FLAT" | "DECLINING";
  readonly amortisation: "EQUAL_INSTALMENTS" | "EQUAL_PRINCIPAL";
  readonly dayCount: LoanDayCount;
  readonly frequency: RepaymentFrequency;
  readonly instalments: number;
  /** First instalments that pay no principal. */
  readonly principalGrace: number;
  /** First instalments that pay no interest; it is due with the first one after them. */
  readonly interestGrace: number;
  /** Charged with every instalment: an amount, and percent of the principal. */
  readonly instalmentFeeMinor: bigint;
  readonly instalmentFeePercent: string;
  readonly businessDayRule: BusinessDayRule;
  readonly startsOn: Temporal.PlainDate;
  /** Absent means one period after the start. */
  readonly firstDueOn?: Temporal.PlainDate;
}

/**
 * Amounts are minor units, dates ISO text. Interest runs from `from` to `to`; the money is due on
 * `dueOn`, a business day.
 */
export interface Instalment {
  readonly number: number;
  readonly from: string;
  readonly to: string;
  readonly dueOn: string;
  readonly principalMinor: bigint;
  /** Due with it. */
  readonly interestMinor: bigint;
  /** Of the period itself: differs from what is due only where interest has a grace. */
  readonly earnedMinor: bigint;
  readonly feeMinor: bigint;
  /** Principal that is left after it. */
  readonly balanceMinor: bigint;
}

interface Period {
  readonly from: Temporal.PlainDate;
  readonly to: Temporal.PlainDate;
  readonly rate: Fraction;
}

/**
 * The instalments of a loan. Interest of a period is the balance (or, FLAT, the principal) times
 * the annual rate times its part of a year, rounded half to even; the last instalment takes what
 * rounding left. Interest periods keep their nominal dates when a due date moves to a business day.
 */
export function scheduleOf(terms: ScheduleTerms, calendar: HolidayCalendar): Instalment[] {
  const periods = periodsOf(terms);
  const parts = terms.interestMethod === "FLAT" ? flatParts(terms, periods) : decliningParts(terms, periods);
  const interest = deferred(
    parts.map(({ interestMinor }) => interestMinor),
    terms.interestGrace,
  );
  const feeMinor = terms.instalmentFeeMinor + percentOf(terms.principalMinor, terms.instalmentFeePercent);
  let balanceMinor = terms.principalMinor;
  let from = terms.startsOn.toString();
  return periods.map(({ to: end }, index) => {
    const { principalMinor, interestMinor: earnedMinor } = parts[index] as Part;
    balanceMinor -= principalMinor;
    const to = end.toString();
    const dueOn = terms.businessDayRule === "NONE" ? to : businessDay(end, terms.businessDayRule, calendar).toString();
    const instalment = {
      number: index + 1,
      from,
      to,
      dueOn,
      principalMinor,
      interestMinor: interest[index] as bigint,
      earnedMinor,
      feeMinor,
      balanceMinor,
    };
    from = to;
    return instalment;
  });
}

function periodsOf({ startsOn, firstDueOn, frequency, instalments, dayCount, annualRate }: ScheduleTerms): Period[] {
  const anchor = firstDueOn ?? startsOn;
  const offset = firstDueOn === undefined ? 1 : 0;
  // A nominal month counts 30 days of 360, also where February or a 31st is in it.
  const isNominalMonth = frequency === "MONTH" && dayCount === "30/360 BOND BASIS";
  const nominal: Fraction = { numerator: 30n, denominator: 360n };
  const annual = percent(annualRate);
  const nominalRate = periodRate(annual, nominal);
  let from = startsOn;
  return Array.from({ length: instalments }, (_each, index) => {
    const to = addPeriods(anchor, frequency, index + offset);
    const isBroken = index === 0 && firstDueOn !== undefined;
    const rate = isNominalMonth && !isBroken ? nominalRate : periodRate(annual, yearFraction(from, to, dayCount));
    const period = { from, to, rate };
    from = to;
    return period;
  });
}

interface Part {
  readonly principalMinor: bigint;
  readonly interestMinor: bigint;
}

function decliningParts(terms: ScheduleTerms, periods: readonly Period[]): Part[] {
  const { principalMinor: total, principalGrace, amortisation } = terms;
  const paying = periods.slice(principalGrace).map(({ rate }) => rate);
  const payment = amortisation === "EQUAL_INSTALMENTS" ? levelPayment(total, paying) : 0n;
  const equalPrincipal = divideRounded(total, BigInt(paying.length), "half-even");
  let balance = total;
  return periods.map(({ rate }, index) => {
    const interestMinor = shareOf(balance, rate);
    const wanted = amortisation === "EQUAL_PRINCIPAL" ? equalPrincipal : payment - interestMinor;
    const isLast = index === periods.length - 1;
    const principalMinor = isLast ? balance : index < principalGrace ? 0n : between(wanted, balance);
    balance -= principalMinor;
    return { principalMinor, interestMinor };
  });
}

function flatParts(terms: ScheduleTerms, periods: readonly Period[]): Part[] {
  const { principalMinor: total, principalGrace, amortisation } = terms;
  const all = sumOf(periods.map(({ rate }) => rate));
  const interestTotal = shareOf(total, all);
  const count = BigInt(periods.length - principalGrace);
  const equalPrincipal = divideRounded(total, count, "half-even");
  const payment = divideRounded(total + interestTotal, BigInt(periods.length), "half-even");
  let [balance, interestLeft] = [total, interestTotal];
  return periods.map(({ rate }, index) => {
    const isLast = index === periods.length - 1;
    const interestMinor = isLast ? interestLeft : between(shareOf(total, rate), interestLeft);
    const byPayment = amortisation === "EQUAL_INSTALMENTS" && principalGrace === 0;
    const wanted = byPayment ? payment - interestMinor : equalPrincipal;
    const principalMinor = isLast ? balance : index < principalGrace ? 0n : between(wanted, balance);
    balance -= principalMinor;
    interestLeft -= interestMinor;
    return { principalMinor, interestMinor };
  });
}

function sumOf(rates: readonly Fraction[]): Fraction {
  const [first] = rates as [Fraction];
  const isOneBasis = rates.every(({ denominator }) => denominator === first.denominator);
  if (!isOneBasis) throw new Error("periods of one loan have one day count");
  return { numerator: rates.reduce((sum, { numerator }) => sum + numerator, 0n), denominator: first.denominator };
}

/** Interest of the first periods is due with the first instalment after them. */
function deferred(interest: readonly bigint[], grace: number): bigint[] {
  const carried = interest.slice(0, grace).reduce((sum, minor) => sum + minor, 0n);
  return interest.map((minor, index) => (index < grace ? 0n : index === grace ? minor + carried : minor));
}

function between(minor: bigint, most: bigint): bigint {
  if (minor < 0n) return 0n;
  return minor > most ? most : minor;
}
