import type { Clock } from "../../shared/clocks/clock.js";
import { openInstalledMessages, type OpenInstalledDeps } from "../../shared/messages/open-installed.js";
import type { Installation } from "../../shared/plugins/installations.js";
import type { IdentityStore } from "../store/index.js";
import { callFromWire } from "../wire/plugins.js";

type OwnPluginsDeps = Omit<OpenInstalledDeps, "installationsOf" | "tell"> & { store: IdentityStore; clock: Clock };

/** What sends messages, out of identity's own store: it asks itself nothing. */
export function openOwnPlugins({ store, clock, ...deps }: OwnPluginsDeps) {
  async function installationsOf(tenantId: string): Promise<Installation[]> {
    const ofTenant = store.forTenant(tenantId);
    const plugins = await ofTenant.listPlugins({ kinds: ["EMAIL", "SMS"], status: "ENABLED" });
    return plugins.map((plugin) => ({
      installationId: plugin._id,
      type: plugin.type,
      kind: plugin.kind,
      status: plugin.status,
      configuration: JSON.parse(plugin.configurationJson) as Record<string, unknown>,
      secrets: ofTenant.openPluginSecrets(plugin),
      routes: plugin.routes,
      revision: plugin.revision,
    }));
  }

  return openInstalledMessages({
    ...deps,
    installationsOf,
    async tell(tenantId, noted) {
      const now = clock.now();
      for (const { installationId, calls, breaker } of noted) {
        const made = calls.map((call) => callFromWire(call, now));
        await store.forTenant(tenantId).notePluginCalls(installationId, made, breaker === "OPEN", now);
      }
    },
  }).messages;
}
