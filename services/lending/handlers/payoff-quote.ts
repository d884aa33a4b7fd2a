import { v7 as uuidv7 } from "uuid";
import type { LendingServiceDefinition } from "../../../proto/gen/lending/v1/lending.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { checkActive } from "../domain/loan.js";
import type { PayoffQuote } from "../domain/payoff.js";
import { payoffAt } from "../domain/payoff-figure.js";
import type { LendingDeps } from "./deps.js";
import { visibleLoan } from "./loans.js";

/** What pays a loan off today, good for a while as long as nothing else happens to the loan. */
export function payoffQuote(deps: LendingDeps) {
  const { store, businessClock, payoffQuoteS } = deps;
  return {
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
