import { daysBetween } from "../../kernel/time/day-count.js";

/**
 * A time in which a debt does not grow older; open while `until` is absent. Dates are ISO text,
 * `until` is not part of it.
 */
export interface Pause {
  readonly from: string;
  readonly until?: string;
}

/**
 * The first day of each bucket, in days past due and rising: [1, 31, 61, 91] makes 1-30, 31-60,
 * 61-90 and 91+.
 */
export type BucketStarts = readonly number[];

export interface Delinquency {
  /** Since the oldest unpaid instalment was due, without paused days. */
  readonly daysPastDue: number;
  /** "CURRENT", "1-30", "91+". */
  readonly bucket: string;
  readonly isPaused: boolean;
}

/**
 * How late a loan is at the start of a day whose oldest unpaid instalment was due on `oldestDueOn`;
 * absent when nothing is due.
 */
export function delinquencyAt(
  today: Temporal.PlainDate,
  oldestDueOn: string | undefined,
  pauses: readonly Pause[],
  starts: BucketStarts,
): Delinquency {
  const isPaused = pauses.some(
    ({ from, until }) => from <= today.toString() && (until ?? "9999-12-31") > today.toString(),
  );
  if (oldestDueOn === undefined || oldestDueOn >= today.toString()) {
    return { daysPastDue: 0, bucket: "CURRENT", isPaused };
  }
  const due = Temporal.PlainDate.from(oldestDueOn);
  const paused = pauses.reduce((sum, pause) => sum + pausedDays(pause, oldestDueOn, today), 0);
  const daysPastDue = Math.max(0, daysBetween(due, today) - paused);
  return { daysPastDue, bucket: bucketOf(daysPastDue, starts), isPaused };
}

function pausedDays({ from, until }: Pause, dueOn: string, today: Temporal.PlainDate): number {
  const begins = from > dueOn ? from : dueOn;
  const ends = until !== undefined && until < today.toString() ? until : today.toString();
  return begins < ends ? daysBetween(Temporal.PlainDate.from(begins), Temporal.PlainDate.from(ends)) : 0;
}

/** The bucket that so many days fall into. */
export function bucketOf(daysPastDue: number, starts: BucketStarts): string {
  const index = starts.findLastIndex((start) => daysPastDue >= start);
  if (index < 0) return "CURRENT";
  const next = starts[index + 1];
  return next === undefined ? `${starts[index]}+` : `${starts[index]}-${next - 1}`;
}
