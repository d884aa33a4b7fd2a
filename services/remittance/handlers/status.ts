import {
  UpdateTransactionStatusRequest,
  UpdateTransactionStatusResponse,
  type RemittanceServiceDefinition,
} from "../../../proto/gen/remittance/v1/remittance.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { invalidInput } from "../../kernel/refusal.js";
import { idFromWire } from "../../kernel/text/wire-text.js";
import { assertKey } from "../wire/fields.js";
import { asSeenBy } from "./as-seen-by.js";
import { createChangeByPerson } from "./change-by-person.js";
import { cancel } from "../domain/cancellation.js";
import { expireByHand } from "../domain/payment-window.js";
import { transactionToWire } from "../wire/transactions.js";
import { reasonFromWire } from "../../kernel/text/reason.js";
import type { RemittanceDeps } from "./deps.js";

/**
 * What staff may do to a transaction's state; all else is decided by payments, partners and
 * refunds.
 */
const settable = ["CANCELLED", "EXPIRED"] as const;

export function statusHandlers(deps: RemittanceDeps) {
  const { runOnce, outbox, clock, realClock } = deps;
  const changes = createChangeByPerson(deps);
  return {
    async updateTransactionStatus(request, call) {
      assertKey(request.idempotencyKey);
      const transactionId = idFromWire(request.transactionId, "transactionId");
      const status = settable.find((name) => name === request.status);
      if (status === undefined) throw invalidInput("status", `must be one of ${settable.join(", ")}`);
      const reason = reasonFromWire(request.reason);
      await changes.awaitPayment(transactionId, call);
      const response = await runOnce({
        operation: "update-transaction-status",
        request,
        requestType: UpdateTransactionStatusRequest,
        response: UpdateTransactionStatusResponse,
        secret: true,
        call,
        async work(session) {
          const after = await changes.write(transactionId, call, session, (before) =>
            status === "CANCELLED"
              ? cancel(before, reason, clock.now(), realClock.now())
              : expireByHand(before, reason),
          );
          return { transaction: transactionToWire(asSeenBy(call, after), true) };
        },
      });
      outbox.wake();
      return response;
    },
  } satisfies Partial<Handlers<RemittanceServiceDefinition>>;
}
