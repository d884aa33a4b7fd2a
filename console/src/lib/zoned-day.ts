const dayMs = 86_400_000;

/** The moment at which a day ("2026-11-21") begins in a zone. */
export function startOfDay(day: string, zone: string): string {
  const utc = Date.parse(`${day}T00:00:00Z`);
  // The offset of a moment near it: it may be that of the other side of a change of the clock.
  const near = utc - offsetMs(utc, zone);
  return new Date(utc - offsetMs(near, zone)).toISOString();
}

/** The moment at which a day is over in a zone. */
export function endOfDay(day: string, zone: string): string {
  return startOfDay(plusDays(day, 1), zone);
}

/** What is asked for with its days as moments: the last day counts whole. */
export function momentsOf<Name extends string>(
  requested: Readonly<Partial<Record<Name, string>>>,
  { first, last }: { first: Name; last?: Name },
  zone: string,
): Partial<Record<Name, string>> {
  const [from, until] = [requested[first], last && requested[last]];
  return {
    ...requested,
    ...(from && { [first]: startOfDay(from, zone) }),
    ...(last && until && { [last]: endOfDay(until, zone) }),
  };
}

export function plusDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/** Today in a zone. */
export function today(zone: string, now = Date.now()): string {
  return new Date(now + offsetMs(now, zone)).toISOString().slice(0, 10);
}

function offsetMs(at: number, zone: string): number {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  }).formatToParts(at);
  const of = (name: string) => Number(parts.find(({ type }) => type === name)?.value);
  const local = Date.UTC(of("year"), of("month") - 1, of("day"), of("hour"), of("minute"), of("second"));
  return local - (at - (at % 1_000));
}
