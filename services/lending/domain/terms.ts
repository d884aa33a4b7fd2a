import type { HolidayCalendar } from "./calendar.js";
import type { RescheduleTerms } from "./events.js";
import type { Part } from "./line.js";
import type { PayoffRule } from "./payoff-figure.js";
import type { PenaltyRule } from "./penalty.js";
import type { ScheduleTerms } from "./schedule.js";

/**
 * Terms of a loan, kept with it: a later version of its product changes nothing. Dates are ISO
 * text.
 */
export interface LoanTerms extends Omit<ScheduleTerms, "startsOn" | "firstDueOn"> {
  readonly currency: string;
  readonly startsOn: string;
  readonly firstDueOn?: string;
  readonly calendar: HolidayCalendar;
  readonly penalty: PenaltyRule;
  readonly payoff: PayoffRule;
  readonly allocationOrder: readonly Part[];
}

/** The terms as the schedule reads them. */
export function scheduleTermsOf(terms: LoanTerms): ScheduleTerms {
  const { startsOn, firstDueOn, ...rest } = terms;
  return {
    ...rest,
    startsOn: Temporal.PlainDate.from(startsOn),
    ...(firstDueOn === undefined ? {} : { firstDueOn: Temporal.PlainDate.from(firstDueOn) }),
  };
}

/** What is owed of a principal on a day, by other terms from that day on. */
export function rescheduledTerms(
  terms: LoanTerms,
  { annualRate, instalments, firstDueOn }: RescheduleTerms,
  on: string,
  principalMinor: bigint,
): ScheduleTerms {
  const graces = { principalGrace: 0, interestGrace: 0 };
  const dates = { startsOn: Temporal.PlainDate.from(on), firstDueOn: Temporal.PlainDate.from(firstDueOn) };
  return { ...scheduleTermsOf(terms), principalMinor, annualRate, instalments, ...graces, ...dates };
}
