import { PayoffLoanResponse } from "../../../proto/gen/lending/v1/repayment.js";
import { encodeMessage, type WirePartial } from "../../kernel/grpc/definition.js";
import type { StoredAnswer } from "../../kernel/idempotency/index.js";
import type { Payoff } from "../domain/payoff.js";

/** The answer while bank or card have not decided: the loan is as it was. */
export function waitingAnswer(payoff: Payoff): StoredAnswer {
  return answerOf(payoff, {
    remainingBalanceMinor: payoff.amountMinor,
    loanStatus: "ACTIVE",
    payoffDate: payoff.createdAt,
    isSettled: false,
  });
}

/** The answer of a payoff that has ended; undefined while it has not. */
export function endedAnswer(payoff: Payoff): StoredAnswer | undefined {
  if (payoff.status === "PENDING") return undefined;
  if (payoff.failure !== undefined) return { kind: "refusal", ...payoff.failure };
  const { remainingMinor = 0n, loanStatus = "", settledAt } = payoff;
  return answerOf(payoff, {
    remainingBalanceMinor: remainingMinor,
    loanStatus,
    payoffDate: settledAt,
    isSettled: true,
  });
}

function answerOf(payoff: Payoff, figures: WirePartial<PayoffLoanResponse>): StoredAnswer {
  const { payoffId: repaymentId, loanApplicationId, amountMinor, currency, reference: transactionReference } = payoff;
  const payoffAmount = { amountMinor, currency };
  const message = { repaymentId, loanApplicationId, payoffAmount, transactionReference, ...figures };
  return { kind: "response", bytes: encodeMessage(PayoffLoanResponse, message) };
}
