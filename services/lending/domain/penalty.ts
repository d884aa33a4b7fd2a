import { dateOfEpochDay, epochDayOf } from "./dates.js";
import { dueOfLine, type Line } from "./line.js";
import { percentOf } from "./rate.js";

/**
 * Charged once for an instalment of which something is unpaid when more than `graceDays` days have
 * passed since it was due.
 */
export interface PenaltyRule {
  readonly graceDays: number;
  readonly flatMinor: bigint;
  /** Of what is overdue of the instalment, decimal text. */
  readonly percent: string;
}

/** True when a late instalment costs anything. */
export function hasPenalty({ flatMinor, percent }: PenaltyRule): boolean {
  return flatMinor > 0n || Number(percent) > 0;
}

/**
 * Charges what late instalments cost up to the start of a day: the flat amount, and the percentage
 * of what is overdue.
 */
export function chargePenalties(lines: readonly Line[], rule: PenaltyRule, on: string): void {
  if (!hasPenalty(rule)) return;
  const latestDueOn = latestPenalisedDueDate(rule, on);
  for (const line of lines) {
    if (line.isPenalised || line.dueOn > latestDueOn) continue;
    const overdue = dueOfLine(line);
    if (overdue <= 0n) continue;
    line.charged.PENALTY += rule.flatMinor + percentOf(overdue, rule.percent);
    line.isPenalised = true;
  }
}

/**
 * The first day after `on` on which an instalment that is unpaid now would be penalised; undefined
 * when none would.
 */
export function nextPenaltyOn(lines: readonly Line[], rule: PenaltyRule, on: string): string | undefined {
  if (!hasPenalty(rule)) return undefined;
  const latestDueOn = latestPenalisedDueDate(rule, on);
  let nextDueOn: string | undefined;
  for (const line of lines) {
    const { dueOn } = line;
    // A repayment settles the loan anew, so that an instalment which is paid now has no penalty to
    // wait for.
    if (line.isPenalised || dueOn <= latestDueOn) continue;
    if ((nextDueOn === undefined || dueOn < nextDueOn) && dueOfLine(line) > 0n) nextDueOn = dueOn;
  }
  return nextDueOn === undefined ? undefined : dateOfEpochDay(epochDayOf(nextDueOn) + rule.graceDays + 1);
}

/** Due on or before this day, an instalment has been late for longer than the days of grace. */
function latestPenalisedDueDate({ graceDays }: PenaltyRule, on: string): string {
  return dateOfEpochDay(epochDayOf(on) - graceDays - 1);
}
