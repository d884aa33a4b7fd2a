import { dateOfEpochDay, epochDayOf } from "./dates.js";
import { inOrder, type LoanEvent } from "./events.js";
import { dueOfAll, dueOfLine, sumOfPart, type Line } from "./line.js";
import { chargePenalties, nextPenaltyOn } from "./penalty.js";
import { accruedAt, applyEvent, startReplay, type Replay } from "./replay.js";
import type { LoanTerms } from "./terms.js";

/** CANCELLED: its disbursement came back. */
export type LoanStatus = "ACTIVE" | "PAID_OFF" | "COMPLETED" | "WRITTEN_OFF" | "CANCELLED";

/** A loan at the start of a day, as its terms and everything that happened up to then make it. */
export interface Position {
  readonly on: string;
  readonly status: LoanStatus;
  readonly lines: readonly Line[];
  readonly closedOn?: string;
  /** Earned up to the day, whether due or not. */
  readonly interestAccruedMinor: bigint;
  /**
   * Of instalments whose due date has come, and whatever was paid ahead once the loan is closed.
   */
  readonly feesChargedMinor: bigint;
  readonly overpaidMinor: bigint;
  readonly recoveredMinor: bigint;
  /** Everything that is still to be paid by the schedule, interest that is yet to be earned too. */
  readonly totalPayableMinor: bigint;
  /**
   * Where accrual goes on: interest before the period, and the period. Absent when nothing accrues
   * any more.
   */
  readonly accruing?: AccruingPeriod;
  /**
   * End of the period whose instalment is due on the day or next. Absent when nothing is earned any
   * more.
   */
  readonly nextDuePeriodTo?: string;
  /** The first day on which more than linear accrual happens, or an instalment becomes overdue. */
  readonly wakeOn?: string;
}

export interface AccruingPeriod {
  readonly from: string;
  readonly to: string;
  readonly beforeMinor: bigint;
  readonly earnedMinor: bigint;
}

/**
 * Replays a loan up to the start of a day. Whatever the order in which events were written down,
 * they count on their own days.
 */
export function positionAt(terms: LoanTerms, events: readonly LoanEvent[], today: string): Position {
  const replay = startReplay(terms);
  for (const event of inOrder(events)) {
    if (event.on > today) continue;
    penalise(replay, event.on);
    applyEvent(replay, event);
  }
  penalise(replay, today);
  return positionOf(replay, today);
}

function penalise({ lines, terms, isWrittenOff, isReturned }: Replay, on: string): void {
  if (!isWrittenOff && !isReturned) chargePenalties(lines, terms.penalty, on);
}

function positionOf(replay: Replay, on: string): Position {
  const { lines, closed, overpaidMinor, recoveredMinor } = replay;
  const status = statusOf(replay);
  const isOver = status !== "ACTIVE";
  const charged = lines.filter((line) => isOver || line.dueOn <= on);
  return {
    on,
    status,
    lines,
    ...(closed === undefined ? {} : { closedOn: closed.on }),
    interestAccruedMinor: isOver ? sumOfPart(lines, "charged", "INTEREST") : accruedAt(replay, on),
    feesChargedMinor: sumOfPart(charged, "charged", "FEE"),
    overpaidMinor,
    recoveredMinor,
    totalPayableMinor: dueOfAll(lines),
    ...(isOver ? {} : stillEarning(replay, on)),
  };
}

function statusOf({ isReturned, isWrittenOff, closed }: Replay): LoanStatus {
  if (isReturned) return "CANCELLED";
  if (isWrittenOff) return "WRITTEN_OFF";
  if (closed === undefined) return "ACTIVE";
  return closed.early ? "PAID_OFF" : "COMPLETED";
}

/** What an active loan has to be looked at for next. */
function stillEarning(replay: Replay, on: string): Pick<Position, "accruing" | "nextDuePeriodTo" | "wakeOn"> {
  const accruing = accruingAt(replay, on);
  const nextDuePeriodTo = nextDuePeriodAt(replay, on)?.to;
  const wakeOn = nextWake(replay, on, accruing);
  return {
    ...(accruing === undefined ? {} : { accruing }),
    ...(nextDuePeriodTo === undefined ? {} : { nextDuePeriodTo }),
    ...(wakeOn === undefined ? {} : { wakeOn }),
  };
}

function accruingAt({ lines, frozen }: Replay, on: string): AccruingPeriod | undefined {
  let beforeMinor = frozen.accruedMinor;
  for (const { from, to, earnedMinor } of lines.slice(frozen.fromLine)) {
    if (on < to) return { from, to, beforeMinor, earnedMinor };
    beforeMinor += earnedMinor;
  }
  return undefined;
}

// On a due date that is the day's own period, also where the due date moved beyond the period's end
// or before it.
function nextDuePeriodAt({ lines, frozen }: Replay, on: string): Line | undefined {
  return lines.slice(frozen.fromLine).find(({ to, dueOn }) => on <= to || on <= dueOn);
}

/**
 * The first day after `on` on which more happens than that interest grows: a new period, a fee, a
 * penalty, an instalment that is overdue.
 */
function nextWake({ lines, terms }: Replay, on: string, accruing: AccruingPeriod | undefined): string | undefined {
  let first = accruing === undefined ? undefined : dateOfEpochDay(epochDayOf(accruing.to) + 1);
  const note = (day: string | undefined): void => {
    if (day !== undefined && day > on && (first === undefined || day < first)) first = day;
  };
  for (const { charged, dueOn } of lines) if (charged.FEE > 0n) note(dueOn);
  note(nextPenaltyOn(lines, terms.penalty, on));
  // Where a due date was moved to a workday, that is not the day on which a period begins. Lines of
  // which something is due are in the order of their due dates.
  const nextDueOn = lines.find((line) => line.dueOn >= on && dueOfLine(line) > 0n)?.dueOn;
  if (nextDueOn !== undefined) note(dateOfEpochDay(epochDayOf(nextDueOn) + 1));
  return first;
}
