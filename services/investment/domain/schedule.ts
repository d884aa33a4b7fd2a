import { earlier, isBefore } from "./dates.js";

export const payoutIntervals = ["AT_MATURITY", "MONTH", "QUARTER", "HALF_YEAR", "YEAR"] as const;
/** When interest is paid into the wallet. */
export type PayoutInterval = (typeof payoutIntervals)[number];

const months: Record<Exclude<PayoutInterval, "AT_MATURITY">, number> = { MONTH: 1, QUARTER: 3, HALF_YEAR: 6, YEAR: 12 };

/** A length of time in whole months and days; none of both has no end. */
export interface Term {
  readonly months: number;
  readonly days: number;
}

/** The day a term ends; undefined for an investment without one. */
export function endOfTerm(start: Temporal.PlainDate, { months: inMonths, days }: Term): Temporal.PlainDate | undefined {
  return inMonths === 0 && days === 0 ? undefined : start.add({ months: inMonths }).add({ days });
}

/**
 * The next day that something is due after `after`: a payment of interest, counted from the start
 * of the term, or the end of the term. Undefined where nothing ever is.
 */
export function nextDue(
  start: Temporal.PlainDate,
  maturity: Temporal.PlainDate | undefined,
  interval: PayoutInterval,
  after: Temporal.PlainDate,
): Temporal.PlainDate | undefined {
  if (interval === "AT_MATURITY") return maturity;
  const step = months[interval];
  let count = Math.max(1, Math.floor(start.until(after, { largestUnit: "month" }).months / step));
  let date = start.add({ months: step * count });
  while (!isBefore(after, date)) date = start.add({ months: step * ++count });
  return maturity === undefined ? date : earlier(date, maturity);
}
