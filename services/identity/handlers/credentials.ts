import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import type { Handlers } from "../../shared/grpc/server.js";
import { Refusal } from "../../shared/refusal.js";
import type { PasswordChecks } from "../password-checks.js";
import type { IdentityStore } from "../store/store.js";

export function credentialHandlers(deps: {
  store: IdentityStore;
  checks: PasswordChecks;
}): Pick<Handlers<IdentityServiceDefinition>, "verifyCredentials"> {
  const { store, checks } = deps;
  return {
    async verifyCredentials({ userId, password }, call) {
      if (call.user?.role === "CUSTOMER" && call.user.userId !== userId) {
        throw new Refusal("FORBIDDEN", "these are another person's credentials");
      }
      const user = await store.forTenant(call.tenantId).findUser(userId);
      if (user === null) throw new Refusal("NOT_FOUND", "there is no such user");
      await checks.assertPassword(user, password, call);
      return {};
    },
  };
}
