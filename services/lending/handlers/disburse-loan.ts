import type { LendingServiceDefinition } from "../../../proto/gen/lending/v1/lending.js";
import { requireUser } from "../../shared/grpc/context.js";
import type { Handlers } from "../../shared/grpc/server.js";
import { formatMoney, money } from "../../shared/money.js";
import { Refusal } from "../../shared/refusal.js";
import { askDisbursement } from "../domain/application.js";
import { plainWeek } from "../domain/calendar.js";
import { disbursementFeeOf, offerOf, termsOf } from "../domain/product.js";
import { textOf } from "../parse.js";
import { checkKey } from "../requests.js";
import { applicationToWire } from "../wire.js";
import { productOf } from "./applications.js";
import type { LendingDeps } from "./deps.js";

/** Asks for a disbursement, which a second person approves. */
export function disburseLoan({
  store,
  people,
  approvals,
}: LendingDeps): Pick<Handlers<LendingServiceDefinition>, "disburseLoan"> {
  return {
    async disburseLoan(request, call) {
      const { loanApplicationId, idempotencyKey } = request;
      checkKey(idempotencyKey);
      const reason = textOf(request.reason, "reason", { maximum: 200 });
      const tenant = store.forTenant(call.tenantId);
      const seen = await tenant.findApplication(loanApplicationId);
      if (seen === undefined) throw new Refusal("NOT_FOUND", "no such loan application");
      await people.assertMaySee(seen.customerId, call);
      const { product } = await productOf(tenant, seen);
      const { principalMinor } = seen.asked;
      const amount = money(principalMinor, product.currency);
      // What is asked for with this key already is asked for again: identity gives the same approval.
      const isAsked = seen.disbursement?.status === "WAITING_FOR_APPROVAL";
      const asked = isAsked ? seen : askDisbursement(seen, requireUser(call).userId);
      const approval = await approvals.ask(call, {
        idempotencyKey: `disburse:${loanApplicationId}:${asked.disbursement?.attempt ?? 1}:${idempotencyKey}`,
        kind: "DISBURSEMENT",
        subject: `loan-application:${loanApplicationId}`,
        summary: `Pay out ${formatMoney(amount)} ${amount.currency}, ${product.name}`,
        amount,
        reason,
        payload: { loanApplicationId, attempt: asked.disbursement?.attempt ?? 1 },
        customerId: seen.customerId,
      });
      if (!isAsked) {
        await store.transaction(
          async (session) => {
            const now = await tenant.findApplication(loanApplicationId, session);
            if (now?.version === seen.version) await tenant.replaceApplication(asked, session);
            return true;
          },
          async () => undefined,
        );
      }
      const terms = termsOf(product, seen.asked, (await tenant.findCalendar()) ?? plainWeek);
      const offer = offerOf(terms, disbursementFeeOf(product, principalMinor));
      return { application: applicationToWire(asked, product, offer), approvalId: approval.approvalId };
    },
  };
}
