import { PluginServiceDefinition } from "../../../proto/gen/identity/v1/plugins.js";
import type { Opened, ServiceConfig } from "../../kernel/startup/start-service.js";
import { createResolve, type Resolve } from "../partners/addresses.js";
import { sandboxOrigins } from "../partners/config.js";
import { createPinnedExchange } from "../partners/exchange.js";
import { startCallLog } from "./call-log.js";
import { createInstallations } from "./installations.js";
import type { PluginKind } from "./kinds.js";
import { createOpenPartners } from "./open-partners.js";

export interface PluginsConfig extends ServiceConfig {
  IDENTITY_ADDRESS: string;
  PLUGIN_SANDBOX_ORIGINS?: string | undefined;
}

export interface OpenPluginsDeps {
  /** In place of the name servers. */
  resolve?: Resolve | undefined;
  /** How long an answer of identity is used, in ms; see createInstallations. */
  identityCacheMs?: number | undefined;
}

export type OpenedPlugins = ReturnType<typeof openPlugins>;

/** What calls tenants' own partners: who they are, how they are reached, what is noted of it. */
export function openPlugins(
  { config, connect, started, onClose }: Pick<Opened<PluginsConfig>, "config" | "connect" | "started" | "onClose">,
  { resolve = createResolve(), identityCacheMs: keepForMs }: OpenPluginsDeps,
) {
  const plugins = connect(PluginServiceDefinition, "identity", config.IDENTITY_ADDRESS);
  const exchange = createPinnedExchange({ resolve });
  onClose(() => exchange.close());
  const called = {
    exchange,
    allowedOf: sandboxOrigins(config.PLUGIN_SANDBOX_ORIGINS),
    notes: started(startCallLog({ identity: plugins })),
    installationsOf: (...kinds: PluginKind[]) => createInstallations({ identity: plugins, kinds, keepForMs }),
  };
  return { plugins, resolve, ...called, openPartners: createOpenPartners(called) };
}
