import {
  CancelTransactionRequest,
  CancelTransactionResponse,
  type RemittanceServiceDefinition,
} from "../../../proto/gen/remittance/v1/remittance.js";
import { crashPoint } from "../../kernel/process/crash-point.js";
import type { Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { idFromWire } from "../../kernel/text/wire-text.js";
import { assertKey } from "../wire/fields.js";
import { cancel } from "../domain/cancellation.js";
import { asSeenBy } from "./as-seen-by.js";
import { createChangeByPerson } from "./change-by-person.js";
import { transactionToWire } from "../wire/transactions.js";
import { reasonFromWire } from "../../kernel/text/reason.js";
import type { RemittanceDeps } from "./deps.js";

/** Where no reason is given; who of the staff it was is the actor. */
const cancelledBy = ({ user }: Pick<Call, "user">) =>
  user?.role === "CUSTOMER" ? "cancelled by the sender" : "cancelled by staff";

/** Cancels a transaction by whoever may act on it; domain/cancellation.ts says until when. */
export function cancellationHandlers(deps: RemittanceDeps) {
  const { runOnce, people, outbox, clock, realClock } = deps;
  const changes = createChangeByPerson(deps);

  return {
    async cancelTransaction(request, call) {
      assertKey(request.idempotencyKey);
      const transactionId = idFromWire(request.transactionId, "transactionId");
      const reason = reasonFromWire(request.reason, "reason", { mayBeEmpty: true });
      await people.assertServesDesk(call);
      await changes.awaitPayment(transactionId, call);
      const response = await runOnce({
        operation: "cancel-transaction",
        request,
        requestType: CancelTransactionRequest,
        response: CancelTransactionResponse,
        secret: true,
        call,
        async work(session) {
          const why = reason === "" ? cancelledBy(call) : reason;
          const after = await changes.write(transactionId, call, session, (before) =>
            cancel(before, why, clock.now(), realClock.now()),
          );
          return { transaction: transactionToWire(asSeenBy(call, after), true) };
        },
      });
      crashPoint("remittance.cancel.asked");
      outbox.wake();
      return response;
    },
  } satisfies Partial<Handlers<RemittanceServiceDefinition>>;
}
