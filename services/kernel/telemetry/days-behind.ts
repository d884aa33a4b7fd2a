// Work that was never done counts as late as what raises an alert.
const neverDone = 2;

/**
 * How far daily work is behind: whole days (UTC) from the last day that is done to the current one,
 * where it is longest. 0 or 1 is usual, since days begin at other hours in other time zones; a
 * business date that was moved ahead is not behind.
 */
export function daysBehind(doneThrough: readonly string[], now: Date): number {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO("UTC").toPlainDate();
  return Math.max(0, ...doneThrough.map((day) => (day === "" ? neverDone : today.since(day).days)));
}
