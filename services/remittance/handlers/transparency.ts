import type { RemittanceServiceDefinition } from "../../../proto/gen/remittance/v1/remittance.js";
import type { Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { Refusal } from "../../kernel/refusal.js";
import { idFromWire } from "../../kernel/text/wire-text.js";
import { payoutOf } from "../domain/payout.js";
import type { Transaction } from "../domain/transaction.js";
import { transparencyToWire, type PartnerAnswer } from "../wire/transparency.js";
import type { RemittanceDeps } from "./deps.js";
import { findByIdOrCode } from "./find-transaction.js";

/** What was asked of a transaction, and what its partner was told. */
export function transparencyHandlers({ store, connector, log }: RemittanceDeps) {
  async function recordedOf(transaction: Transaction, call: Call): Promise<PartnerAnswer> {
    if (transaction.orderParties === undefined) return undefined;
    const { tenantId, signal } = call;
    const { transactionId, price } = transaction;
    const { installationId } = payoutOf(transaction);
    const { currency } = price.receive;
    try {
      const found = await connector.find(transactionId, { tenantId, installationId, currency, signal });
      return found?.recorded ?? {};
    } catch (error) {
      if (signal.aborted) throw error;
      // Whatever it said, what was sent is known all the same. What it said may name people.
      log.warn({ tenantId, transactionId, installationId, fault: nameOf(error) }, "a partner gave no answer");
      return undefined;
    }
  }

  return {
    async getTransparency(request, call) {
      const transactionId = idFromWire(request.transactionId, "transactionId");
      const transaction = await findByIdOrCode(store.forTenant(call.tenantId), transactionId);
      return transparencyToWire(transaction, await recordedOf(transaction, call));
    },
  } satisfies Partial<Handlers<RemittanceServiceDefinition>>;
}

/** No more of it than its name: what a partner says may name people. */
function nameOf(error: unknown): string {
  if (error instanceof Refusal) return error.code;
  return error instanceof Error ? error.name : typeof error;
}
