import { z } from "zod";
import {
  CancelTransactionRequest,
  CancelTransactionResponse,
  type RemittanceServiceDefinition,
} from "../../../proto/gen/remittance/v1/remittance.js";
import { systemClock, type Clock } from "../../shared/clocks/clock.js";
import { crashPoint } from "../../shared/crash-point.js";
import { actorOf, requireUser } from "../../shared/grpc/context.js";
import { encodeMessage } from "../../shared/grpc/definition.js";
import type { Handlers } from "../../shared/grpc/server.js";
import { fingerprintOf, runIdempotent } from "../../shared/idempotency/index.js";
import { invalidInput, Refusal } from "../../shared/refusal.js";
import { verifyCallback } from "../clients/callback-signature.js";
import { idFromWire, textFromWire } from "../wire/names.js";
import type { PayoutSteps } from "../sagas/payout-steps.js";
import { cancel, hint, type Step } from "../domain/payout.js";
import type { Transaction } from "../domain/transaction.js";
import { paymentOver } from "./payment-wait.js";
import { keyFromWire, transactionToWire } from "../wire/transactions.js";
import type { RemittanceDeps } from "./deps.js";

type PayoutRpcs = "cancelTransaction" | "receivePayoutCallback";

export const cancelOperation = "cancel-transaction";

const callbackSchema = z.object({
  account: z.string(),
  payout: z.object({
    reference: z.string().min(1).max(128),
    status: z.enum(["ACCEPTED", "PAID", "REFUSED", "RECALLED", "RETURNED"]),
  }),
});
// Longer than a callback's timestamp is taken for.
const rememberCallbackMs = 24 * 60 * 60_000;

export function payoutHandlers(
  deps: Pick<RemittanceDeps, "db" | "store" | "people" | "idempotency" | "outbox" | "clock" | "realClock"> & {
    steps: PayoutSteps;
    /** Undefined where the tenant has no partner that could call. */
    callbackSecretOf: (tenantId: string) => string | undefined;
  },
): Pick<Handlers<RemittanceServiceDefinition>, PayoutRpcs> {
  const { db, store, people, idempotency, outbox, clock, realClock, steps, callbackSecretOf } = deps;

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
        scope: { tenantId, caller, operation: cancelOperation, key },
        fingerprint: fingerprintOf(CancelTransactionRequest, request, ["idempotencyKey"]),
        response: CancelTransactionResponse,
        call,
        async work(session) {
          const before = await tenant.findTransaction(transactionId, session);
          if (before === undefined) throw new Refusal("TRANSACTION_NOT_FOUND", "no such transaction");
          await people.assertMayChange(before, call);
          const why = reason === "" ? "cancelled by the sender" : reason;
          const step = cancellation(before, why, clock, realClock);
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

    async receivePayoutCallback(request, call) {
      // Real time: the sandbox's business date moves no signature's life.
      verifyCallback(request, callbackSecretOf(call.tenantId), systemClock.now());
      const { account, payout } = callbackFromWire(request.body);
      if (account !== call.tenantId) throw new Refusal("UNAUTHENTICATED", "the callback is for another account");
      const tenant = store.forTenant(call.tenantId);
      const known = await tenant.findTransaction(payout.reference);
      // Most callbacks come when all is known: they cost one read.
      if (known === undefined || hint(known, payout.status, clock.now()) === undefined) return {};
      const expiresAt = new Date(systemClock.now().getTime() + rememberCallbackMs);
      await store.transaction(
        async (session) => {
          if (!(await tenant.takeCallback(request.webhookId, expiresAt, session))) return true;
          const before = await tenant.findTransaction(payout.reference, session);
          const step = before && hint(before, payout.status, clock.now());
          // The callback moves nothing by itself: whoever drives the transaction asks the partner now.
          if (before !== undefined && step !== undefined) {
            await steps.write(call.tenantId, before, step, { actor: "payout partner" }, session);
          }
          return true;
        },
        async () => undefined,
      );
      crashPoint("remittance.payout.hinted");
      outbox.wake();
      return {};
    },
  };
}

/** Whether it may be cancelled goes by the tenant's time; the work that follows is due by real time. */
export function cancellation(before: Transaction, reason: string, clock: Clock, realClock: Clock): Step | undefined {
  const step = cancel(before, reason, clock.now());
  return step === undefined || typeof step.drive === "string" ? step : { ...step, drive: { at: realClock.now() } };
}

/** Refuses INVALID_INPUT for what is signed but cannot be understood. */
function callbackFromWire(body: Uint8Array): z.output<typeof callbackSchema> {
  let content: unknown;
  try {
    content = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw invalidInput("body", "must be JSON");
  }
  const parsed = callbackSchema.safeParse(content);
  if (!parsed.success) throw invalidInput("body", "must be a payout callback");
  return parsed.data;
}
