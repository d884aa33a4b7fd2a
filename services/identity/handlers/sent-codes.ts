import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { formatMoney } from "../../kernel/money.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { bindingDigest, changeDigest } from "../domain/code-bindings.js";
import { takesCodeBy } from "../domain/step-up.js";
import { acceptedFor } from "../factors/step-up.js";
import { rowKinds } from "../row-kinds.js";
import { bindingFromWire, changeFromWire, channelFromWire } from "../wire/factors.js";
import { createFactorChanges } from "./factor-changes.js";
import { tenantOf } from "./tenant-of.js";
import type { HandlerDeps } from "./deps.js";

/** Codes for one payment or one change, sent to a contact that counts. */
export function sentCodeHandlers(deps: HandlerDeps) {
  const { store, sentCodes } = deps;
  const { caller } = createFactorChanges(deps);

  return {
    async requestPaymentCode({ payment, channel: given }, call) {
      if (payment === undefined) throw invalidInput("payment", "is required");
      const binding = bindingFromWire(payment);
      const channel = channelFromWire(given);
      const { amount, payee } = binding;
      const payload = { amount: `${formatMoney(amount)} ${amount.currency}`, payee };
      const use = { kind: rowKinds.paymentCode, payload };
      return sentCodes.send(await caller(call), { channel, digest: bindingDigest(binding), use }, call);
    },

    async requestChangeCode({ change: kind, channel: given }, call) {
      const change = changeFromWire(kind);
      const channel = channelFromWire(given);
      const user = await caller(call);
      const { preference } = await tenantOf(store, call.tenantId);
      if (!takesCodeBy(channel, acceptedFor(change, user, preference))) {
        throw new Refusal("STATE_CONFLICT", `a code sent by ${channel} is not what this change of yours takes`);
      }
      const use = { kind: rowKinds.changeCode, payload: { change } };
      return sentCodes.send(user, { channel, digest: changeDigest(change, channel), use }, call);
    },
  } satisfies Partial<Handlers<IdentityServiceDefinition>>;
}
