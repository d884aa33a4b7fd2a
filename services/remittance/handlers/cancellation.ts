import {
  CancelTransactionRequest,
  CancelTransactionResponse,
  type RemittanceServiceDefinition,
} from "../../../proto/gen/remittance/v1/remittance.js";
import { crashPoint } from "../../shared/crash-point.js";
import { actorOf } from "../../shared/grpc/context.js";
import type { Handlers } from "../../shared/grpc/server.js";
import { Refusal } from "../../shared/refusal.js";
import { idFromWire, trimmedFromWire } from "../../shared/wire-text.js";
import { assertKey } from "../wire/fields.js";
import type { PayoutSteps } from "../sagas/payout-steps.js";
import { cancel } from "../domain/cancellation.js";
import { paymentOver } from "./payment-wait.js";
import { transactionToWire } from "../wire/transactions.js";
import type { RemittanceDeps } from "./deps.js";

/** Cancels a transaction by whoever may act on it; domain/cancellation.ts says until when. */
export function cancellationHandlers(
  deps: Pick<RemittanceDeps, "store" | "people" | "runOnce" | "outbox" | "clock" | "realClock"> & {
    steps: PayoutSteps;
  },
): Pick<Handlers<RemittanceServiceDefinition>, "cancelTransaction"> {
  const { store, people, runOnce, outbox, clock, realClock, steps } = deps;

  return {
    async cancelTransaction(request, call) {
      assertKey(request.idempotencyKey);
      const transactionId = idFromWire(request.transactionId, "transactionId");
      const reason = trimmedFromWire(request.reason, "reason", 200, true);
      const { tenantId, interactionId } = call;
      const tenant = store.forTenant(tenantId);
      const found = await tenant.findTransaction(transactionId);
      if (found !== undefined) {
        await people.assertMaySee(found, call);
        await paymentOver(tenant, found, call);
      }
      const response = await runOnce({
        operation: "cancel-transaction",
        request,
        requestType: CancelTransactionRequest,
        response: CancelTransactionResponse,
        call,
        async work(session) {
          const before = await tenant.findTransaction(transactionId, session);
          if (before === undefined) throw new Refusal("TRANSACTION_NOT_FOUND", "no such transaction");
          await people.assertMayChange(before, call);
          const why = reason === "" ? "cancelled by the sender" : reason;
          const step = cancel(before, why, clock.now(), realClock.now());
          const by = { actor: actorOf(call), interactionId };
          const after = step === undefined ? before : await steps.write(tenantId, before, step, by, session);
          return { transaction: transactionToWire(after, true) };
        },
      });
      crashPoint("remittance.cancel.asked");
      outbox.wake();
      return response;
    },
  };
}
