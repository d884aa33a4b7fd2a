import { PayoutsServiceDefinition } from "../../../proto/gen/sandbox/v1/sandbox.js";
import { alsoServe, type AnyServedService } from "../../shared/grpc/server.js";
import { createSender, type SenderOptions } from "../../shared/partner/sender.js";
import { invalidInput, Refusal } from "../../shared/refusal.js";
import { assertSandbox, createPartnerOutcomes, serveOutcomes } from "../../shared/sandbox-outcomes.js";

const decimal = /^(0|[1-9]\d{0,18})(\.\d{1,4})?$/;

/**
 * What a sandbox's payout partner is told to do. It has a breaker of its own: a partner that hangs
 * can be told to stop.
 */
export function sandboxServices(options: SenderOptions): AnyServedService[] {
  const send = createSender(options);
  return [
    serveOutcomes(createPartnerOutcomes(send, ["PAYOUT"])),
    alsoServe<PayoutsServiceDefinition>({
      definition: PayoutsServiceDefinition,
      access: { returnPayout: { callers: ["gateway"], user: "required", roles: ["MANAGER"] } },
      handlers: {
        async returnPayout({ transactionId, kept }, { tenantId, signal }) {
          assertSandbox(tenantId);
          if (kept !== "" && !decimal.test(kept)) throw invalidInput("kept", "must be a decimal number such as 2.50");
          const path = `/v1/sandbox/payouts/${encodeURIComponent(transactionId)}/return`;
          const { status } = await send("POST", path, { tenantId, signal }, kept === "" ? {} : { kept });
          if (status === 404) throw new Refusal("TRANSACTION_NOT_FOUND", "nothing was paid out for this transaction");
          if (status === 409) throw new Refusal("STATE_CONFLICT", "only what is paid out can come back");
          if (status !== 200) throw new Error(`the partner answered a return with status ${status}`);
          return {};
        },
      },
    }),
  ];
}
