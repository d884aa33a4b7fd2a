/**
 * Days since 1970-01-01 of an ISO date: reads no calendar, since a day's accrual asks for it
 * hundreds of thousands of times.
 */
export function epochDayOf(date: string): number {
  return Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)) - 1, Number(date.slice(8, 10))) / 86_400_000;
}

/** The ISO date of such a day. */
export function dateOfEpochDay(day: number): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10);
}
