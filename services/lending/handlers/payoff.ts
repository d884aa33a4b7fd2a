import { v7 as uuidv7 } from "uuid";
import type { LendingServiceDefinition } from "../../../proto/gen/lending/v1/lending.js";
import { PayoffLoanRequest, PayoffLoanResponse } from "../../../proto/gen/lending/v1/repayment.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { deadlineOf, keepingRefusals, runSaga } from "../../kernel/sagas/index.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import { checkActive } from "../domain/loan.js";
import { payoffMethods, type PayoffQuote } from "../domain/payoff.js";
import { payoffAt } from "../domain/payoff-figure.js";
import { payoffOperation } from "../sagas/payoff.js";
import { wordOf } from "../wire/parse.js";
import type { LendingDeps } from "./deps.js";
import { createPayoffDrafts } from "./payoff-draft.js";
import { visibleLoan } from "./visible.js";

/** Paying a loan off, and what that takes. */
export function payoffHandlers(deps: LendingDeps) {
  const { store, idempotency, sagas, payoffs, businessClock, payoffQuoteS } = deps;
  const draft = createPayoffDrafts(deps);
  return {
    /**
     * Pays a loan off from the customer's wallet, by card, or by a bank transfer that is waited
     * for.
     */
    async payoffLoan(request, call) {
      const method = wordOf(request.paymentMethod, payoffMethods, "paymentMethod");
      textFromWire(request.cardToken, "cardToken", { minimum: 0, maximum: 200 });
      const { tenantId } = call;
      const context = deadlineOf(call);
      return runSaga({
        idempotency,
        sagas,
        call,
        operation: payoffOperation,
        request,
        requestType: PayoffLoanRequest,
        response: PayoffLoanResponse,
        omit: ["transactionPin"],
        start: (ticket) =>
          keepingRefusals(async () => {
            const { payoff, loan } = await draft(request, method, call);
            return { drive: await payoffs.begin(tenantId, payoff, loan, ticket, context) };
          }),
        resume: (payoffId) => payoffs.drive(tenantId, payoffId, context),
      });
    },

    /** What pays a loan off today, good for a while as long as nothing else happens to the loan. */
    async getPayoffQuote({ loanApplicationId }, call) {
      const loan = await visibleLoan(deps, loanApplicationId, call);
      checkActive(loan);
      const time = await businessClock.forTenant(call.tenantId);
      const on = time.today().toString();
      const quote: PayoffQuote = {
        quoteId: uuidv7(),
        accountId: loan.accountId,
        loanApplicationId: loan.loanApplicationId ?? "",
        currency: loan.currency,
        ...payoffAt(loan.terms, loan.events, on),
        on,
        eventCount: loan.events.length,
        validUntil: new Date(time.now().getTime() + payoffQuoteS * 1_000),
      };
      await store.transaction(
        (session) =>
          store
            .forTenant(call.tenantId)
            .insertQuote(quote, session)
            .then(() => true),
        async () => undefined,
      );
      const { amountMinor, currency, ...rest } = quote;
      return { quote: { ...rest, amount: { amountMinor, currency }, businessDate: on } };
    },
  } satisfies Partial<Handlers<LendingServiceDefinition>>;
}
