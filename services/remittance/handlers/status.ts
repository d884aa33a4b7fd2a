import {
  UpdateTransactionStatusRequest,
  UpdateTransactionStatusResponse,
  type RemittanceServiceDefinition,
} from "../../../proto/gen/remittance/v1/remittance.js";
import { actorOf } from "../../shared/grpc/context.js";
import type { Handlers } from "../../shared/grpc/server.js";
import { invalidInput, Refusal } from "../../shared/refusal.js";
import { idFromWire, trimmedFromWire } from "../../shared/wire-text.js";
import { assertKey } from "../wire/fields.js";
import { paymentOver } from "./payment-wait.js";
import type { PayoutSteps } from "../sagas/payout-steps.js";
import { cancel } from "../domain/cancellation.js";
import { expireByHand } from "../domain/payment-window.js";
import { transactionToWire } from "../wire/transactions.js";
import type { RemittanceDeps } from "./deps.js";

/**
 * What staff may do to a transaction's state; all else is decided by payments, partners and
 * refunds.
 */
const settable = ["CANCELLED", "EXPIRED"] as const;

export function statusHandlers(
  deps: Pick<RemittanceDeps, "store" | "people" | "runOnce" | "outbox" | "clock" | "realClock"> & {
    steps: PayoutSteps;
  },
): Pick<Handlers<RemittanceServiceDefinition>, "updateTransactionStatus"> {
  const { store, people, runOnce, outbox, clock, realClock, steps } = deps;
  return {
    async updateTransactionStatus(request, call) {
      assertKey(request.idempotencyKey);
      const transactionId = idFromWire(request.transactionId, "transactionId");
      const status = settable.find((name) => name === request.status);
      if (status === undefined) throw invalidInput("status", `must be one of ${settable.join(", ")}`);
      const reason = trimmedFromWire(request.reason, "reason", 200);
      const { tenantId, interactionId } = call;
      const tenant = store.forTenant(tenantId);
      const found = await tenant.findTransaction(transactionId);
      if (found !== undefined) {
        await people.assertMaySee(found, call);
        await paymentOver(tenant, found, call);
      }
      const response = await runOnce({
        operation: "update-transaction-status",
        request,
        requestType: UpdateTransactionStatusRequest,
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
          return { transaction: transactionToWire(after, true) };
        },
      });
      outbox.wake();
      return response;
    },
  };
}
