import type { DayUsage } from "./decision.js";
import type { UsageChange } from "./reservation.js";
import type { DayRecord } from "../store/index.js";

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
