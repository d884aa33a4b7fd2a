import type { PluginCall } from "../../../proto/gen/identity/v1/plugins.js";
import type { Clock } from "../../shared/clocks/clock.js";
import { openInstalledMessages, type OpenInstalledDeps } from "../../shared/messages/open-installed.js";
import type { Installation } from "../../shared/plugins/installations.js";
import type { IdentityStore } from "../store/index.js";
import { callFromWire, missingForCalls } from "../wire/plugins.js";

type OwnPluginsDeps = Omit<OpenInstalledDeps, "installationsOf" | "identity"> & { store: IdentityStore; clock: Clock };

/** What sends messages, out of identity's own store: it asks itself nothing. */
export function openOwnPlugins({ store, clock, ...deps }: OwnPluginsDeps) {
  async function installationsOf(tenantId: string): Promise<Installation[]> {
    const ofTenant = store.forTenant(tenantId);
    const plugins = await ofTenant.listPlugins({ kinds: ["EMAIL", "SMS"], status: "ENABLED" });
    return plugins.map((plugin) => ({
      installationId: plugin._id,
      type: plugin.type,
      status: plugin.status,
      configuration: JSON.parse(plugin.configurationJson) as Record<string, unknown>,
      missingSecrets: missingForCalls(plugin),
      secrets: ofTenant.openPluginSecrets(plugin),
      routes: plugin.routes,
      revision: plugin.revision,
    }));
  }

  return openInstalledMessages({
    ...deps,
    installationsOf,
    identity: {
      async notePluginCalls({ noted = [] }, { tenantId }) {
        const ofTenant = store.forTenant(tenantId);
        const now = clock.now();
        for (const { installationId = "", calls = [], breaker } of noted) {
          const made = calls.map((call) => callFromWire(call as PluginCall, now));
          await ofTenant.notePluginCalls(installationId, made, breaker === "OPEN", now);
        }
        return {};
      },
    },
  }).messages;
}
