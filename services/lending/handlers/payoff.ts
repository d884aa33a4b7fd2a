import type { LendingServiceDefinition } from "../../../proto/gen/lending/v1/lending.js";
import { PayoffLoanRequest, PayoffLoanResponse } from "../../../proto/gen/lending/v1/repayment.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { deadlineOf, keepingRefusals, runSaga } from "../../kernel/sagas/index.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import { payoffMethods } from "../domain/payoff.js";
import { payoffOperation } from "../sagas/payoff.js";
import { wordOf } from "../wire/parse.js";
import type { LendingDeps } from "./deps.js";
import { createPayoffDrafts } from "./payoff-draft.js";

/**
 * Pays a loan off from the customer's wallet, by card, or by a bank transfer that is waited for.
 */
export function payoffLoan(deps: LendingDeps) {
  const { idempotency, sagas, payoffs } = deps;
  const draft = createPayoffDrafts(deps);
  return {
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
  } satisfies Partial<Handlers<LendingServiceDefinition>>;
}
