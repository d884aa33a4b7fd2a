/** Sums of decimal text, exactly: each is counted in its smallest unit as a bigint. */
export function sum(one: string, other: string): string {
  const places = Math.max(placesOf(one), placesOf(other));
  return printed(unitsOf(one, places) + unitsOf(other, places), places);
}

export function difference(one: string, other: string): string {
  const places = Math.max(placesOf(one), placesOf(other));
  return printed(unitsOf(one, places) - unitsOf(other, places), places);
}

const placesOf = (text: string): number => text.split(".")[1]?.length ?? 0;

function unitsOf(text: string, places: number): bigint {
  const [whole = "0", fraction = ""] = text.split(".");
  return BigInt(whole + fraction.padEnd(places, "0"));
}

function printed(units: bigint, places: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(places + 1, "0");
  const whole = digits.slice(0, digits.length - places);
  return (units < 0n ? "-" : "") + whole + (places > 0 ? `.${digits.slice(-places)}` : "");
}

/** A fraction in percent: "0.05" → "5", "-0.0125" → "-1.25". */
export function percentText(fraction: string): string {
  const places = Math.max(placesOf(fraction), 2);
  const text = printed(unitsOf(fraction, places), places - 2);
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** So many of an amount: "0.25" and 3 → "0.75". */
export function times(amount: string, count: number): string {
  const places = placesOf(amount);
  return printed(unitsOf(amount, places) * BigInt(count), places);
}

/** A part of a whole, 0 to 1: for the length of a bar, and for nothing that is paid. */
export function shareOf(part: string, whole: string): number {
  const places = Math.max(placesOf(part), placesOf(whole));
  const [some, all] = [unitsOf(part, places), unitsOf(whole, places)];
  if (all <= 0n || some <= 0n) return 0;
  return some >= all ? 1 : Number((some * 1_000n) / all) / 1_000;
}
