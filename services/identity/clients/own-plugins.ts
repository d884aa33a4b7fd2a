import type { PluginCall } from "../../../proto/gen/identity/v1/plugins.js";
import type { Clock } from "../../kernel/time/clock.js";
import { preferInstalled, type Notifications } from "../../platform/messages/notifications.js";
import { openInstalledMessages, type OpenInstalledDeps } from "../../platform/messages/open-installed.js";
import { createPinnedExchange } from "../../platform/partners/exchange.js";
import { startCallLog } from "../../platform/plugins/call-log.js";
import { createOpenPartners } from "../../platform/plugins/open-partners.js";
import type { Installation } from "../../platform/plugins/installations.js";
import { wayOfStaff } from "../domain/plugin-former.js";
import type { PluginRecord } from "../domain/plugins.js";
import type { Role } from "../domain/roles.js";
import type { IdentityStore } from "../store/index.js";
import { callFromWire, missingForCalls } from "../wire/plugins.js";

type OwnPluginsDeps = Omit<OpenInstalledDeps, "openPartners" | "notes"> & { store: IdentityStore; clock: Clock };

/**
 * What identity sends, by whom it is for: those of staff go by the way that has counted for a day.
 */
export interface PersonalNotifications {
  /** Whoever has no account yet is a customer. */
  to(person: { role: Role } | undefined): Notifications;
}

/** What sends messages, out of identity's own store: it asks itself nothing. */
export function openOwnPlugins(deps: OwnPluginsDeps, otherwise: Notifications): PersonalNotifications {
  const { clock } = deps;
  const ofCustomers = preferInstalled(
    openFor(deps, (plugin) => plugin),
    otherwise,
  );
  // Opened apart, since a partner as it was and as it is are two servers under one id.
  const ofStaff = preferInstalled(
    openFor(deps, (plugin) => wayOfStaff(plugin, clock.now())),
    otherwise,
  );
  return { to: (person) => (person && person.role !== "CUSTOMER" ? ofStaff : ofCustomers) };
}

function openFor({ store, clock, ...deps }: OwnPluginsDeps, wayOf: (plugin: PluginRecord) => PluginRecord | undefined) {
  async function enabledOf(tenantId: string): Promise<Installation[]> {
    const ofTenant = store.forTenant(tenantId);
    const plugins = await ofTenant.listPlugins({ kinds: ["EMAIL", "SMS"], status: "ENABLED" });
    const ways = plugins.map(wayOf).filter((plugin) => plugin !== undefined);
    return ways.map((plugin) => ({
      installationId: plugin.installationId,
      name: plugin.name,
      type: plugin.type,
      status: plugin.status,
      configuration: JSON.parse(plugin.configurationJson) as Record<string, unknown>,
      missingSecrets: missingForCalls(plugin),
      secrets: ofTenant.openPluginSecrets(plugin),
      routes: plugin.routes,
      revision: plugin.revision,
    }));
  }

  const notes = startCallLog({
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
  });
  deps.onClose(() => notes.stop());
  const exchange = createPinnedExchange(deps);
  deps.onClose(() => exchange.close());
  const installationsOf = () => ({ of: ({ tenantId }: { tenantId: string }) => enabledOf(tenantId) });
  const openPartners = createOpenPartners({ ...deps, exchange, notes, installationsOf });
  return openInstalledMessages({ ...deps, openPartners, notes }).messages;
}
