import { v7 as uuidv7 } from "uuid";
import type { LendingServiceDefinition } from "../../../proto/gen/lending/v1/lending.js";
import {
  RecordRecoveryRequest,
  RecordRecoveryResponse,
  WriteOffLoanRequest,
  WriteOffLoanResponse,
} from "../../../proto/gen/lending/v1/servicing.js";
import { amountChangeOf, changeOf } from "../../platform/approvals/approval-changes.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import { partnerAccount } from "../domain/books.js";
import { checkActive, type Loan } from "../domain/loan.js";
import { comparableReference } from "../domain/repayment.js";
import { dateOf, minorOf } from "../wire/parse.js";
import { loanToWire } from "../wire/loans.js";
import { reasonFromWire } from "../../kernel/text/reason.js";
import { createLoanChanges } from "./change-loan.js";
import type { LendingDeps } from "./deps.js";

/** Loans that are given up, which a second person approves, and what still comes in for them. */
export function writeOffHandlers(deps: LendingDeps) {
  const { runOnce, approvals, ceilings, banks } = deps;
  const changes = createLoanChanges(deps);
  return {
    async writeOffLoan(request, call) {
      const { accountId, idempotencyKey } = request;
      const reason = reasonFromWire(request.reason);
      return runOnce({
        call,
        operation: "lending.v1.WriteOffLoan",
        request,
        requestType: WriteOffLoanRequest,
        response: WriteOffLoanResponse,
        async prepare() {
          const loan = await changes.find(accountId, call);
          checkActive(loan);
          const { approvalId } = await approvals.ask(call, {
            idempotencyKey: `write-off:${accountId}:${idempotencyKey}`,
            kind: "WRITE_OFF",
            subject: `loan:${accountId}`,
            summary: `Write off loan ${loan.reference}`,
            amount: { minor: loan.booked[accountId] ?? 0n, currency: loan.currency },
            reason,
            payload: { accountId },
            changes: [
              ...changeOf("status", loan.status, "WRITTEN_OFF"),
              ...amountChangeOf("outstandingBalance", loan.booked[accountId] ?? 0n, 0n, loan.currency),
            ],
            customerId: loan.customerId,
          });
          return { loan: loanToWire(loan, await changes.todayOf(call)), approvalId };
        },
        work: async (_session, requested) => requested,
      });
    },

    async recordRecovery(request, call) {
      const reference = textFromWire(request.reference, "reference");
      return changes.change({
        call,
        rpc: "RecordRecovery",
        request,
        requestType: RecordRecoveryRequest,
        response: RecordRecoveryResponse,
        async apply(loan, today, session) {
          const { currency } = loan;
          if (loan.status !== "WRITTEN_OFF") throw new Refusal("STATE_CONFLICT", "the loan is not written off");
          if (isRecovered(loan, reference)) {
            throw new Refusal("ALREADY_EXISTS", `a recovery with the reference ${reference} is booked already`);
          }
          const amountMinor = minorOf(request.amount, currency, "amount");
          if (amountMinor === 0n) throw new Refusal("AMOUNT_NOT_POSITIVE", "the amount must be above zero");
          await ceilings.check(call, { minor: amountMinor, currency });
          const on = request.receivedOn === "" ? today : dateOf(request.receivedOn, "receivedOn");
          if (on > today) throw invalidInput("receivedOn", "must not be in the future");
          if (on < (loan.closedOn ?? on)) throw invalidInput("receivedOn", "must not be before the write-off");
          const at = await banks.takerOf(call.tenantId, call.interactionId);
          const sourceAccountId = partnerAccount("bank", at, currency);
          const event = { type: "RECOVERY" as const, id: uuidv7(), on, amountMinor, sourceAccountId, reference };
          return changes.record(call, loan, event, "loan_recovery", today, session);
        },
      });
    },
  } satisfies Partial<Handlers<LendingServiceDefinition>>;
}

/**
 * As references are compared elsewhere: by their letters and digits, or as
 * they are where they have none.
 */
function isRecovered({ events }: Loan, reference: string): boolean {
  const comparable = (text: string) => comparableReference(text) || text;
  return events.some((event) => event.type === "RECOVERY" && comparable(event.reference) === comparable(reference));
}
