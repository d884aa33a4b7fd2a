const minuteMs = 60_000;

/**
 * The moment at which clocks in the zone show `text` ("2026-11-30T23:59"), as the API writes it.
 */
export function momentIn(text: string, zone: string): string {
  const wanted = Date.parse(`${text}Z`);
  let at = wanted;
  // The second step is for a zone whose clocks change between the guess and the moment.
  for (let step = 0; step < 2; step++) at += wanted - Date.parse(`${clockIn(at, zone)}Z`);
  return new Date(at).toISOString();
}

/** The last minute of a calendar day ("2026-11-30") in the zone. */
export const endOfDay = (day: string, zone: string): string => momentIn(`${day}T23:59`, zone);

/** "2026-11-30T23:59" as clocks in the zone show it at that moment. */
export function clockIn(at: number | string, zone: string): string {
  const moment = new Date(Math.floor(new Date(at).getTime() / minuteMs) * minuteMs);
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).formatToParts(moment);
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? "";
  return `${part("year")}-${part("month")}-${part("day")}T${part("hour")}:${part("minute")}`;
}

/** "2026-11-30" in the zone. */
export const dayIn = (at: string, zone: string): string => clockIn(at, zone).slice(0, 10);
