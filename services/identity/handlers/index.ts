import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import { PluginServiceDefinition } from "../../../proto/gen/identity/v1/plugins.js";
import { MessagesServiceDefinition } from "../../../proto/gen/sandbox/v1/sandbox.js";
import { alsoServe, type Handlers } from "../../kernel/grpc/server.js";
import { messageAccess, pluginAccess } from "../access.js";
import { apiTokenExchangeHandlers } from "./api-token-exchange.js";
import { apiTokenHandlers } from "./api-tokens.js";
import { approvalHandlers } from "./approvals.js";
import { authenticatorHandlers } from "./authenticators.js";
import { contactHandlers } from "./contacts.js";
import { counterRegistrationHandlers } from "./counter-registration.js";
import { credentialHandlers } from "./credentials.js";
import { customerFindHandlers } from "./customer-find.js";
import { customerReadHandlers } from "./customer-reads.js";
import { customerHandlers } from "./customers.js";
import { erasureHandlers } from "./erasure.js";
import type { HandlerDeps } from "./deps.js";
import { factorResetHandlers } from "./factor-resets.js";
import { factorHandlers } from "./factors.js";
import { keyHandlers } from "./keys.js";
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
import { messageHandlers } from "./sandbox-messages.js";
import { sentCodeHandlers } from "./sent-codes.js";
import { sessionHandlers } from "./sessions.js";
import { staffHandlers } from "./staff.js";
import { tenantHandlers } from "./tenants.js";
import { userStatusHandlers } from "./user-status.js";

/** The rpcs of identity. */
export const identityHandlers = (deps: HandlerDeps): Handlers<IdentityServiceDefinition> => ({
  ...tenantHandlers(deps),
  ...preferenceHandlers(deps),
  ...staffHandlers(deps),
  ...customerHandlers(deps),
  ...customerReadHandlers(deps),
  ...customerFindHandlers(deps),
  ...counterRegistrationHandlers(deps),
  ...registrationHandlers(deps),
  ...registrationConfirmationHandlers(deps),
  ...profileHandlers(deps),
  ...contactHandlers(deps),
  ...userStatusHandlers(deps),
  ...sessionHandlers(deps),
  ...passwordHandlers(deps),
  ...credentialHandlers(deps),
  ...factorHandlers(deps),
  ...authenticatorHandlers(deps),
  ...pinHandlers(deps),
  ...sentCodeHandlers(deps),
  ...factorResetHandlers(deps),
  ...apiTokenHandlers(deps),
  ...apiTokenExchangeHandlers(deps),
  ...approvalHandlers(deps),
  ...erasureHandlers(deps),
  ...keyHandlers(deps),
});

/** What tenants have installed, for its managers and for the services that call it. */
export const servePlugins = (deps: PluginDeps) =>
  alsoServe<PluginServiceDefinition>({
    definition: PluginServiceDefinition,
    access: pluginAccess,
    handlers: { ...pluginHandlers(deps), ...pluginChangeHandlers(deps), ...pluginOwnerHandlers(deps) },
  });

/** Messages that were sent in a sandbox. */
export const serveMessages = (deps: Parameters<typeof messageHandlers>[0]) =>
  alsoServe<MessagesServiceDefinition>({
    definition: MessagesServiceDefinition,
    access: messageAccess,
    handlers: { ...messageHandlers(deps) },
  });
