import { Loan as WireLoan, LoanApplication } from "../../../proto/gen/lending/v1/loan.js";
import { Repayment as WireRepayment } from "../../../proto/gen/lending/v1/repayment.js";
import { readerOf } from "../../platform/events/shapes/codec.js";
import { Application, Loan as LoanShape } from "../../platform/events/shapes/loan-shape.js";
import { RepaidTransaction } from "../../platform/events/shapes/repayment-shape.js";
import { eventRow } from "../../platform/events/row.js";
import { actorOf, type Call } from "../../kernel/grpc/context.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import type { NewRow } from "../../kernel/outbox/index.js";
import type { Loan, Settled } from "../domain/loan.js";
import type { Repayment } from "../domain/repayment.js";
import { loanToWire, repaymentToWire } from "./loans.js";

/** In whose name a call changes something. */
export function causeOf(call: Call): Cause {
  const { tenantId, interactionId } = call;
  return { tenantId, interactionId, actor: actorOf(call) };
}

const applicationOf = readerOf(Application);
const loanOf = readerOf(LoanShape);
const repaidOf = readerOf(RepaidTransaction);

type Cause = Pick<NewRow, "tenantId" | "interactionId" | "actor">;

// After whatever else the same change of a loan tells: what waited of it was rejected before.
const lastOfChange = 1_000_000;
// Before every change of the loan that comes of it.
const beforeLoan = 0;

/** One subject from the application to the last repayment. */
function subjectOf({ loanApplicationId = "", accountId }: Pick<Loan, "loanApplicationId" | "accountId">): string {
  return loanApplicationId === "" ? accountId : loanApplicationId;
}

/** Tells that an application was approved, as its owner reads it. Once: there is no way back. */
export function approvedRow(cause: Cause, answer: WirePartial<LoanApplication>, at: Date): NewRow {
  const application = LoanApplication.fromPartial(answer as never);
  const { loanApplicationId: subjectId, customerId } = application;
  const data = applicationOf(application);
  return eventRow(cause, { type: "loan.approved", subjectId, version: beforeLoan, at, customerId, data });
}

/** Tells of a loan as it is after a change, as its owner reads it on the change's day. */
export function loanRow(
  cause: Cause,
  type: "loan.disbursed" | "loan.paid_off",
  loan: Loan,
  today: string,
  at: Date,
): NewRow {
  const wire = WireLoan.fromPartial(loanToWire(loan, today, { withSchedule: true }) as never);
  const { paybacks: _paybacks, ...data } = loanOf(wire);
  const { version, customerId } = loan;
  const part = type === "loan.paid_off" ? lastOfChange : 0;
  return eventRow(cause, { type, subjectId: subjectOf(loan), version, part, at, customerId, data });
}

/**
 * Tells of each instalment whose due date has passed unpaid, with the loan as its owner reads it on
 * the day on which that is found.
 */
export function overdueRows(cause: Cause, { loan, newlyOverdue }: Settled, at: Date): NewRow[] {
  if (newlyOverdue.length === 0) return [];
  const numbers = new Set(newlyOverdue.map(({ number }) => number));
  const wire = WireLoan.fromPartial(loanToWire(loan, loan.accrual.through, { withSchedule: true }) as never);
  // A schedule may be long: of the rest nothing is printed.
  const instalments = wire.instalments.filter(({ number }) => numbers.has(number));
  const { paybacks: _paybacks, schedule, ...shown } = loanOf({ ...wire, instalments });
  const { version, customerId } = loan;
  const of = { type: "loan.repayment_overdue", subjectId: subjectOf(loan), version, at, customerId } as const;
  // A loan of which something is overdue is not paid off by the same change.
  return schedule.map((instalment, index) =>
    eventRow(cause, { ...of, part: lastOfChange + index, data: { ...shown, instalment } }),
  );
}

/**
 * Tells how a repayment was decided. `version` is the loan's after it;
 * `part` counts those of one change.
 */
export function repaymentRow(
  cause: Cause,
  repayment: Repayment,
  { version, part = 0, at }: { version: number; part?: number; at: Date },
): NewRow {
  const type = repayment.status === "VERIFIED" ? "loan.repayment_verified" : "loan.repayment_rejected";
  const data = repaidOf(WireRepayment.fromPartial(repaymentToWire(repayment) as never));
  const { customerId } = repayment;
  return eventRow(cause, { type, subjectId: subjectOf(repayment), version, part, at, customerId, data });
}
