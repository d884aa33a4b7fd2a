import { v7 as uuidv7 } from "uuid";
import type { LendingServiceDefinition } from "../../../proto/gen/lending/v1/lending.js";
import {
  ChargeBackRepaymentRequest,
  ChargeBackRepaymentResponse,
  PauseDelinquencyRequest,
  PauseDelinquencyResponse,
  RecordRecoveryRequest,
  RecordRecoveryResponse,
  RescheduleLoanRequest,
  RescheduleLoanResponse,
  ResumeDelinquencyRequest,
  ResumeDelinquencyResponse,
  WriteOffLoanRequest,
  WriteOffLoanResponse,
} from "../../../proto/gen/lending/v1/servicing.js";
import type { Call } from "../../shared/grpc/context.js";
import type { Handlers } from "../../shared/grpc/server.js";
import { fingerprintOf } from "../../shared/idempotency/index.js";
import { invalidInput, Refusal } from "../../shared/refusal.js";
import { lendingAccount } from "../domain/books.js";
import { plainWeek } from "../domain/calendar.js";
import type { LoanEvent } from "../domain/events.js";
import { checkActive, checkUnclaimed, viewOf, type Loan } from "../domain/loan.js";
import { rescheduledTerms } from "../domain/position.js";
import { checkRepaying } from "../domain/repaying.js";
import { causeOf } from "./origin.js";
import { dateOf, minorOf, percentOf, textOf, wholeOf } from "../wire/parse.js";
import type { MessageType } from "./requests.js";
import type { Session } from "../store/index.js";
import { loanToWire, repaymentToWire } from "../wire/loans.js";
import type { LendingDeps } from "./deps.js";

type Rpcs =
  | "pauseDelinquency"
  | "resumeDelinquency"
  | "chargeBackRepayment"
  | "writeOffLoan"
  | "recordRecovery"
  | "rescheduleLoan";

export function servicingHandlers(deps: LendingDeps): Pick<Handlers<LendingServiceDefinition>, Rpcs> {
  const { store, book, requests, businessClock, approvals, clock } = deps;
  const todayOf = async ({ tenantId }: Call) => (await businessClock.forTenant(tenantId)).today().toString();

  async function loanOf(accountId: string, call: Call, session?: Session): Promise<Loan> {
    const loan = await store.forTenant(call.tenantId).findLoan(accountId, session);
    if (loan === undefined) throw new Refusal("LOAN_NOT_FOUND", "no such loan");
    return loan;
  }

  /** One change of one loan, by key. */
  async function change<R extends { loan?: unknown }>(
    call: Call,
    rpc: string,
    request: { idempotencyKey: string; accountId: string },
    fingerprint: string,
    response: MessageType<R>,
    apply: (loan: Loan, today: string, session: Session) => Promise<Loan>,
  ): Promise<R> {
    return requests.run<string, R>({
      call,
      operation: `lending.v1.${rpc}`,
      key: request.idempotencyKey,
      fingerprint,
      response,
      prepare: () => todayOf(call),
      async work(session, today) {
        const loan = await apply(await loanOf(request.accountId, call, session), today, session);
        return { loan: loanToWire(loan, today, { withSchedule: true }) } as never;
      },
      after: () => book.carryOut(call.tenantId, request.accountId),
    });
  }

  async function happen(
    call: Call,
    loan: Loan,
    event: LoanEvent,
    today: string,
    kind: string,
    session: Session,
  ): Promise<Loan> {
    const cause = causeOf(call, kind, `${kind.replaceAll("_", " ")} ${loan.reference}`);
    return (await book.settle(call.tenantId, { ...loan, events: [...loan.events, event] }, today, cause, session)).loan;
  }

  return {
    async pauseDelinquency(request, call) {
      textOf(request.reason, "reason", { maximum: 200 });
      const given = request.from === "" ? "" : dateOf(request.from, "from");
      const fingerprint = fingerprintOf(PauseDelinquencyRequest, request, ["idempotencyKey"]);
      return change(
        call,
        "PauseDelinquency",
        request,
        fingerprint,
        PauseDelinquencyResponse,
        async (loan, today, session) => {
          checkActive(loan);
          const from = given === "" ? today : given;
          const last = loan.pauses.at(-1);
          if (last !== undefined && last.until === undefined)
            throw new Refusal("STATE_CONFLICT", "the loan is paused already");
          if (from > today) throw invalidInput("from", "must not be in the future");
          if (last?.until !== undefined && from < last.until)
            throw invalidInput("from", "must be after the pause before");
          return book.note(call.tenantId, { ...loan, pauses: [...loan.pauses, { from }] }, session);
        },
      );
    },

    async resumeDelinquency(request, call) {
      const fingerprint = fingerprintOf(ResumeDelinquencyRequest, request, ["idempotencyKey"]);
      return change(
        call,
        "ResumeDelinquency",
        request,
        fingerprint,
        ResumeDelinquencyResponse,
        async (loan, today, session) => {
          const last = loan.pauses.at(-1);
          if (last === undefined || last.until !== undefined)
            throw new Refusal("STATE_CONFLICT", "the loan is not paused");
          const pauses = [...loan.pauses.slice(0, -1), { ...last, until: today }];
          return book.note(call.tenantId, { ...loan, pauses }, session);
        },
      );
    },

    async chargeBackRepayment(request, call) {
      const { repaymentId } = request;
      const reason = textOf(request.reason, "reason", { maximum: 200 });
      const tenant = store.forTenant(call.tenantId);
      return requests.run({
        call,
        operation: "lending.v1.ChargeBackRepayment",
        key: request.idempotencyKey,
        fingerprint: fingerprintOf(ChargeBackRepaymentRequest, request, ["idempotencyKey"]),
        response: ChargeBackRepaymentResponse,
        prepare: () => todayOf(call),
        async work(session, today) {
          const repayment = await tenant.findRepayment(repaymentId, session);
          if (repayment === undefined) throw new Refusal("NOT_FOUND", "no such repayment");
          const isTaken =
            repayment.status === "VERIFIED" || (repayment.status === "PAID" && repayment.method === "CARD");
          if (!isTaken) throw new Refusal("STATE_CONFLICT", `the repayment is ${repayment.status}`);
          const loan = await loanOf(repayment.accountId, call, session);
          checkUnclaimed(loan);
          const { amountMinor, currency, method } = repayment;
          const sourceAccountId = lendingAccount(method === "CARD" ? "card" : "bank", currency);
          const event = {
            type: "CHARGEBACK" as const,
            id: uuidv7(),
            on: today,
            amountMinor,
            repaymentId,
            sourceAccountId,
          };
          const charged = await happen(call, loan, event, today, "loan_chargeback", session);
          const back = { ...repayment, status: "CHARGED_BACK" as const, reason, decidedAt: clock.now() };
          if (!(await tenant.moveRepayment(back, repayment.status, session)))
            throw new Error("a repayment changed inside a snapshot");
          return { repayment: repaymentToWire(back), loan: loanToWire(charged, today, { withSchedule: true }) };
        },
        after: async ({ loan }) => book.carryOut(call.tenantId, loan?.accountId ?? ""),
      });
    },

    async writeOffLoan(request, call) {
      const { accountId, idempotencyKey } = request;
      const reason = textOf(request.reason, "reason", { maximum: 200 });
      return requests.run({
        call,
        operation: "lending.v1.WriteOffLoan",
        key: idempotencyKey,
        fingerprint: fingerprintOf(WriteOffLoanRequest, request, ["idempotencyKey"]),
        response: WriteOffLoanResponse,
        async prepare() {
          const loan = await loanOf(accountId, call);
          checkActive(loan);
          const { approvalId } = await approvals.ask(call, {
            idempotencyKey: `write-off:${accountId}:${idempotencyKey}`,
            kind: "WRITE_OFF",
            subject: `loan:${accountId}`,
            summary: `Write off loan ${loan.reference}`,
            amount: { minor: loan.booked[accountId] ?? 0n, currency: loan.currency },
            reason,
            payload: { accountId },
            customerId: loan.customerId,
          });
          return { loan: loanToWire(loan, await todayOf(call)), approvalId };
        },
        work: async (_session, asked) => asked,
      });
    },

    async recordRecovery(request, call) {
      textOf(request.reference, "reference");
      const fingerprint = fingerprintOf(RecordRecoveryRequest, request, ["idempotencyKey"]);
      return change(
        call,
        "RecordRecovery",
        request,
        fingerprint,
        RecordRecoveryResponse,
        async (loan, today, session) => {
          if (loan.status !== "WRITTEN_OFF") throw new Refusal("STATE_CONFLICT", "the loan is not written off");
          const amountMinor = minorOf(request.amount, loan.currency, "amount");
          if (amountMinor === 0n) throw new Refusal("AMOUNT_NOT_POSITIVE", "the amount must be above zero");
          await deps.ceilings.check(call, { minor: amountMinor, currency: loan.currency });
          const on = request.receivedOn === "" ? today : dateOf(request.receivedOn, "receivedOn");
          if (on > today) throw invalidInput("receivedOn", "must not be in the future");
          if (on < (loan.closedOn ?? on)) throw invalidInput("receivedOn", "must not be before the write-off");
          const sourceAccountId = lendingAccount("bank", loan.currency);
          return happen(
            call,
            loan,
            { type: "RECOVERY", id: uuidv7(), on, amountMinor, sourceAccountId },
            today,
            "loan_recovery",
            session,
          );
        },
      );
    },

    async rescheduleLoan(request, call) {
      textOf(request.reason, "reason", { maximum: 200 });
      const instalments = wholeOf(request.instalments, "instalments", 1, 600);
      const firstDueOn = dateOf(request.firstDueOn, "firstDueOn");
      const given = request.annualRate === "" ? undefined : percentOf(request.annualRate, "annualRate", 1_000);
      const calendar = (await store.forTenant(call.tenantId).findCalendar()) ?? plainWeek;
      const fingerprint = fingerprintOf(RescheduleLoanRequest, request, ["idempotencyKey"]);
      return change(
        call,
        "RescheduleLoan",
        request,
        fingerprint,
        RescheduleLoanResponse,
        async (loan, today, session) => {
          checkActive(loan);
          checkUnclaimed(loan);
          const latest = Temporal.PlainDate.from(today).add({ days: 186 }).toString();
          if (firstDueOn <= today || firstDueOn > latest)
            throw invalidInput("firstDueOn", `must be after ${today} and at most ${latest}`);
          const annualRate = given ?? loan.terms.annualRate;
          const terms = { instalments, firstDueOn, annualRate, calendar };
          const principalMinor = viewOf(loan, today).outstanding.PRINCIPAL;
          if (principalMinor > 0n) checkRepaying(rescheduledTerms(loan.terms, terms, today, principalMinor));
          return happen(
            call,
            loan,
            { type: "RESCHEDULE", id: uuidv7(), on: today, terms },
            today,
            "loan_reschedule",
            session,
          );
        },
      );
    },
  };
}
