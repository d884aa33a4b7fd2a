import type { PluginServiceDefinition, ResolvedPlugin } from "../../../proto/gen/identity/v1/plugins.js";
import { outgoing, type Client, type OutgoingContext } from "../../kernel/grpc/client.js";
import { cachePerTenant } from "../../kernel/caching/cache-per-tenant.js";
import { preferenceCacheMs } from "../preferences/preferences.js";
import type { PluginKind } from "./kinds.js";
import type { PluginRoute } from "./route.js";

/** A partner that a tenant has installed, as whoever calls it knows it. */
export interface Installation {
  installationId: string;
  /** What people call it. */
  name: string;
  type: string;
  status: string;
  configuration: Readonly<Record<string, unknown>>;
  /** By name; never to be logged. */
  secrets: Readonly<Record<string, string>>;
  routes: readonly PluginRoute[];
  /** Names of secrets without which it is neither tested nor called. */
  missingSecrets: readonly string[];
  /** Rises with each change of configuration, secrets or routes. */
  revision: number;
  /** User id of who has set the configuration as it is. */
  configuredBy?: string | undefined;
}

export interface InstallationsDeps {
  identity: Pick<Client<PluginServiceDefinition>, "resolvePlugins">;
  kinds: readonly PluginKind[];
  /** How long an answer of identity is used, real time. Never longer than preferenceCacheMs. */
  keepForMs?: number | undefined;
}

export interface Installations {
  /**
   * All that are ENABLED, PAUSED or REMOVING, the oldest first. Refuses
   * UNAVAILABLE while identity is away.
   */
  of(call: OutgoingContext): Promise<readonly Installation[]>;
  /** One as it is now, of any status but REMOVED; undefined where there is none. */
  find(installationId: string, call: OutgoingContext): Promise<Installation | undefined>;
}

/**
 * What a tenant has installed of some kinds, asked of identity and kept for
 * a second from the question on.
 */
export function createInstallations(deps: InstallationsDeps): Installations {
  const { identity, keepForMs = preferenceCacheMs } = deps;
  const kinds = [...deps.kinds];
  const all = cachePerTenant(async (tenantId, interactionId): Promise<readonly Installation[]> => {
    const { plugins } = await identity.resolvePlugins({ kinds }, outgoing({ tenantId, interactionId }));
    return plugins.map(installationOf);
  }, keepForMs);

  return {
    of: ({ tenantId, interactionId }) => all(tenantId, interactionId),
    async find(installationId, { tenantId, interactionId }) {
      const { plugins } = await identity.resolvePlugins(
        { kinds, installationId },
        outgoing({ tenantId, interactionId }),
      );
      return plugins.map(installationOf)[0];
    },
  };
}

function installationOf({ configurationJson, revision, kind: _kind, ...plugin }: ResolvedPlugin): Installation {
  const configuration = JSON.parse(configurationJson) as Record<string, unknown>;
  return { ...plugin, configuration, revision: Number(revision) };
}
