import type { PayoutsServiceDefinition } from "../../../proto/gen/sandbox/v1/sandbox.js";
import type { Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { createSender, type Sender, type SenderOptions } from "../../platform/partners/sender.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { assertSandbox } from "../../platform/sandbox/sandbox-outcomes.js";
import type { RemittanceStore } from "../store/index.js";
import { maxReasonLength } from "../../kernel/text/reason.js";

const decimal = /^(0|[1-9]\d{0,18})(\.\d{1,4})?$/;

interface SandboxPayoutDeps {
  store: RemittanceStore;
  partner: SenderOptions;
  installed: { of(tenantId: string, installationId: string): Promise<{ tell: Sender }> };
}

/**
 * Tells the partner what becomes of a sandbox's payouts that it has. It has a breaker of its own: a
 * partner that hangs can be told to stop.
 */
export function sandboxPayoutHandlers({ store, partner, installed }: SandboxPayoutDeps) {
  const toDefault = createSender(partner);

  /** To whom the payout was handed over. */
  async function senderOf(transactionId: string, tenantId: string): Promise<Sender> {
    const transaction = await store.forTenant(tenantId).findTransaction(transactionId);
    const { installationId } = transaction?.payout ?? {};
    return installationId === undefined ? toDefault : (await installed.of(tenantId, installationId)).tell;
  }

  async function tell(transactionId: string, action: string, body: object, call: Call, otherwise: string) {
    const { tenantId, signal } = call;
    const send = await senderOf(transactionId, tenantId);
    const path = `${encodeURIComponent(transactionId)}/${action}`;
    const subject = { operation: action, reference: transactionId };
    const { status } = await send("POST", `/v1/sandbox/payouts/${path}`, { tenantId, signal }, body, subject);
    if (status === 404) throw new Refusal("TRANSACTION_NOT_FOUND", "the partner has no payout of this transaction");
    if (status === 409) throw new Refusal("STATE_CONFLICT", otherwise);
    if (status !== 200) throw new Error(`the partner answered ${path} with status ${status}`);
    return {};
  }

  return {
    async settlePayout({ transactionId, outcome, reason }, call) {
      assertSandbox(call.tenantId);
      if (outcome !== "PAID" && outcome !== "REFUSED") throw invalidInput("outcome", "must be PAID or REFUSED");
      if (reason.length > maxReasonLength) throw invalidInput("reason", `must not be longer than ${maxReasonLength}`);
      const body = { status: outcome, ...(reason !== "" && { reason }) };
      const otherwise = "only what the partner has accepted can be paid or refused";
      return tell(transactionId, "settle", body, call, otherwise);
    },
    async returnPayout({ transactionId, kept }, call) {
      assertSandbox(call.tenantId);
      if (kept !== "" && !decimal.test(kept)) throw invalidInput("kept", "must be a decimal number such as 2.50");
      const body = kept === "" ? {} : { kept };
      return tell(transactionId, "return", body, call, "only what is paid out can come back");
    },
  } satisfies Partial<Handlers<PayoutsServiceDefinition>>;
}
