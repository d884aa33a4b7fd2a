/** A day of the business calendar, UTC: days since 1970-01-01. */
export type Day = number;

const dayMs = 86_400_000;
const dayForm = /^\d{4}-\d{2}-\d{2}$/;

/** The day that a time (ms since 1970) lies in. */
export function dayOf(timeMs: number): Day {
  return Math.floor(timeMs / dayMs);
}

/** "2026-11-30". */
export function dayText(day: Day): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

/**
 * The day of a text such as "2026-11-30"; undefined for anything else, also for days that no
 * calendar has.
 */
export function parseDay(text: string): Day | undefined {
  if (!dayForm.test(text)) return undefined;
  const timeMs = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(timeMs) || dayText(dayOf(timeMs)) !== text) return undefined;
  return dayOf(timeMs);
}
