import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import { PluginServiceDefinition } from "../../../proto/gen/identity/v1/plugins.js";
import { alsoServe, type Handlers } from "../../kernel/grpc/server.js";
import { pluginAccess } from "../access.js";
import { apiTokenExchangeHandlers } from "./api-token-exchange.js";
import { apiTokenHandlers } from "./api-tokens.js";
import { approvalHandlers } from "./approvals.js";
import { authenticatorHandlers } from "./authenticators.js";
import { createAssertContactOwner } from "./contact-owner.js";
import { contactHandlers } from "./contacts.js";
import { credentialHandlers } from "./credentials.js";
import { customerReadHandlers } from "./customer-reads.js";
import { customerHandlers } from "./customers.js";
import { erasureHandlers } from "./erasure.js";
import type { HandlerDeps } from "./deps.js";
import { createFactorChanges } from "./factor-changes.js";
import { factorResetHandlers } from "./factor-resets.js";
import { factorHandlers } from "./factors.js";
import { keyHandlers } from "./keys.js";
import { createManagedUser } from "./managed-users.js";
import { passwordHandlers } from "./passwords.js";
import { pinHandlers } from "./pins.js";
import { pluginChangeHandlers } from "./plugin-changes.js";
import type { PluginDeps } from "./plugin-deps.js";
import { pluginOwnerHandlers } from "./plugin-owners.js";
import { pluginHandlers } from "./plugins.js";
import { preferenceHandlers } from "./preferences.js";
import { profileHandlers } from "./profiles.js";
import { registrationConfirmationHandlers } from "./registration-confirmation.js";
import { registrationHandlers } from "./registration.js";
import { sentCodeHandlers } from "./sent-codes.js";
import { sessionHandlers } from "./sessions.js";
import { staffHandlers } from "./staff.js";
import { tenantHandlers } from "./tenants.js";
import { userStatusHandlers } from "./user-status.js";

/** Every rpc of identity. */
export function createIdentityHandlers(deps: HandlerDeps): Handlers<IdentityServiceDefinition> {
  const managedUser = createManagedUser(deps.store);
  const assertContactOwner = createAssertContactOwner(deps);
  const factorChanges = createFactorChanges(deps);
  return {
    ...tenantHandlers(deps),
    ...preferenceHandlers(deps),
    ...staffHandlers(deps),
    ...customerHandlers(deps),
    ...customerReadHandlers(deps),
    ...registrationHandlers(deps),
    ...registrationConfirmationHandlers(deps),
    ...profileHandlers({ ...deps, assertContactOwner, managedUser }),
    ...contactHandlers({ ...deps, assertContactOwner }),
    ...userStatusHandlers({ ...deps, managedUser }),
    ...sessionHandlers(deps),
    ...passwordHandlers(deps),
    ...credentialHandlers(deps),
    ...factorHandlers({ ...deps, factorChanges }),
    ...authenticatorHandlers({ ...deps, factorChanges }),
    ...pinHandlers({ ...deps, factorChanges }),
    ...sentCodeHandlers({ ...deps, factorChanges }),
    ...factorResetHandlers({ ...deps, managedUser }),
    ...apiTokenHandlers(deps),
    ...apiTokenExchangeHandlers(deps),
    ...approvalHandlers(deps),
    ...erasureHandlers(deps),
    ...keyHandlers(deps),
  };
}

/** What tenants have installed, for its managers and for the services that call it. */
export const servePlugins = (deps: PluginDeps) =>
  alsoServe<PluginServiceDefinition>({
    definition: PluginServiceDefinition,
    access: pluginAccess,
    handlers: { ...pluginHandlers(deps), ...pluginChangeHandlers(deps), ...pluginOwnerHandlers(deps) },
  });
