import {
  allocate,
  dueOf,
  dueOfAll,
  dueOfLine,
  noAmounts,
  parts,
  sumOfPart,
  type Line,
  type PartAmounts,
} from "./allocation.js";
import { dateOfEpochDay, epochDayOf } from "./dates.js";
import { inOrder, type LoanEvent, type LoanTerms, type RescheduleTerms } from "./events.js";
import { chargeInterest, earnedAt } from "./interest.js";
import { percentOf } from "./rate.js";
import { scheduleOf, type Instalment, type ScheduleTerms } from "./schedule.js";

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
  /** Of instalments whose due date has come, and whatever was paid ahead once the loan is closed. */
  readonly feesChargedMinor: bigint;
  readonly overpaidMinor: bigint;
  readonly recoveredMinor: bigint;
  /** Everything that is still to be paid by the schedule, interest that is yet to be earned too. */
  readonly totalPayableMinor: bigint;
  /** Where accrual goes on: interest before the period, and the period. Absent when nothing accrues any more. */
  readonly accruing?: AccruingPeriod;
  /** End of the period whose instalment is due on the day or next. Absent when nothing is earned any more. */
  readonly nextDuePeriodTo?: string;
  /** The first day on which more than linear accrual happens. */
  readonly wakeOn?: string;
}

export interface AccruingPeriod {
  readonly from: string;
  readonly to: string;
  readonly beforeMinor: bigint;
  readonly earnedMinor: bigint;
}

/** The terms as the schedule reads them. */
export function scheduleTermsOf(terms: LoanTerms): ScheduleTerms {
  const { startsOn, firstDueOn, ...rest } = terms;
  return {
    ...rest,
    startsOn: Temporal.PlainDate.from(startsOn),
    ...(firstDueOn === undefined ? {} : { firstDueOn: Temporal.PlainDate.from(firstDueOn) }),
  };
}

/** What is owed of a principal on a day, by other terms from that day on. */
export function rescheduledTerms(
  terms: LoanTerms,
  { annualRate, instalments, firstDueOn }: RescheduleTerms,
  on: string,
  principalMinor: bigint,
): ScheduleTerms {
  const graces = { principalGrace: 0, interestGrace: 0 };
  const dates = { startsOn: Temporal.PlainDate.from(on), firstDueOn: Temporal.PlainDate.from(firstDueOn) };
  return { ...scheduleTermsOf(terms), principalMinor, annualRate, instalments, ...graces, ...dates };
}

/** Replays a loan up to the start of a day. Whatever the order in which events were written down, they count on their own days. */
export function positionAt(terms: LoanTerms, events: readonly LoanEvent[], today: string): Position {
  const replay = createReplay(terms);
  for (const event of inOrder(events)) {
    if (event.on > today) continue;
    replay.chargePenalties(event.on);
    replay.apply(event);
  }
  replay.chargePenalties(today);
  return replay.position(today);
}

interface Frozen {
  accruedMinor: bigint;
  /** Lines from here on still earn. */
  fromLine: number;
}

function createReplay(terms: LoanTerms) {
  const lines: Line[] = scheduleOf(scheduleTermsOf(terms), terms.calendar).map(lineOf);
  let frozen: Frozen = { accruedMinor: 0n, fromLine: 0 };
  let [overpaid, recovered, chargedBack] = [0n, 0n, 0n];
  let [isWrittenOff, isReturned] = [false, false];
  let closed: { on: string; early: boolean } | undefined;

  const accruedAt = (on: string): bigint =>
    lines.slice(frozen.fromLine).reduce((sum, line) => sum + earnedAt(line, on), frozen.accruedMinor);

  /** From a day on nothing more is earned or charged; what had been paid of the future comes back. */
  function stop(on: string, interestThrough: string): bigint {
    const accruedMinor = accruedAt(interestThrough);
    let returned = chargeInterest(lines, accruedMinor);
    frozen = { accruedMinor, fromLine: lines.length };
    for (const line of lines) {
      if (line.dueOn <= on) continue;
      returned += line.paid.FEE;
      line.paid.FEE = 0n;
      line.charged.FEE = 0n;
    }
    return returned;
  }

  function pay(amountMinor: bigint): void {
    overpaid += allocate(lines, amountMinor, terms.allocationOrder);
  }

  function payOff(event: Extract<LoanEvent, { type: "PAYOFF" }>): void {
    const returned = stop(event.on, event.interestThrough);
    const last = lines.findLast((line) => line.dueOn <= event.on) ?? lines[0];
    if (last !== undefined) last.charged.FEE += event.feeMinor;
    pay(event.amountMinor + returned);
  }

  function writeOff(on: string): void {
    const returned = stop(on, on);
    if (returned > 0n) pay(returned);
    for (const line of lines) for (const part of parts) line.writtenOff[part] += dueOf(line, part);
    isWrittenOff = true;
  }

  /**
   * A bank took money back: what was overpaid goes first, the rest is due again with the instalment that comes next, or at once after the
   * last.
   */
  function chargeBack({ on, amountMinor }: { on: string; amountMinor: bigint }): void {
    const ofOverpaid = overpaid <= 0n ? 0n : overpaid < amountMinor ? overpaid : amountMinor;
    overpaid -= ofOverpaid;
    const again = amountMinor - ofOverpaid;
    chargedBack += again;
    if (again === 0n) return;
    const next = lines.find((line) => line.dueOn >= on);
    if (next !== undefined) next.charged.PRINCIPAL += again;
    else lines.push(extraLine(lines.length + 1, on, again));
  }

  /** The principal came back from the bank: nothing is owed, earned or charged, and whatever was paid is the customer's again. */
  function undo(): void {
    for (const line of lines) {
      for (const part of parts) {
        overpaid += line.paid[part];
        line.paid[part] = line.charged[part] = line.writtenOff[part] = 0n;
      }
    }
    overpaid += recovered - chargedBack;
    recovered = 0n;
    [isWrittenOff, isReturned] = [false, true];
    frozen = { accruedMinor: 0n, fromLine: lines.length };
  }

  function reschedule(event: Extract<LoanEvent, { type: "RESCHEDULE" }>): void {
    const { on, terms: given } = event;
    const returned = stop(on, on);
    const carried = noAmounts();
    for (const line of lines) {
      for (const part of parts) {
        carried[part] += dueOf(line, part);
        line.charged[part] = line.paid[part] + line.writtenOff[part];
      }
    }
    const anew = scheduleOf(rescheduledTerms(terms, given, on, carried.PRINCIPAL), given.calendar);
    const { accruedMinor } = frozen;
    frozen = { accruedMinor, fromLine: lines.length };
    const begun = lines.length;
    for (const instalment of anew) lines.push(lineOf({ ...instalment, number: begun + instalment.number }));
    const first = lines[begun];
    if (first === undefined) throw new Error("a schedule has instalments");
    for (const part of ["PENALTY", "FEE", "INTEREST"] as const) first.charged[part] += carried[part];
    if (returned > 0n) pay(returned);
  }

  function apply(event: LoanEvent): void {
    switch (event.type) {
      case "REPAYMENT":
        if (isWrittenOff) recovered += event.amountMinor;
        else pay(event.amountMinor);
        break;
      case "PAYOFF":
        if (isWrittenOff) recovered += event.amountMinor;
        else if (isReturned) overpaid += event.amountMinor;
        else payOff(event);
        break;
      case "CHARGEBACK":
        if (isReturned) overpaid -= event.amountMinor;
        else if (isWrittenOff) recovered -= event.amountMinor;
        else chargeBack(event);
        break;
      case "WRITE_OFF":
        writeOff(event.on);
        break;
      case "RECOVERY":
        recovered += event.amountMinor;
        break;
      case "RESCHEDULE":
        reschedule(event);
        break;
      case "REFUND":
        overpaid -= event.amountMinor;
        break;
      case "DISBURSEMENT_RETURNED":
        undo();
        break;
    }
    const isPaid = dueOfAll(lines) === 0n;
    const lastDueOn = lines.at(-1)?.dueOn ?? "";
    if (!isPaid) closed = undefined;
    else closed ??= { on: event.on, early: event.on < lastDueOn };
  }

  /** Charges what late instalments cost, up to the start of a day. */
  function chargePenalties(on: string): void {
    if (isWrittenOff || isReturned || !hasPenalty(terms)) return;
    // Due on or before this day, an instalment has been late for longer than the days of grace.
    const latestDueOn = dateOfEpochDay(epochDayOf(on) - terms.penalty.graceDays - 1);
    for (const line of lines) {
      if (line.isPenalised || line.dueOn > latestDueOn) continue;
      const overdue = dueOfLine(line);
      if (overdue <= 0n) continue;
      line.charged.PENALTY += terms.penalty.flatMinor + percentOf(overdue, terms.penalty.percent);
      line.isPenalised = true;
    }
  }

  function statusAt(): LoanStatus {
    if (isReturned) return "CANCELLED";
    if (isWrittenOff) return "WRITTEN_OFF";
    if (closed === undefined) return "ACTIVE";
    return closed.early ? "PAID_OFF" : "COMPLETED";
  }

  function position(on: string): Position {
    const status = statusAt();
    const isOver = status !== "ACTIVE";
    const interestAccruedMinor = isOver ? sumOfPart(lines, "charged", "INTEREST") : accruedAt(on);
    const charged = lines.filter((line) => isOver || line.dueOn <= on);
    const accruing = isOver ? undefined : accruingAt(on);
    const nextDuePeriodTo = isOver ? undefined : nextDuePeriodAt(on)?.to;
    const wakeOn = isOver ? undefined : nextWake(lines, terms, on, accruing);
    return {
      on,
      status,
      lines,
      ...(closed === undefined ? {} : { closedOn: closed.on }),
      interestAccruedMinor,
      feesChargedMinor: sumOfPart(charged, "charged", "FEE"),
      overpaidMinor: overpaid,
      recoveredMinor: recovered,
      totalPayableMinor: dueOfAll(lines),
      ...(accruing === undefined ? {} : { accruing }),
      ...(nextDuePeriodTo === undefined ? {} : { nextDuePeriodTo }),
      ...(wakeOn === undefined ? {} : { wakeOn }),
    };
  }

  function accruingAt(on: string): AccruingPeriod | undefined {
    let beforeMinor = frozen.accruedMinor;
    for (const { from, to, earnedMinor } of lines.slice(frozen.fromLine)) {
      if (on < to) return { from, to, beforeMinor, earnedMinor };
      beforeMinor += earnedMinor;
    }
    return undefined;
  }

  // On a due date that is the day's own period, also where the due date moved beyond the period's end or before it.
  function nextDuePeriodAt(on: string): Line | undefined {
    return lines.slice(frozen.fromLine).find(({ to, dueOn }) => on <= to || on <= dueOn);
  }

  return { apply, chargePenalties, position };
}

/** The first day after `on` on which more happens than that interest grows. */
function nextWake(lines: readonly Line[], terms: LoanTerms, on: string, accruing: AccruingPeriod | undefined) {
  let first = accruing === undefined ? undefined : dateOfEpochDay(epochDayOf(accruing.to) + 1);
  const note = (day: string): void => {
    if (day > on && (first === undefined || day < first)) first = day;
  };
  const isPenalising = hasPenalty(terms);
  const late = terms.penalty.graceDays + 1;
  const latestPenalised = isPenalising ? dateOfEpochDay(epochDayOf(on) - late) : "";
  let nextLate: string | undefined;
  for (const line of lines) {
    const { dueOn } = line;
    if (line.charged.FEE > 0n) note(dueOn);
    // What happens to the loan settles it anew, so that an instalment which is paid now has no penalty to wake for.
    if (!isPenalising || line.isPenalised || dueOn <= latestPenalised) continue;
    if ((nextLate === undefined || dueOn < nextLate) && dueOfLine(line) > 0n) nextLate = dueOn;
  }
  if (nextLate !== undefined) note(dateOfEpochDay(epochDayOf(nextLate) + late));
  return first;
}

function hasPenalty({ penalty }: LoanTerms): boolean {
  return penalty.flatMinor > 0n || Number(penalty.percent) > 0;
}

function lineOf({ number, from, to, dueOn, principalMinor, interestMinor, feeMinor, earnedMinor }: Instalment): Line {
  const charged: PartAmounts = { PENALTY: 0n, FEE: feeMinor, INTEREST: interestMinor, PRINCIPAL: principalMinor };
  return {
    number,
    from,
    to,
    dueOn,
    earnedMinor,
    charged,
    paid: noAmounts(),
    writtenOff: noAmounts(),
    isPenalised: false,
  };
}

function extraLine(number: number, on: string, principalMinor: bigint): Line {
  return lineOf({
    number,
    from: on,
    to: on,
    dueOn: on,
    principalMinor,
    interestMinor: 0n,
    earnedMinor: 0n,
    feeMinor: 0n,
    balanceMinor: 0n,
  });
}
