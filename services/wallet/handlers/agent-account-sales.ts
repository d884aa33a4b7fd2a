import {
  SellFromAccountRequest,
  SellFromAccountResponse,
  type AgentAccountServiceDefinition,
} from "../../../proto/gen/wallet/v1/agent_accounts.js";
import { formatDecimal, parseDecimal } from "../../kernel/decimal.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { deadlineOf, runSaga } from "../../kernel/sagas/index.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import { sellFromAccountOperation } from "../sagas/payment-identity.js";
import type { WalletDeps } from "./deps.js";
import { assertSells } from "./managed-customers.js";
import { createSelling } from "./selling.js";

/** Transactions that an agent sells for cash of their own, out of their account. */
export function agentAccountSaleHandlers(deps: WalletDeps) {
  const { idempotency, sagas, payments } = deps;
  const sell = createSelling(deps);
  return {
    /** As sellTransaction, without a till. */
    async sellFromAccount(given, call) {
      await assertSells(deps, call);
      const transactionId = textFromWire(given.transactionId, "transactionId");
      // So that 110 and 110.0 are one request, whatever the currency is.
      const received = formatDecimal(parseDecimal(given.received, "received"));
      return runSaga<SellFromAccountRequest, SellFromAccountResponse>({
        idempotency,
        sagas,
        operation: sellFromAccountOperation,
        request: { ...given, received },
        requestType: SellFromAccountRequest,
        response: SellFromAccountResponse,
        call,
        start: (ticket) => sell({ transactionId, received }, call, ticket),
        resume: (paymentId) => payments.driveById(call.tenantId, paymentId, deadlineOf(call)),
      });
    },
  } satisfies Partial<Handlers<AgentAccountServiceDefinition>>;
}
