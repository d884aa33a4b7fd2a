import {
  UpdateTransactionStatusRequest,
  UpdateTransactionStatusResponse,
  type RemittanceServiceDefinition,
} from "../../../proto/gen/remittance/v1/remittance.js";
import { actorOf, requireUser } from "../../shared/grpc/context.js";
import { encodeMessage } from "../../shared/grpc/definition.js";
import type { Handlers } from "../../shared/grpc/server.js";
import { fingerprintOf, runIdempotent } from "../../shared/idempotency/index.js";
import { invalidInput, Refusal } from "../../shared/refusal.js";
import { idFromWire, textFromWire } from "../wire/fields.js";
import { paymentOver } from "./payment-wait.js";
import type { PayoutSteps } from "../sagas/payout-steps.js";
import { cancel } from "../domain/cancellation.js";
import { expireByHand } from "../domain/payment-window.js";
import { keyFromWire, transactionToWire } from "../wire/transactions.js";
import type { RemittanceDeps } from "./deps.js";

/** What staff may do to a transaction's state; all else is decided by payments, partners and refunds. */
const settable = ["CANCELLED", "EXPIRED"] as const;

export function statusHandlers(
  deps: Pick<RemittanceDeps, "db" | "store" | "people" | "idempotency" | "outbox" | "clock" | "realClock"> & {
    steps: PayoutSteps;
  },
): Pick<Handlers<RemittanceServiceDefinition>, "updateTransactionStatus"> {
  const { db, store, people, idempotency, outbox, clock, realClock, steps } = deps;
  return {
    async updateTransactionStatus(request, call) {
      const key = keyFromWire(request.idempotencyKey);
      const transactionId = idFromWire(request.transactionId, "transactionId");
      const status = settable.find((name) => name === request.status);
      if (status === undefined) throw invalidInput("status", `must be one of ${settable.join(", ")}`);
      const reason = textFromWire(request.reason, "reason", 200);
      const { tenantId, interactionId } = call;
      const tenant = store.forTenant(tenantId);
      const found = await tenant.findTransaction(transactionId);
      if (found !== undefined) {
        await people.assertMaySee(found, call);
        await paymentOver(tenant, found, call);
      }
      const response = await runIdempotent<UpdateTransactionStatusResponse>({
        db,
        idempotency,
        scope: { tenantId, caller: requireUser(call).userId, operation: "update-transaction-status", key },
        fingerprint: fingerprintOf(UpdateTransactionStatusRequest, request, ["idempotencyKey"]),
        response: UpdateTransactionStatusResponse,
        call,
        async work(session) {
          const before = await tenant.findTransaction(transactionId, session);
          if (before === undefined) throw new Refusal("TRANSACTION_NOT_FOUND", "no such transaction");
          await people.assertMayChange(before, call);
          const isCancelled = status === "CANCELLED";
          const step = isCancelled
            ? cancel(before, reason, clock.now(), realClock.now())
            : expireByHand(before, reason);
          const by = { actor: actorOf(call), interactionId };
          const after = step === undefined ? before : await steps.write(tenantId, before, step, by, session);
          const answer = { transaction: transactionToWire(after, true) };
          return UpdateTransactionStatusResponse.decode(encodeMessage(UpdateTransactionStatusResponse, answer));
        },
      });
      outbox.wake();
      return response;
    },
  };
}
