import { ExecuteExchangeResponse } from "../../../../proto/gen/wallet/v1/holds.js";
import type { Clock } from "../../../kernel/time/clock.js";
import { Refusal } from "../../../kernel/refusal.js";
import type { WalletStore } from "../../store/index.js";
import { quoteToWire } from "../../wire/exchanges.js";
import { assertPresent, type RulesOf } from "./rules.js";

/** One currency of a customer's into another, at the rate of a quote that is used once. */
export function exchangeRules({ store, clock }: { store: WalletStore; clock: Clock }): RulesOf<"EXCHANGE"> {
  return {
    EXCHANGE: {
      operation: "wallet.v1.ExecuteExchange",
      answer: ({ quote, createdAt }, { firstDebitBalanceMinor, creditBalanceMinor, postedAt }) =>
        ExecuteExchangeResponse.encode({
          quote: quoteToWire(assertPresent(quote), createdAt),
          newFromBalanceMinor: firstDebitBalanceMinor,
          newToBalanceMinor: creditBalanceMinor,
          postedAt,
        }).finish(),
      async onBegin(tenantId, { subjectId = "" }, session) {
        if (await store.forTenant(tenantId).useQuote(subjectId, clock.now(), session)) return;
        throw new Refusal("QUOTE_NOT_OPEN", "the quote was used, or its time is over");
      },
    },
  };
}
