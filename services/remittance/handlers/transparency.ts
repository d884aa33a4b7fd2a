import type { RemittanceServiceDefinition } from "../../../proto/gen/remittance/v1/remittance.js";
import type { Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { idFromWire } from "../../kernel/text/wire-text.js";
import { timesAmended } from "../domain/amendment.js";
import { payoutOf } from "../domain/payout.js";
import type { Transaction } from "../domain/transaction.js";
import { keptFacts } from "../domain/transparency.js";
import { factsToWire } from "../wire/compliance.js";
import { transparencyToWire, type PartnerAnswer } from "../wire/transparency.js";
import type { RemittanceDeps } from "./deps.js";
import { findByIdOrCode } from "./find-transaction.js";

const mostTold = 100;

/** What was asked of a transaction, and what its partner was told. */
export function transparencyHandlers({ store, connector, log, clock, transparencyFacts }: RemittanceDeps) {
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

    async tellTransparency(request, call) {
      const { policyVersion } = request;
      const ids = request.transactionIds.map((id, index) => idFromWire(id, `transactionIds[${index}]`));
      if (ids.length === 0 || ids.length > mostTold) throw invalidInput("transactionIds", `must be 1 to ${mostTold}`);
      if (policyVersion < 1) throw invalidInput("policyVersion", "must be at least 1");
      const tenant = store.forTenant(call.tenantId);
      const told = [];
      for (const transaction of await tenant.listTransactions({ ids })) {
        call.signal.throwIfAborted();
        const span = timesAmended(transaction) > 0 ? "AROUND" : "BEFORE";
        const facts = await transparencyFacts(transaction, call, { span, atLeast: policyVersion });
        const transparency = keptFacts(facts);
        // Whoever changes it meanwhile may have linked others: its claim tells anew then.
        if (transparency !== undefined && isWaiting(transaction)) {
          await tenant.change(transaction, { set: { transparency } }, { at: clock.now(), actor: "compliance" });
        }
        told.push({ transactionId: transaction.transactionId, facts: factsToWire(facts) });
      }
      return { told };
    },
  } satisfies Partial<Handlers<RemittanceServiceDefinition>>;
}

/** Compliance has decided that it waits. */
const isWaiting = ({ status, compliance }: Transaction): boolean =>
  status === "AWAITING_COMPLIANCE" && compliance !== undefined;

/** No more of it than its name: what a partner says may name people. */
function nameOf(error: unknown): string {
  if (error instanceof Refusal) return error.code;
  return error instanceof Error ? error.name : typeof error;
}
