import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { Refusal } from "../../kernel/refusal.js";
import { parsePin } from "../domain/factors.js";
import { createFactorChanges } from "./factor-changes.js";
import { viewOfFactors } from "./factor-view.js";
import type { HandlerDeps } from "./deps.js";

export function pinHandlers(deps: HandlerDeps) {
  const { store, hasher } = deps;
  const { caller, assertOwner, changed } = createFactorChanges(deps);

  return {
    async setPin({ password, pin, proof }, call) {
      const chosen = parsePin(pin);
      const user = await caller(call);
      await assertOwner(user, "PIN", { password, proof }, call);
      const hash = await hasher.hash(chosen, call.signal);
      await changed(
        user,
        "PIN_SET",
        call,
        async (session) => {
          if (await store.forTenant(call.tenantId).setPin(user.userId, user.factors?.pin?.hash, hash, session)) return;
          throw new Refusal("STATE_CONFLICT", "the PIN was changed at the same moment");
        },
        (after) => after.factors?.pin?.hash === hash,
      );
      return viewOfFactors(store, call);
    },
  } satisfies Partial<Handlers<IdentityServiceDefinition>>;
}
