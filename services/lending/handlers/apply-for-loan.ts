import { v7 as uuidv7 } from "uuid";
import {
  ApplyForLoanRequest,
  ApplyForLoanResponse,
  type LendingServiceDefinition,
} from "../../../proto/gen/lending/v1/lending.js";
import { outgoing } from "../../kernel/grpc/client.js";
import type { Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { money, moneyToWire } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import { requireCustomer } from "../clients/people.js";
import type { Application } from "../domain/application.js";
import { plainWeek } from "../domain/calendar.js";
import { requestedTerms, disbursementFeeOf, isAffordable, offerOf, type Product } from "../domain/product.js";
import { nextReviewAt } from "../domain/review.js";
import { dateOf, minorOf } from "../wire/parse.js";
import type { LendingDeps } from "./deps.js";
import { approvedRow, causeOf } from "../wire/event-rows.js";
import { applicationAnswer } from "../wire/application-answer.js";

export function applyHandlers(deps: LendingDeps) {
  const { store, runOnce, businessClock, compliance, ceilings, outbox, clock } = deps;

  /** The application as it was asked for. Refuses what the product does not give. */
  async function submittedOf(request: ApplyForLoanRequest, product: Product, customerId: string, call: Call) {
    const { currency } = product;
    const requested = {
      principalMinor: minorOf(request.amount, currency, "amount"),
      instalments: request.instalments,
      startsOn: (await businessClock.forTenant(call.tenantId)).today().toString(),
      ...(request.firstDueOn === "" ? {} : { firstDueOn: dateOf(request.firstDueOn, "firstDueOn") }),
    };
    const incomeMinor = minorOf(request.monthlyIncome, currency, "monthlyIncome", { optional: true });
    const obligationsMinor = minorOf(request.monthlyObligations, currency, "monthlyObligations", { optional: true });
    const purpose = textFromWire(request.purpose, "purpose", { minimum: 0, maximum: 200 });
    await ceilings.check(call, { minor: requested.principalMinor, currency });
    const terms = requestedTerms(
      product,
      requested,
      (await store.forTenant(call.tenantId).findCalendar()) ?? plainWeek,
    );
    const submitted: Application = {
      loanApplicationId: uuidv7(),
      customerId,
      productId: product.productId,
      productVersion: product.version,
      asked: requested,
      purpose,
      incomeMinor,
      obligationsMinor,
      status: "SUBMITTED",
      reasonCode: "",
      reason: "",
      outstandingRequirements: [],
      createdAt: clock.now(),
      version: 1,
    };
    return { submitted, offer: offerOf(terms, disbursementFeeOf(product, requested.principalMinor)) };
  }

  /** What becomes of an application: compliance decides first, then whether it can be afforded. */
  async function assess(request: ApplyForLoanRequest, customerId: string, call: Call): Promise<Application> {
    const product = await store.forTenant(call.tenantId).findProduct(request.productId);
    if (product === undefined) throw new Refusal("LOAN_PRODUCT_NOT_FOUND", "no such loan product");
    const { submitted, offer } = await submittedOf(request, product, customerId, call);
    const { loanApplicationId: actionId, asked: requested } = submitted;
    const amount = moneyToWire(money(requested.principalMinor, product.currency));
    const check = await compliance.checkCustomerAction(
      { actionId, customerId, kind: "LOAN_APPLICATION", amount },
      outgoing(call),
    );
    const decidedAt = clock.now();
    const rejected = { ...submitted, decidedAt, status: "REJECTED" as const };
    if (check.decision === "DECISION_REJECTED") {
      return { ...rejected, reasonCode: "COMPLIANCE", reason: "the application was not approved" };
    }
    if (!isAffordable(product, offer, submitted)) {
      return { ...rejected, reasonCode: "AFFORDABILITY", reason: "the instalments are more than the income allows" };
    }
    const isApproved = check.decision === "DECISION_APPROVED";
    if (isApproved && product.approvedAtOnce) return { ...submitted, decidedAt, status: "APPROVED" };
    const { outstandingRequirements } = check;
    return {
      ...submitted,
      reasonCode: "REVIEW",
      reason: "it is being looked at",
      outstandingRequirements,
      ...(isApproved ? {} : { askAgainAt: nextReviewAt(submitted, decidedAt) }),
    };
  }

  return {
    async applyForLoan(request, call) {
      const customerId = requireCustomer(call);
      const tenant = store.forTenant(call.tenantId);
      return runOnce({
        call,
        operation: "lending.v1.ApplyForLoan",
        request,
        requestType: ApplyForLoanRequest,
        response: ApplyForLoanResponse,
        prepare: () => assess(request, customerId, call),
        async work(session, application) {
          await tenant.insertApplication(application, session);
          const answer = await applicationAnswer(tenant, application);
          if (application.status === "APPROVED") {
            await outbox.add(approvedRow(causeOf(call), answer, clock.now()), session);
          }
          return { application: answer };
        },
      });
    },
  } satisfies Partial<Handlers<LendingServiceDefinition>>;
}
