import type { DayActivity } from "./day-activity.js";

/**
 * What a customer has sent on a day in one currency, minor units: held for transactions that wait,
 * and counted for good.
 */
export interface DayUsage {
  reservedMinor: bigint;
  usedMinor: bigint;
}

/** What a step of a reservation adds to the usage of its day, minor units. */
export interface UsageChange {
  reservedMinor: bigint;
  usedMinor: bigint;
}

/**
 * A customer's calendar day: sums for the rules, and per currency what is held and used of the
 * day's limit.
 */
export interface DayRecord extends DayActivity {
  customerId: string;
  usage: (DayUsage & { currency: string })[];
}

/** What is held and used of a day's limit in a currency. */
export function usageOf(day: DayRecord, currency: string): DayUsage {
  const { reservedMinor = 0n, usedMinor = 0n } = day.usage.find((one) => one.currency === currency) ?? {};
  return { reservedMinor, usedMinor };
}

/** The day's usage after a change in one currency. */
export function changedUsage(day: DayRecord, currency: string, change: UsageChange): DayRecord["usage"] {
  const { reservedMinor, usedMinor } = usageOf(day, currency);
  const others = day.usage.filter((one) => one.currency !== currency);
  return [
    ...others,
    { currency, reservedMinor: reservedMinor + change.reservedMinor, usedMinor: usedMinor + change.usedMinor },
  ];
}
