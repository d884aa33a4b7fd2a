/**
 * The calendar day ("2026-10-25") that an instant falls on in an IANA time zone. Throws RangeError
 * for an unknown zone.
 */
export function calendarDay(instant: Date, timeZone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(instant.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDate()
    .toString();
}
