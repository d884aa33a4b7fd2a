import type { PluginRoute, PluginServiceDefinition, ResolvedPlugin } from "../../../proto/gen/identity/v1/plugins.js";
import { outgoing, type Client, type OutgoingContext } from "../grpc/client.js";
import { preferenceKeptForMs } from "../preferences.js";
import { Refusal } from "../refusal.js";
import { pluginKindOf, type PluginKind } from "./kinds.js";

const maxTenants = 10_000;

/** A partner that a tenant has installed, as whoever calls it knows it. */
export interface Installation {
  installationId: string;
  type: string;
  kind: PluginKind;
  /** ENABLED takes new work; PAUSED and REMOVING end what they began. */
  status: string;
  configuration: Readonly<Record<string, unknown>>;
  secrets: Readonly<Record<string, string>>;
  routes: readonly PluginRoute[];
  revision: number;
}

export interface InstallationsDeps {
  plugins: Pick<Client<PluginServiceDefinition>, "resolvePlugins">;
  /** How long an answer of identity is used, real time. Never longer than preferenceKeptForMs. */
  keepForMs?: number;
}

export interface Installations {
  /** ENABLED, PAUSED and REMOVING ones, the oldest first. Refuses UNAVAILABLE. */
  of(call: Pick<OutgoingContext, "tenantId" | "interactionId">): Promise<readonly Installation[]>;
  /** One as it is now, of any status but REMOVED. Refuses NOT_FOUND. */
  one(installationId: string, call: OutgoingContext): Promise<Installation>;
}

/** What tenants have installed of the service's kinds, asked of identity and kept for a second from the question on. */
export function createInstallations({ plugins, keepForMs = preferenceKeptForMs }: InstallationsDeps): Installations {
  const kept = new Map<string, { installed: Promise<readonly Installation[]>; until: number }>();

  // The question is shared by all who come meanwhile, so nobody's signal or deadline ends it.
  async function ask(tenantId: string, interactionId: string): Promise<readonly Installation[]> {
    const answer = await plugins.resolvePlugins({}, outgoing({ tenantId, interactionId }));
    return answer.plugins.flatMap(fromWire);
  }

  return {
    async of({ tenantId, interactionId }) {
      const askedAt = performance.now();
      const known = kept.get(tenantId);
      if (known !== undefined && askedAt < known.until) return known.installed;
      if (kept.size >= maxTenants) kept.clear();
      const entry = { installed: ask(tenantId, interactionId), until: askedAt + keepForMs };
      kept.set(tenantId, entry);
      try {
        return await entry.installed;
      } catch (error) {
        if (kept.get(tenantId) === entry) kept.delete(tenantId);
        throw error;
      }
    },

    async one(installationId, call) {
      const answer = await plugins.resolvePlugins({ installationId }, outgoing(call));
      const [found] = answer.plugins.flatMap(fromWire);
      if (found === undefined) throw new Refusal("NOT_FOUND", "there is no such plugin");
      return found;
    },
  };
}

/** None for a kind of a newer version. */
function fromWire({ configurationJson, revision, ...plugin }: ResolvedPlugin): Installation[] {
  const kind = pluginKindOf(plugin.kind);
  if (kind === undefined) return [];
  const configuration = JSON.parse(configurationJson) as Record<string, unknown>;
  return [{ ...plugin, kind, configuration, revision: Number(revision) }];
}
