import {
  SellTransactionRequest,
  SellTransactionResponse,
  type CounterServiceDefinition,
} from "../../../proto/gen/wallet/v1/counter.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { formatMoney, parseMoney } from "../../kernel/money.js";
import { deadlineOf, runSaga } from "../../kernel/sagas/index.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import { checkPositive } from "../domain/payment.js";
import { sellTransactionOperation } from "../sagas/payment-identity.js";
import { ownTill } from "./cash.js";
import type { WalletDeps } from "./deps.js";
import { assertSells } from "./managed-customers.js";
import { createSelling } from "./selling.js";

/** Transactions that are sold for cash at a till. */
export function counterSaleHandlers(deps: WalletDeps) {
  const { idempotency, sagas, payments, store } = deps;
  const sell = createSelling(deps);
  return {
    /**
     * In this order: role, till, input, replay by key, the till's state, the transaction, what was
     * received, the sender's status, then the saga of a payment, whose refusals are remittance's. A
     * transaction that a colleague made is sold as one's own.
     */
    async sellTransaction(given, call) {
      await assertSells(deps, call);
      const till = await ownTill(store, given.tillId, call);
      const transactionId = textFromWire(given.transactionId, "transactionId");
      const received = parseMoney(given.received, till.currency, "received");
      checkPositive(received);
      // So that 110 and 110.00 are one request.
      const request = { ...given, received: formatMoney(received) };
      return runSaga<SellTransactionRequest, SellTransactionResponse>({
        idempotency,
        sagas,
        operation: sellTransactionOperation,
        request,
        requestType: SellTransactionRequest,
        response: SellTransactionResponse,
        call,
        start: (ticket) => sell({ till, transactionId, received: request.received }, call, ticket),
        resume: (paymentId) => payments.driveById(call.tenantId, paymentId, deadlineOf(call)),
      });
    },
  } satisfies Partial<Handlers<CounterServiceDefinition>>;
}
