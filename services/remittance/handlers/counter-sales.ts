import type { RemittanceServiceDefinition } from "../../../proto/gen/remittance/v1/remittance.js";
import { requireUser } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { moneyToWire } from "../../kernel/money.js";
import { idFromWire } from "../../kernel/text/wire-text.js";
import { fxMarginOf } from "../domain/counted.js";
import { assertPayable } from "../domain/payment-claim.js";
import type { RemittanceDeps } from "./deps.js";
import { findByIdOrCode } from "./find-transaction.js";

/** What a counter asks of a transaction before it takes cash for it. */
export function counterSaleHandlers({ store, people, clock }: RemittanceDeps) {
  return {
    /**
     * Refuses what nobody can pay for as it is, as a claim does, whose word counts. A cashier sells
     * what a colleague made, an agent what their own customers send.
     */
    async findSale(request, call) {
      const idOrCode = idFromWire(request.transactionId, "transactionId");
      const transaction = await findByIdOrCode(store.forTenant(call.tenantId), idOrCode);
      if (requireUser(call).role === "AGENT") await people.assertMayChange(transaction, call);
      assertPayable(transaction, clock.now());
      const { transactionId, transactionCode, sender, price, deliveryMethod: method } = transaction;
      const { originCountry, receivingCountry } = transaction.transferInformation;
      const corridor = `${originCountry}-${receivingCountry}`;
      const { customerId } = sender;
      const parts = { principalMinor: price.principal.minor, feesMinor: price.totalFees.minor };
      const total = moneyToWire(price.total);
      const fxMarginMinor = fxMarginOf(transaction);
      return { transactionId, transactionCode, customerId, total, corridor, method, ...parts, fxMarginMinor };
    },
  } satisfies Partial<Handlers<RemittanceServiceDefinition>>;
}
