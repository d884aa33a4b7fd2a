import {
  DisburseLoanRequest,
  DisburseLoanResponse,
  type LendingServiceDefinition,
} from "../../../proto/gen/lending/v1/lending.js";
import { requireUser } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { formatMoney, money } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import { requestDisbursement, pastFirstDue } from "../domain/application.js";
import { plainWeek } from "../domain/calendar.js";
import { disbursementFeeOf, offerOf, termsOf } from "../domain/product.js";
import { applicationToWire } from "../wire/loans.js";
import type { LendingDeps } from "./deps.js";
import { productOf } from "../wire/application-answer.js";
import { reasonFromWire } from "../../kernel/text/reason.js";

/** Asks for a disbursement, which a second person approves. */
export function disbursementHandlers({ store, runOnce, people, approvals, businessClock }: LendingDeps) {
  return {
    async disburseLoan(request, call) {
      const { loanApplicationId, idempotencyKey } = request;
      const reason = reasonFromWire(request.reason);
      const tenant = store.forTenant(call.tenantId);

      async function ask() {
        const seen = await tenant.findApplication(loanApplicationId);
        if (seen === undefined) throw new Refusal("NOT_FOUND", "no such loan application");
        await people.assertMaySee(seen.customerId, call);
        const today = (await businessClock.forTenant(call.tenantId)).today().toString();
        const past = pastFirstDue(seen, today);
        if (past !== undefined) throw past;
        const product = await productOf(tenant, seen);
        const { principalMinor } = seen.asked;
        const amount = money(principalMinor, product.currency);
        // What is asked for already is asked for again: identity gives the same approval for the
        // same key.
        const isRequested = seen.disbursement?.status === "WAITING_FOR_APPROVAL";
        const requested = isRequested ? seen : requestDisbursement(seen, requireUser(call).userId);
        const attempt = requested.disbursement?.attempt ?? 1;
        const { approvalId } = await approvals.ask(call, {
          idempotencyKey: `disburse:${loanApplicationId}:${attempt}:${idempotencyKey}`,
          kind: "DISBURSEMENT",
          subject: `loan-application:${loanApplicationId}`,
          summary: `Pay out ${formatMoney(amount)} ${amount.currency}, ${product.name}`,
          amount,
          reason,
          payload: { loanApplicationId, attempt },
          customerId: seen.customerId,
        });
        const terms = termsOf(product, seen.asked, (await tenant.findCalendar()) ?? plainWeek);
        const offer = offerOf(terms, disbursementFeeOf(product, principalMinor));
        return { seen, requested, application: applicationToWire(requested, product, offer), approvalId };
      }

      return runOnce({
        call,
        operation: "lending.v1.DisburseLoan",
        request,
        requestType: DisburseLoanRequest,
        response: DisburseLoanResponse,
        prepare: ask,
        async work(session, { seen, requested, application, approvalId }) {
          // The approval may have been decided already, and carried out.
          const now = await tenant.findApplication(loanApplicationId, session);
          if (requested !== seen && now?.version === seen.version) await tenant.replaceApplication(requested, session);
          return { application, approvalId };
        },
      });
    },
  } satisfies Partial<Handlers<LendingServiceDefinition>>;
}
