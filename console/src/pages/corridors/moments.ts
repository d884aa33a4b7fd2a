/** What a date and time field says, read in a zone, as a moment; null where it is empty. */
export function momentOrNull(text: string, zone: string): string | null {
  const utc = Date.parse(`${text}Z`);
  if (text === "" || Number.isNaN(utc)) return null;
  // The offset of a moment near it: it may be that of the other side of a change of the clock.
  const near = utc - offsetMs(utc, zone);
  return new Date(utc - offsetMs(near, zone)).toISOString();
}

/** A moment as a date and time field shows it in a zone. */
export function fieldText(moment: string, zone: string): string {
  const at = Date.parse(moment);
  return new Date(at + offsetMs(at, zone)).toISOString().slice(0, 16);
}

function offsetMs(at: number, zone: string): number {
  const inZone = (timeZone: string) => Date.parse(`${new Date(at).toLocaleString("sv-SE", { timeZone })}Z`);
  return inZone(zone) - inZone("UTC");
}
