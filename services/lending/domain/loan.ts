import { createHash } from "node:crypto";
import type { Movement } from "../../platform/books/movements.js";
import { passing, Refusal } from "../../kernel/refusal.js";
import { dueOf, dueOfLine, parts, type Line } from "./line.js";
import { balancesOf, lendingAccount, movementsBetween, type Balances, type DisbursementLeg } from "./books.js";
import { delinquencyAt, type Delinquency, type Pause } from "./delinquency.js";
import type { LoanEvent } from "./events.js";
import { earnedAt } from "./interest.js";
import { positionAt, type AccruingPeriod, type Position } from "./position.js";
import type { LoanTerms } from "./terms.js";

export type LoanState = "PENDING_DISBURSEMENT" | "ACTIVE" | "PAID_OFF" | "COMPLETED" | "WRITTEN_OFF" | "CANCELLED";

export interface Accrual {
  /** The day up to whose start interest is booked. */
  readonly through: string;
  readonly accruedMinor: bigint;
  /** Absent when nothing accrues any more. */
  readonly period?: AccruingPeriod;
}

export interface Loan {
  /** Also the id of the ledger account of its principal. */
  readonly accountId: string;
  /** Absent where the system before had none. */
  readonly loanApplicationId?: string;
  readonly customerId: string;
  readonly productId: string;
  readonly productVersion: number;
  readonly productName: string;
  readonly currency: string;
  readonly terms: LoanTerms;
  readonly thirdPartyCollection: boolean;
  readonly bucketStarts: readonly number[];
  /** What repayments name at the bank. */
  readonly reference: string;
  readonly apr: string;
  readonly effectiveRate: string;
  readonly status: LoanState;
  readonly disbursedOn?: string;
  readonly closedOn?: string;
  readonly disbursement: readonly DisbursementLeg[];
  readonly events: readonly LoanEvent[];
  readonly pauses: readonly Pause[];
  /** Waits for verification: counts against what may be repaid. */
  readonly pendingMinor: bigint;
  /**
   * The payoff or overpayment refund that has the loan: nothing else is applied until it has ended.
   */
  readonly claimedBy?: string;
  /** What the ledger was asked to show, with interest accrued so far. */
  readonly booked: Balances;
  readonly bookedAccruedMinor: bigint;
  readonly accrual: Accrual;
  readonly wakeOn?: string;
  /** A day could not work it: it is worked apart, by a row of the outbox. */
  readonly setAside?: true;
  /** Which share of the daily work it belongs to. */
  readonly slot: number;
  readonly version: number;
  readonly createdAt: Date;
}

/** Shares that replicas divide a day's accrual into. */
export const accrualSlots = 16;

export function slotOf(accountId: string): number {
  return (createHash("sha256").update(accountId).digest()[0] as number) % accrualSlots;
}

export interface Settled {
  readonly loan: Loan;
  readonly position: Position;
  readonly movements: readonly Movement[];
  /** Instalments whose due date has passed unpaid since the loan was brought up to a day before. */
  readonly newlyOverdue: readonly Line[];
}

/**
 * The loan after what happened to it, brought up to a day, and what the ledger has to be asked for.
 */
export function settle(loan: Loan, today: string): Settled {
  const on = today > loan.accrual.through ? today : loan.accrual.through;
  const position = positionAt(loan.terms, loan.events, on);
  const booked = balancesOf(loan, position);
  const movements = movementsBetween(bookedNow(loan), booked);
  const { closedOn: _closedOn, wakeOn: _wakeOn, setAside: _setAside, ...rest } = loan;
  const { status, closedOn, wakeOn, accruing, interestAccruedMinor } = position;
  return {
    position,
    movements,
    newlyOverdue: status === "ACTIVE" ? overdueBetween(position.lines, loan.accrual.through, on) : [],
    loan: {
      ...rest,
      status,
      ...(closedOn === undefined ? {} : { closedOn }),
      ...(wakeOn === undefined ? {} : { wakeOn }),
      booked,
      bookedAccruedMinor: interestAccruedMinor,
      accrual: {
        through: on,
        accruedMinor: interestAccruedMinor,
        ...(accruing === undefined ? {} : { period: accruing }),
      },
      version: loan.version + 1,
    },
  };
}

// Each due date lies in one such span alone: a loan is brought up to days that rise.
function overdueBetween(lines: readonly Line[], from: string, to: string): Line[] {
  return lines.filter((line) => from <= line.dueOn && line.dueOn < to && dueOfLine(line) > 0n);
}

/** What the ledger shows for a loan: what was booked last, and interest that was accrued since. */
export function bookedNow({ booked, bookedAccruedMinor, accrual, currency }: Loan): Balances {
  const since = accrual.accruedMinor - bookedAccruedMinor;
  if (since === 0n) return booked;
  const [receivable, income] = [
    lendingAccount("interestReceivable", currency),
    lendingAccount("interestIncome", currency),
  ];
  return {
    ...booked,
    [receivable]: (booked[receivable] ?? 0n) + since,
    [income]: (booked[income] ?? 0n) - since,
  };
}

/** Interest accrued up to a day of the same period: all that a day changes on most loans. */
export function accruedOn({ beforeMinor, from, to, earnedMinor }: AccruingPeriod, today: string): bigint {
  return beforeMinor + earnedAt({ from, to, earnedMinor }, today);
}

/** True when a day changes nothing but linear interest. */
export function isPlainDay({ wakeOn, accrual }: Pick<Loan, "wakeOn" | "accrual">, today: string): boolean {
  const isInPeriod = accrual.period === undefined || today <= accrual.period.to;
  return isInPeriod && (wakeOn === undefined || today < wakeOn);
}

/** A loan as it is shown. */
export interface LoanView {
  readonly position: Position;
  readonly nextDueOn?: string;
  readonly nextDueMinor: bigint;
  readonly overdueMinor: bigint;
  readonly delinquency: Delinquency;
  readonly outstanding: Record<(typeof parts)[number], bigint>;
}

/** The figures of a loan as they are booked, with how late it is on a day. */
export function viewOf(loan: Loan, today: string): LoanView {
  const position = positionAt(loan.terms, loan.events, loan.accrual.through);
  const unpaid = position.lines.filter((line) => dueOfLine(line) > 0n);
  const next = unpaid[0];
  const isOver = loan.status !== "ACTIVE";
  const oldest = isOver ? undefined : next?.dueOn;
  const sum = (part: (typeof parts)[number]): bigint =>
    position.lines.reduce((all, line) => all + dueOf(line, part), 0n);
  return {
    position,
    ...(next === undefined || isOver ? {} : { nextDueOn: next.dueOn }),
    nextDueMinor: next === undefined || isOver ? 0n : dueOfLine(next),
    overdueMinor: isOver ? 0n : overdue(unpaid, today),
    delinquency: delinquencyAt(Temporal.PlainDate.from(today), oldest, loan.pauses, loan.bucketStarts),
    outstanding: { PENALTY: sum("PENALTY"), FEE: sum("FEE"), INTEREST: sum("INTEREST"), PRINCIPAL: sum("PRINCIPAL") },
  };
}

function overdue(unpaid: readonly Line[], today: string): bigint {
  return unpaid.filter(({ dueOn }) => dueOn < today).reduce((sum, line) => sum + dueOfLine(line), 0n);
}

/** Refuses LOAN_NOT_FOUND for one that was never paid out, LOAN_CLOSED for one that is over. */
export function checkActive(loan: Loan): void {
  if (loan.status === "PENDING_DISBURSEMENT") throw new Refusal("LOAN_NOT_FOUND", "no active loan of this customer");
  if (loan.status !== "ACTIVE") throw new Refusal("LOAN_CLOSED", "the loan is closed");
}

/** Refuses STATE_CONFLICT while a payoff or an overpayment refund runs. */
export function checkUnclaimed(loan: Loan): void {
  if (loan.claimedBy !== undefined) throw passing("STATE_CONFLICT", "something else is under way on the loan");
}

/** The loan without its claim: what had it has ended. */
export function released(loan: Loan): Loan {
  const { claimedBy: _claim, ...free } = loan;
  return free;
}
