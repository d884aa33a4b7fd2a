import { payableForMs } from "./payment-window.js";
import type { Transaction } from "./transaction.js";

/** When a payout is promised by, as far as it is known. */
export type Promised = Pick<Transaction, "availableOn" | "createdAt" | "expiresAt" | "paidAt"> & {
  terms: Pick<Transaction["terms"], "delivery">;
  transferInformation: Pick<Transaction["transferInformation"], "receivingCountry">;
};

// Weekdays that are no business days, 1 is Monday; elsewhere Saturday and Sunday. Source: CLDR 48,
// supplemental/supplementalData.xml, weekendStart and weekendEnd. Public holidays are in no table.
const fridayAndSaturday = [5, 6];
const weekends: Readonly<Record<string, readonly number[]>> = {
  AFG: [4, 5],
  BHR: fridayAndSaturday,
  DZA: fridayAndSaturday,
  EGY: fridayAndSaturday,
  IND: [7],
  IRN: [5],
  IRQ: fridayAndSaturday,
  ISR: fridayAndSaturday,
  JOR: fridayAndSaturday,
  KWT: fridayAndSaturday,
  LBY: fridayAndSaturday,
  OMN: fridayAndSaturday,
  QAT: fridayAndSaturday,
  SAU: fridayAndSaturday,
  SDN: fridayAndSaturday,
  SYR: fridayAndSaturday,
  UGA: [7],
  YEM: fridayAndSaturday,
};
const saturdayAndSunday = [6, 7];

/**
 * The day so many business days of a country (alpha-3) after a day; what begins on no business day
 * begins on the next (as PSD2 Art. 78 has it).
 */
export function businessDayAfter(from: Temporal.PlainDate, days: number, country: string): Temporal.PlainDate {
  const weekend = weekends[country] ?? saturdayAndSunday;
  const next = (day: Temporal.PlainDate): Temporal.PlainDate =>
    weekend.includes(day.dayOfWeek) ? next(day.add({ days: 1 })) : day;
  let day = next(from);
  for (let left = days; left > 0; left--) day = next(day.add({ days: 1 }));
  return day;
}

/** The day of a moment in a time zone (IANA). */
export function dayOf(at: Date, timeZone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone).toPlainDate();
}

/**
 * By when the recipient is promised to have it: counted from the day on which the time to pay ends,
 * so that whoever pays in time is kept to it.
 */
export function promisedDay(
  { createdAt, expiresAt, terms, transferInformation }: Omit<Promised, "availableOn" | "paidAt">,
  timeZone: string,
  waitsMs = payableForMs,
): string {
  const latest = expiresAt ?? new Date(createdAt.getTime() + waitsMs);
  const { receivingCountry } = transferInformation;
  return businessDayAfter(dayOf(latest, timeZone), terms.delivery.days, receivingCountry).toString();
}

/**
 * What was promised with the payment, and before it what would be. What waits for compliance is
 * counted as if it might be paid from this moment on.
 */
export function availableOn(
  of: Promised & { status: string },
  timeZone: string,
  { now, waitsMs }: { now: Date; waitsMs?: number | undefined },
): string {
  if (of.paidAt !== undefined) return of.availableOn;
  const { expiresAt, ...rest } = of;
  if (of.status === "AWAITING_COMPLIANCE") return promisedDay({ ...rest, createdAt: now }, timeZone, waitsMs);
  return expiresAt === undefined ? of.availableOn : promisedDay(of, timeZone);
}

/** When the recipient could have it; undefined before. */
export function availableAt({ timeline }: Pick<Transaction, "timeline">): Date | undefined {
  return timeline.find(({ status }) => status === "READY_FOR_PICKUP" || status === "COMPLETED")?.at;
}

const overWithoutPayout: readonly string[] = ["CANCELLED", "EXPIRED", "REJECTED", "REFUNDED"];

/** When a day ends in a time zone, epoch ms; each day is worked out once. */
export function createDayEnds(timeZone: string): (day: string) => number {
  const known = new Map<string, number>();
  return (day) => {
    const end =
      known.get(day) ?? Temporal.PlainDate.from(day).add({ days: 1 }).toZonedDateTime(timeZone).epochMilliseconds;
    known.set(day, end);
    return end;
  };
}

/**
 * Whether the promise of what was paid for was kept; undefined while it may still be, and where
 * there is nothing to deliver any more.
 */
export function promiseOf(
  of: Pick<Transaction, "availableOn" | "paidAt" | "timeline"> & { status: string },
  endOf: (day: string) => number,
  now: Date,
): "KEPT" | "LATE" | undefined {
  if (of.paidAt === undefined) return undefined;
  const at = availableAt(of);
  if (at === undefined && overWithoutPayout.includes(of.status)) return undefined;
  if ((at ?? now).getTime() >= endOf(of.availableOn)) return "LATE";
  return at === undefined ? undefined : "KEPT";
}
