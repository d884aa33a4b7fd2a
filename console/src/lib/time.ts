import type { Language } from "./language";

const locales: Record<Language, string> = { en: "en-GB", fr: "fr-FR" };
const formats = new Map<string, Intl.DateTimeFormat>();

function format(language: Language, zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([language, zone, options]);
  const made = formats.get(key) ?? new Intl.DateTimeFormat(locales[language], { ...options, timeZone: zone });
  formats.set(key, made);
  return made;
}

const day = { day: "2-digit", month: "short", year: "numeric" } as const;
const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;

/** "21 Nov 2026, 11:15" in the zone. */
export function momentText(at: string, language: Language, zone: string, withSeconds = false): string {
  return format(language, zone, { ...day, ...clock, ...(withSeconds && { second: "2-digit" }) }).format(new Date(at));
}

/** "21 Nov 2026"; a date without time is no moment and stays the day that it is. */
export function dayText(at: string, language: Language, zone: string): string {
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(at);
  return format(language, isDate ? "UTC" : zone, day).format(new Date(at));
}

/** "GMT+1" at that moment. */
export function zoneText(at: string | number, language: Language, zone: string): string {
  const parts = format(language, zone, { timeZoneName: "short" }).formatToParts(new Date(at));
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? zone;
}

const steps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

/** "3 hours ago", "in 2 days". */
export function agoText(at: string, language: Language, now = Date.now()): string {
  const ms = Date.parse(at) - now;
  const [unit, size] = steps.find(([, size]) => Math.abs(ms) >= size) ?? ["second", 1_000];
  return new Intl.RelativeTimeFormat(locales[language], { numeric: "auto" }).format(Math.trunc(ms / size), unit);
}
