import {
  CancelTransactionRequest,
  CancelTransactionResponse,
  type RemittanceServiceDefinition,
} from "../../../proto/gen/remittance/v1/remittance.js";
import { crashPoint } from "../../shared/crash-point.js";
import { actorOf, requireUser } from "../../shared/grpc/context.js";
import { encodeMessage } from "../../shared/grpc/definition.js";
import type { Handlers } from "../../shared/grpc/server.js";
import { fingerprintOf, runIdempotent } from "../../shared/idempotency/index.js";
import { Refusal } from "../../shared/refusal.js";
import { idFromWire, textFromWire } from "../wire/fields.js";
import type { PayoutSteps } from "../sagas/payout-steps.js";
import { cancel } from "../domain/cancellation.js";
import { paymentOver } from "./payment-wait.js";
import { keyFromWire, transactionToWire } from "../wire/transactions.js";
import type { RemittanceDeps } from "./deps.js";

/** Cancels a transaction by whoever may act on it; domain/cancellation.ts says until when. */
export function cancellationHandlers(
  deps: Pick<RemittanceDeps, "db" | "store" | "people" | "idempotency" | "outbox" | "clock" | "realClock"> & {
    steps: PayoutSteps;
  },
): Pick<Handlers<RemittanceServiceDefinition>, "cancelTransaction"> {
  const { db, store, people, idempotency, outbox, clock, realClock, steps } = deps;

  return {
    async cancelTransaction(request, call) {
      const key = keyFromWire(request.idempotencyKey);
      const transactionId = idFromWire(request.transactionId, "transactionId");
      const reason = textFromWire(request.reason, "reason", 200, true);
      const { tenantId, interactionId } = call;
      const caller = requireUser(call).userId;
      const tenant = store.forTenant(tenantId);
      const found = await tenant.findTransaction(transactionId);
      if (found !== undefined) {
        await people.assertMaySee(found, call);
        await paymentOver(tenant, found, call);
      }
      const response = await runIdempotent<CancelTransactionResponse>({
        db,
        idempotency,
        scope: { tenantId, caller, operation: "cancel-transaction", key },
        fingerprint: fingerprintOf(CancelTransactionRequest, request, ["idempotencyKey"]),
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
          const bytes = encodeMessage(CancelTransactionResponse, { transaction: transactionToWire(after, true) });
          return CancelTransactionResponse.decode(bytes);
        },
      });
      crashPoint("remittance.cancel.asked");
      outbox.wake();
      return response;
    },
  };
}
