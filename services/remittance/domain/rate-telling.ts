/**
 * What the ledger has to be told of a tenant's middle rates, and when. A rate that is put makes it
 * due in the commit that puts it.
 */
export interface RateTelling {
  tenantId: string;
  dueAt: Date;
  /** Each that a rate was ever put for, such as "USD NGN". */
  pairs: string[];
  /** The last business day whose end was told. */
  toldThrough?: string;
  /** Since when rates hold that were put since. */
  changedFrom?: Date;
}

// What the ledger revalues is open, and books stay open for a year at most.
const maxDaysBack = 400;

/**
 * Business days that are over and whose ends are to be told, in their order: those since the last
 * time, and those that a rate was put for afterwards.
 */
export function daysToTell(
  { toldThrough, changedFrom }: Pick<RateTelling, "toldThrough" | "changedFrom">,
  today: Temporal.PlainDate,
  timeZone: string,
): Temporal.PlainDate[] {
  const changed = changedFrom && Temporal.Instant.fromEpochMilliseconds(changedFrom.getTime());
  const begins = [
    ...(toldThrough === undefined ? [] : [Temporal.PlainDate.from(toldThrough).add({ days: 1 })]),
    ...(changed === undefined ? [] : [changed.toZonedDateTimeISO(timeZone).toPlainDate()]),
  ].toSorted(Temporal.PlainDate.compare);
  const first = begins[0] ?? today;
  const earliest = today.subtract({ days: maxDaysBack });
  const days: Temporal.PlainDate[] = [];
  let day = Temporal.PlainDate.compare(first, earliest) < 0 ? earliest : first;
  for (; Temporal.PlainDate.compare(day, today) < 0; day = day.add({ days: 1 })) days.push(day);
  return days;
}

/** When a day is over, in a time zone. */
export function endOfDay(day: Temporal.PlainDate, timeZone: string): Date {
  return new Date(day.add({ days: 1 }).toZonedDateTime(timeZone).epochMilliseconds);
}
