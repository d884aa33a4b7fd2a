import type { RemittanceServiceDefinition } from "../../../proto/gen/remittance/v1/remittance.js";
import { systemClock } from "../../kernel/time/clock.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { verifyCallback } from "../../platform/partners/callback-signature.js";
import { createCallbackTaking } from "./callback-taking.js";
import type { RemittanceDeps } from "./deps.js";

/** The operator's payout partner calls back. */
export function payoutCallbackHandlers(deps: RemittanceDeps) {
  const takeCallback = createCallbackTaking(deps);
  return {
    async receivePayoutCallback(request, { tenantId }) {
      // Real time: the sandbox's business date moves no signature's life.
      verifyCallback(request, deps.callbackSecretOf(tenantId), systemClock.now());
      await takeCallback(tenantId, { webhookId: request.webhookId, body: request.body, account: tenantId });
      return {};
    },
  } satisfies Partial<Handlers<RemittanceServiceDefinition>>;
}
