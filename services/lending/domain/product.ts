import { formatMoney } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import { costOfCredit, singlePaymentUnits, unitPeriodsBetween, unitPeriodsOfYear, type CostOfCredit } from "./apr.js";
import type { BusinessDayRule, HolidayCalendar, RepaymentFrequency } from "./calendar.js";
import type { Part } from "./line.js";
import type { PayoffRule } from "./payoff-figure.js";
import type { PenaltyRule } from "./penalty.js";
import { percentOf } from "./rate.js";
import { checkRepaying } from "./repaying.js";
import { scheduleOf, type Instalment, type LoanDayCount } from "./schedule.js";
import { scheduleTermsOf, type LoanTerms } from "./terms.js";

/** What loans are made by. Amounts are minor units of its currency, percentages decimal text. */
export interface Product {
  readonly productId: string;
  readonly version: number;
  readonly name: string;
  readonly currency: string;
  readonly minimumMinor: bigint;
  readonly maximumMinor: bigint;
  readonly minimumInstalments: number;
  readonly maximumInstalments: number;
  readonly frequency: RepaymentFrequency;
  readonly annualRate: string;
  readonly interestMethod: "FLAT" | "DECLINING";
  readonly amortisation: "EQUAL_INSTALMENTS" | "EQUAL_PRINCIPAL";
  readonly dayCount: LoanDayCount;
  readonly principalGrace: number;
  readonly interestGrace: number;
  readonly disbursementFeeMinor: bigint;
  readonly disbursementFeePercent: string;
  readonly instalmentFeeMinor: bigint;
  readonly instalmentFeePercent: string;
  readonly penalty: PenaltyRule;
  readonly businessDayRule: BusinessDayRule;
  readonly payoff: PayoffRule;
  readonly thirdPartyCollection: boolean;
  readonly allocationOrder: readonly Part[];
  readonly bucketStarts: readonly number[];
  /** Most that instalments and other obligations may be of the income, percent; "0" asks nobody. */
  readonly affordabilityPercent: string;
  readonly approvedAtOnce: boolean;
}

export interface LoanRequest {
  readonly principalMinor: bigint;
  readonly instalments: number;
  readonly startsOn: string;
  readonly firstDueOn?: string;
}

/** A first instalment further away than this would be another loan. */
export const maxDaysToFirstDue = 186;

/**
 * Refuses AMOUNT_OUT_OF_LIMITS for an amount or a number of instalments that the product does not
 * give.
 */
function checkRequested(product: Product, { principalMinor, instalments, startsOn, firstDueOn }: LoanRequest): void {
  const outside = (path: string, message: string, figures?: Record<string, string>) => {
    const details = { errors: [{ path, message }], ...(figures !== undefined && { figures }) };
    return new Refusal("AMOUNT_OUT_OF_LIMITS", `${path} ${message}`, details);
  };
  if (principalMinor < product.minimumMinor || principalMinor > product.maximumMinor) {
    const { currency } = product;
    const text = (minor: bigint): string => formatMoney({ minor, currency });
    const [minimum, maximum] = [text(product.minimumMinor), text(product.maximumMinor)];
    throw outside("amount", `must be ${minimum} to ${maximum} ${currency}`, { minimum, maximum, currency });
  }
  if (instalments < product.minimumInstalments || instalments > product.maximumInstalments) {
    throw outside("instalments", `must be ${product.minimumInstalments} to ${product.maximumInstalments}`);
  }
  if (firstDueOn === undefined) return;
  const latest = Temporal.PlainDate.from(startsOn).add({ days: maxDaysToFirstDue }).toString();
  if (firstDueOn <= startsOn || firstDueOn > latest) {
    throw outside("firstDueOn", `must be after the loan's first day, ${startsOn}, and at most ${latest}`);
  }
}

/** The terms that a loan of this product has for good. */
export function termsOf(product: Product, requested: LoanRequest, calendar: HolidayCalendar): LoanTerms {
  const { instalments } = requested;
  return {
    currency: product.currency,
    principalMinor: requested.principalMinor,
    annualRate: product.annualRate,
    interestMethod: product.interestMethod,
    amortisation: product.amortisation,
    dayCount: product.dayCount,
    frequency: product.frequency,
    instalments,
    principalGrace: Math.min(product.principalGrace, instalments - 1),
    interestGrace: Math.min(product.interestGrace, instalments - 1),
    instalmentFeeMinor: product.instalmentFeeMinor,
    instalmentFeePercent: product.instalmentFeePercent,
    businessDayRule: product.businessDayRule,
    startsOn: requested.startsOn,
    ...(requested.firstDueOn === undefined ? {} : { firstDueOn: requested.firstDueOn }),
    calendar,
    penalty: product.penalty,
    payoff: product.payoff,
    allocationOrder: product.allocationOrder,
  };
}

/**
 * The terms of a loan that somebody asks for. Refuses AMOUNT_OUT_OF_LIMITS for what the product
 * does not give, and for dates under which an instalment would repay nothing.
 */
export function requestedTerms(product: Product, requested: LoanRequest, calendar: HolidayCalendar): LoanTerms {
  checkRequested(product, requested);
  const terms = termsOf(product, requested, calendar);
  checkRepaying(scheduleTermsOf(terms));
  return terms;
}

/** What is kept of the principal when it is paid out, at most all of it. */
export function disbursementFeeOf(product: Product, principalMinor: bigint): bigint {
  const fee = product.disbursementFeeMinor + percentOf(principalMinor, product.disbursementFeePercent);
  return fee < principalMinor ? fee : principalMinor;
}

export interface Offer {
  readonly terms: LoanTerms;
  readonly instalments: readonly Instalment[];
  readonly disbursementFeeMinor: bigint;
  readonly cost: CostOfCredit | undefined;
}

/**
 * Schedule and cost of a loan: fees kept at disbursement are finance charge, so the amount financed
 * is what the customer gets.
 */
export function offerOf(terms: LoanTerms, disbursementFeeMinor: bigint): Offer {
  const instalments = scheduleOf(scheduleTermsOf(terms), terms.calendar);
  const cost = costOf(terms, instalments, terms.principalMinor - disbursementFeeMinor);
  return { terms, instalments, disbursementFeeMinor, cost };
}

/** The unit-period is the frequency; of one payment, whatever the frequency, it is the term. */
function costOf({ startsOn, frequency, dayCount }: LoanTerms, instalments: readonly Instalment[], advance: bigint) {
  const from = Temporal.PlainDate.from(startsOn);
  const payments = instalments
    .map(({ to, principalMinor, interestMinor, feeMinor }) => ({
      amountMinor: principalMinor + interestMinor + feeMinor,
      on: Temporal.PlainDate.from(to),
    }))
    .filter(({ amountMinor }) => amountMinor > 0n);
  const [first] = payments;
  if (first !== undefined && payments.length === 1) {
    const interestCounts = dayCount === "30/360 BOND BASIS" ? "MONTHS" : "DAYS";
    const { unitsOfYear, ...timing } = singlePaymentUnits(from, first.on, interestCounts);
    return costOfCredit(advance, [{ ...timing, amountMinor: first.amountMinor }], unitsOfYear);
  }
  const timed = payments.map(({ amountMinor, on }) => ({ amountMinor, ...unitPeriodsBetween(from, on, frequency) }));
  return costOfCredit(advance, timed, unitPeriodsOfYear[frequency]);
}

/** Sums of an offer, minor units. */
export function totalsOf({ instalments, disbursementFeeMinor }: Offer) {
  const sum = (of: (instalment: Instalment) => bigint): bigint => instalments.reduce((all, each) => all + of(each), 0n);
  const interestMinor = sum((each) => each.interestMinor);
  const instalmentFeesMinor = sum((each) => each.feeMinor);
  return {
    interestMinor,
    feesMinor: instalmentFeesMinor + disbursementFeeMinor,
    payableMinor: sum((each) => each.principalMinor) + interestMinor + instalmentFeesMinor,
  };
}

/**
 * Whether a loan can be afforded: its dearest month and what else is owed a month are together at
 * most the product's share of the income.
 */
export function isAffordable(
  product: Product,
  offer: Offer,
  income: { incomeMinor: bigint; obligationsMinor: bigint },
): boolean {
  if (Number(product.affordabilityPercent) === 0) return true;
  const dearest = offer.instalments.reduce((most, { principalMinor, interestMinor, feeMinor }) => {
    const payment = principalMinor + interestMinor + feeMinor;
    return payment > most ? payment : most;
  }, 0n);
  const ofYear = BigInt(unitPeriodsOfYear[product.frequency]);
  const instalmentsOfMonth = product.frequency === "MONTH" ? dearest : (dearest * ofYear + 11n) / 12n;
  return instalmentsOfMonth + income.obligationsMinor <= percentOf(income.incomeMinor, product.affordabilityPercent);
}
