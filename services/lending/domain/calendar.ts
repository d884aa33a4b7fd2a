export const repaymentFrequencies = ["DAY", "WEEK", "TWO_WEEKS", "MONTH"] as const;
export type RepaymentFrequency = (typeof repaymentFrequencies)[number];

export const businessDayRules = ["NONE", "FOLLOWING", "MODIFIED_FOLLOWING", "PRECEDING"] as const;
/** What becomes of a due date on a weekend or holiday (2006 ISDA Definitions 4.12). */
export type BusinessDayRule = (typeof businessDayRules)[number];

export interface HolidayCalendar {
  /** ISO weekdays on which nobody works, 1 is Monday. */
  readonly weekend: readonly number[];
  /** "2026-12-25". */
  readonly holidays: readonly string[];
}

export const plainWeek: HolidayCalendar = { weekend: [6, 7], holidays: [] };

// A calendar of more free days in a row than this would be a mistake.
const maxFreeDays = 31;

/**
 * The date `periods` after an anchor. Months count from the anchor, so that 31 January gives 28
 * February and then 31 March again.
 */
export function addPeriods(anchor: Temporal.PlainDate, frequency: RepaymentFrequency, periods: number) {
  switch (frequency) {
    case "DAY":
      return anchor.add({ days: periods });
    case "WEEK":
      return anchor.add({ days: 7 * periods });
    case "TWO_WEEKS":
      return anchor.add({ days: 14 * periods });
    case "MONTH":
      return anchor.add({ months: periods });
  }
}

/** The day on which something due on `date` is due by the rule. */
export function businessDay(
  date: Temporal.PlainDate,
  rule: BusinessDayRule,
  calendar: HolidayCalendar,
): Temporal.PlainDate {
  switch (rule) {
    case "NONE":
      return date;
    case "FOLLOWING":
      return nearestWorkday(date, 1, calendar);
    case "PRECEDING":
      return nearestWorkday(date, -1, calendar);
    case "MODIFIED_FOLLOWING": {
      const following = nearestWorkday(date, 1, calendar);
      return following.month === date.month ? following : nearestWorkday(date, -1, calendar);
    }
  }
}

function nearestWorkday(date: Temporal.PlainDate, step: 1 | -1, { weekend, holidays }: HolidayCalendar) {
  let at = date;
  for (let tries = 0; tries <= maxFreeDays; tries += 1) {
    if (!weekend.includes(at.dayOfWeek) && !holidays.includes(at.toString())) return at;
    at = at.add({ days: step });
  }
  return date;
}
