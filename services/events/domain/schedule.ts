const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Waits after the first attempt, the second and so on, ms; afterwards it is given up. */
export const usualWaitsMs: readonly number[] = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** An endpoint that fails for so long is disabled. */
export const disabledAfterMs = 5 * 24 * hour;
export const longestWaitMs = 24 * hour;
// So that attempts that failed together come back apart.
const jitter = 0.1;

/**
 * When to try again after so many attempts; undefined where it is given up. What the receiver asks
 * for counts where it is later, up to 24 h.
 */
export function nextAttempt(
  attempts: number,
  now: Date,
  { waitsMs = usualWaitsMs, retryAfterMs = 0, random = Math.random }: ScheduleOptions = {},
): Date | undefined {
  const waitMs = waitsMs[attempts - 1];
  if (waitMs === undefined) return undefined;
  const own = waitMs * (1 + jitter * random());
  return new Date(now.getTime() + Math.max(own, Math.min(retryAfterMs, longestWaitMs)));
}

export interface ScheduleOptions {
  waitsMs?: readonly number[] | undefined;
  retryAfterMs?: number | undefined;
  random?: () => number;
}

/** `Retry-After` in ms: seconds or a date. Undefined where it says nothing. */
export function retryAfterOf(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * second;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
}
