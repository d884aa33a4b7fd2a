import { invalidInput } from "../refusal.js";

const earliestBirth = "1900-01-01";

/** A day of the calendar, YYYY-MM-DD. Refuses INVALID_INPUT at the path. */
export function parseCalendarDay(text: string, path: string): string {
  try {
    if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) throw new RangeError("not a day");
    return Temporal.PlainDate.from(text, { overflow: "reject" }).toString();
  } catch {
    throw invalidInput(path, "must be a date such as 2026-11-30");
  }
}

/**
 * The day of somebody's birth, from 1900 on and not after `today`. Refuses INVALID_INPUT at the
 * path.
 */
export function parseBirthDay(text: string, path: string, today: string): string {
  const day = parseCalendarDay(text, path);
  if (day < earliestBirth) throw invalidInput(path, `must not be before ${earliestBirth}`);
  if (day > today) throw invalidInput(path, "must not be in the future");
  return day;
}

/**
 * The day, month or year of somebody's birth, by the same bounds as far as it goes. Refuses
 * INVALID_INPUT at the path.
 */
export function parseBirthDate(text: string, path: string, today: string): string {
  const [, year, month = "01", day = "01"] = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(text) ?? [];
  if (year === undefined) throw invalidInput(path, "must be YYYY-MM-DD, YYYY-MM or YYYY");
  parseBirthDay(`${year}-${month}-${day}`, path, today);
  return text;
}

/** The calendar day, UTC, that births and ends of documents are compared with. */
export function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10);
}
