import { v7 as uuidv7 } from "uuid";
import type { LendingServiceDefinition } from "../../../proto/gen/lending/v1/lending.js";
import { ChargeBackRepaymentRequest, ChargeBackRepaymentResponse } from "../../../proto/gen/lending/v1/servicing.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { Refusal } from "../../kernel/refusal.js";
import { partnerAccount } from "../domain/books.js";
import { checkUnclaimed } from "../domain/loan.js";
import { loanToWire, repaymentToWire } from "../wire/loans.js";
import { reasonFromWire } from "../../kernel/text/reason.js";
import { createLoanChanges } from "./change-loan.js";
import type { LendingDeps } from "./deps.js";

/** A bank or a card scheme took a repayment back: its amount is owed again. */
export function chargebackHandlers(deps: LendingDeps) {
  const { store, book, runOnce, clock } = deps;
  const changes = createLoanChanges(deps);
  return {
    async chargeBackRepayment(request, call) {
      const { repaymentId } = request;
      const reason = reasonFromWire(request.reason);
      const tenant = store.forTenant(call.tenantId);
      return runOnce({
        call,
        operation: "lending.v1.ChargeBackRepayment",
        request,
        requestType: ChargeBackRepaymentRequest,
        response: ChargeBackRepaymentResponse,
        prepare: () => changes.todayOf(call),
        async work(session, today) {
          const repayment = await tenant.findRepayment(repaymentId, session);
          if (repayment === undefined) throw new Refusal("NOT_FOUND", "no such repayment");
          const { status, amountMinor, currency, method, partner } = repayment;
          const isTaken = status === "VERIFIED" || (status === "PAID" && method === "CARD");
          if (!isTaken) throw new Refusal("STATE_CONFLICT", `the repayment is ${status}`);
          const loan = await changes.find(repayment.accountId, call, session);
          checkUnclaimed(loan);
          const sourceAccountId = partnerAccount(method === "CARD" ? "card" : "bank", partner, currency);
          const event = {
            type: "CHARGEBACK" as const,
            id: uuidv7(),
            on: today,
            amountMinor,
            repaymentId,
            sourceAccountId,
          };
          const charged = await changes.record(call, loan, event, "loan_chargeback", today, session);
          const back = { ...repayment, status: "CHARGED_BACK" as const, reason, decidedAt: clock.now() };
          if (!(await tenant.moveRepayment(back, status, session)))
            throw new Error("a repayment changed inside a snapshot");
          return { repayment: repaymentToWire(back), loan: loanToWire(charged, today, { withSchedule: true }) };
        },
        after: async ({ loan }) => book.carryOut(call.tenantId, loan?.accountId ?? ""),
      });
    },
  } satisfies Partial<Handlers<LendingServiceDefinition>>;
}
