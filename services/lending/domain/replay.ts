import { allocate } from "./allocation.js";
import type { LoanEvent } from "./events.js";
import { chargeInterest, earnedAt } from "./interest.js";
import { dueOf, dueOfAll, extraLine, lineOf, noAmounts, parts, sumOfPart, type Line } from "./line.js";
import { scheduleOf } from "./schedule.js";
import { rescheduledTerms, scheduleTermsOf, type LoanTerms } from "./terms.js";

/** A loan while what happened to it is replayed. Changed in place. */
export interface Replay {
  readonly terms: LoanTerms;
  readonly lines: Line[];
  /** Interest of lines that earn no more, and where those that still do begin. */
  frozen: { accruedMinor: bigint; fromLine: number };
  overpaidMinor: bigint;
  recoveredMinor: bigint;
  chargedBackMinor: bigint;
  isWrittenOff: boolean;
  /** The bank returned its disbursement. */
  isReturned: boolean;
  /** When nothing was left to pay, and whether that was before the last due date. */
  closed?: { readonly on: string; readonly early: boolean };
}

type EventOf<Type extends LoanEvent["type"]> = Extract<LoanEvent, { type: Type }>;

/** The loan before anything happened to it. */
export function startReplay(terms: LoanTerms): Replay {
  return {
    terms,
    lines: scheduleOf(scheduleTermsOf(terms), terms.calendar).map(lineOf),
    frozen: { accruedMinor: 0n, fromLine: 0 },
    overpaidMinor: 0n,
    recoveredMinor: 0n,
    chargedBackMinor: 0n,
    isWrittenOff: false,
    isReturned: false,
  };
}

/** Interest that is earned up to the start of a day. */
export function accruedAt({ lines, frozen }: Replay, on: string): bigint {
  return lines.slice(frozen.fromLine).reduce((sum, line) => sum + earnedAt(line, on), frozen.accruedMinor);
}

/** Applies what happened next. */
export function applyEvent(replay: Replay, event: LoanEvent): void {
  applyByType(replay, event);
  if (dueOfAll(replay.lines) !== 0n) {
    delete replay.closed;
    return;
  }
  const lastDueOn = replay.lines.at(-1)?.dueOn ?? "";
  replay.closed ??= { on: event.on, early: event.on < lastDueOn };
}

function applyByType(replay: Replay, event: LoanEvent): void {
  switch (event.type) {
    case "REPAYMENT":
    case "RECOVERY":
      receive(replay, event.amountMinor);
      break;
    case "CHARGEBACK":
      chargeBack(replay, event);
      break;
    // What was done about a loan that was over by then, as later news of the bank has it, changes
    // nothing but where the money is.
    case "PAYOFF":
      if (isOver(replay)) receive(replay, event.amountMinor);
      else payOff(replay, event);
      break;
    case "WRITE_OFF":
      if (!isOver(replay)) writeOff(replay, event.on);
      break;
    case "RESCHEDULE":
      if (!isOver(replay)) reschedule(replay, event);
      break;
    case "REFUND":
      replay.overpaidMinor -= event.amountMinor;
      break;
    case "DISBURSEMENT_RETURNED":
      undoDisbursement(replay);
      break;
  }
}

/** Nothing is owed any more: it was paid, written off or returned. */
const isOver = ({ lines }: Replay): boolean => dueOfAll(lines) === 0n;

/**
 * Money that came in pays what is owed. Of a loan that was written off it recovers at most what was
 * written off and has not been recovered yet. The rest is the customer's.
 */
function receive(replay: Replay, amountMinor: bigint): void {
  if (!replay.isWrittenOff) return pay(replay, amountMinor);
  const writtenOff = parts.reduce((sum, part) => sum + sumOfPart(replay.lines, "writtenOff", part), 0n);
  const open = writtenOff - replay.recoveredMinor;
  const recovered = smaller(amountMinor, open > 0n ? open : 0n);
  replay.recoveredMinor += recovered;
  replay.overpaidMinor += amountMinor - recovered;
}

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);

function pay(replay: Replay, amountMinor: bigint): void {
  replay.overpaidMinor += allocate(replay.lines, amountMinor, replay.terms.allocationOrder);
}

/**
 * Stops earning and charging from a day on. Gives what had been paid of what is not charged any
 * more.
 */
function stop(replay: Replay, on: string, interestThrough: string): bigint {
  const { lines } = replay;
  const accruedMinor = accruedAt(replay, interestThrough);
  let returned = chargeInterest(lines, accruedMinor);
  replay.frozen = { accruedMinor, fromLine: lines.length };
  for (const line of lines) {
    if (line.dueOn <= on) continue;
    returned += line.paid.FEE;
    line.paid.FEE = 0n;
    line.charged.FEE = 0n;
  }
  return returned;
}

function payOff(replay: Replay, event: EventOf<"PAYOFF">): void {
  const returned = stop(replay, event.on, event.interestThrough);
  const last = replay.lines.findLast((line) => line.dueOn <= event.on) ?? replay.lines[0];
  if (last !== undefined) last.charged.FEE += event.feeMinor;
  pay(replay, event.amountMinor + returned);
}

function writeOff(replay: Replay, on: string): void {
  const returned = stop(replay, on, on);
  if (returned > 0n) pay(replay, returned);
  for (const line of replay.lines) for (const part of parts) line.writtenOff[part] += dueOf(line, part);
  replay.isWrittenOff = true;
}

/**
 * Takes back first what was overpaid; the rest is due again with the next instalment, or at once
 * after the last. Of a loan that was written off it is lost again.
 */
function chargeBack(replay: Replay, { on, amountMinor }: EventOf<"CHARGEBACK">): void {
  const { lines, overpaidMinor, isReturned, isWrittenOff } = replay;
  const ofOverpaid = isReturned ? amountMinor : smaller(amountMinor, overpaidMinor > 0n ? overpaidMinor : 0n);
  replay.overpaidMinor -= ofOverpaid;
  const again = amountMinor - ofOverpaid;
  if (isWrittenOff) {
    replay.recoveredMinor -= again;
    return;
  }
  replay.chargedBackMinor += again;
  if (again === 0n) return;
  const next = lines.find((line) => line.dueOn >= on);
  if (next !== undefined) next.charged.PRINCIPAL += again;
  else lines.push(extraLine(lines.length + 1, on, again));
}

/**
 * Undoes the loan: nothing is owed, earned or charged, and whatever was paid is the customer's
 * again.
 */
function undoDisbursement(replay: Replay): void {
  for (const line of replay.lines) {
    for (const part of parts) {
      replay.overpaidMinor += line.paid[part];
      line.paid[part] = line.charged[part] = line.writtenOff[part] = 0n;
    }
  }
  replay.overpaidMinor += replay.recoveredMinor - replay.chargedBackMinor;
  replay.recoveredMinor = 0n;
  replay.isWrittenOff = false;
  replay.isReturned = true;
  replay.frozen = { accruedMinor: 0n, fromLine: replay.lines.length };
}

/**
 * Closes all instalments as they are; what was due of them is due with the first of the new
 * schedule.
 */
function reschedule(replay: Replay, { on, terms: given }: EventOf<"RESCHEDULE">): void {
  const { lines, terms } = replay;
  const returned = stop(replay, on, on);
  const carried = noAmounts();
  for (const line of lines) {
    for (const part of parts) {
      carried[part] += dueOf(line, part);
      line.charged[part] = line.paid[part] + line.writtenOff[part];
    }
  }
  const begun = lines.length;
  const anew = scheduleOf(rescheduledTerms(terms, given, on, carried.PRINCIPAL), given.calendar);
  for (const instalment of anew) lines.push(lineOf({ ...instalment, number: begun + instalment.number }));
  const first = lines[begun];
  if (first === undefined) throw new Error("a schedule has instalments");
  for (const part of ["PENALTY", "FEE", "INTEREST"] as const) first.charged[part] += carried[part];
  if (returned > 0n) pay(replay, returned);
}
