import { z } from "zod";
import type { RemittanceServiceDefinition } from "../../../proto/gen/remittance/v1/remittance.js";
import { systemClock } from "../../shared/clocks/clock.js";
import { crashPoint } from "../../shared/crash-point.js";
import type { Handlers } from "../../shared/grpc/server.js";
import { invalidInput, Refusal } from "../../shared/refusal.js";
import { verifyCallback } from "../clients/callback-signature.js";
import { hint } from "../domain/accepted-payout-polling.js";
import type { PayoutSteps } from "../sagas/payout-steps.js";
import type { RemittanceDeps } from "./deps.js";

const callbackSchema = z.object({
  account: z.string(),
  payout: z.object({
    reference: z.string().min(1).max(128),
    status: z.enum(["ACCEPTED", "PAID", "REFUSED", "RECALLED", "RETURNED"]),
  }),
});
// Longer than a callback's timestamp is taken for.
const rememberCallbackMs = 24 * 60 * 60_000;

/** What the payout partner calls back. */
export function payoutCallbackHandlers(
  deps: Pick<RemittanceDeps, "store" | "outbox" | "clock"> & {
    steps: PayoutSteps;
    /** Undefined where the tenant has no partner that could call. */
    callbackSecretOf: (tenantId: string) => string | undefined;
  },
): Pick<Handlers<RemittanceServiceDefinition>, "receivePayoutCallback"> {
  const { store, outbox, clock, steps, callbackSecretOf } = deps;
  return {
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
          // The callback moves nothing by itself: whoever drives the transaction asks the partner
          // now.
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
