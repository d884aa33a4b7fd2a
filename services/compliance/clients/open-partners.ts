import { PluginServiceDefinition } from "../../../proto/gen/identity/v1/plugins.js";
import { systemClock } from "../../kernel/time/clock.js";
import { sandboxOrigins } from "../../platform/messages/open-installed.js";
import { createResolve, type Resolve } from "../../platform/partners/addresses.js";
import { createPinnedExchange } from "../../platform/partners/exchange.js";
import { startCallLog } from "../../platform/plugins/call-log.js";
import { createInstallations } from "../../platform/plugins/installations.js";
import { isSandbox } from "../../platform/sandbox/sandbox.js";
import type { Opened } from "../../kernel/startup/start-service.js";
import type { ComplianceConfig } from "../config.js";
import { createListPluginStore } from "../lists/store/list-plugins.js";
import { createPartnersOfKinds, partnerKinds } from "../common/clients/installed-partners.js";
import { createPartnerChecks } from "./partner-checks.js";
import { createPublishedLists } from "../lists/clients/published-lists.js";

/** What calls tenants' own partners, and what is asked of them; closed with the service. */
export function openPartners(
  { config, db, connect, onClose }: Opened<ComplianceConfig>,
  { resolve = createResolve() }: { resolve?: Resolve },
) {
  const plugins = connect(PluginServiceDefinition, "identity", config.IDENTITY_ADDRESS);
  const exchange = createPinnedExchange({ resolve });
  onClose(() => exchange.close());
  const notes = startCallLog({ identity: plugins });
  onClose(() => notes.stop());
  const allowedOf = sandboxOrigins(config.PLUGIN_SANDBOX_ORIGINS, isSandbox);
  const installations = createInstallations({ identity: plugins, kinds: partnerKinds });
  const published = createPublishedLists({ resolve, allowedOf, notes });
  onClose(() => published.close());
  const listPlugins = createListPluginStore(db);
  const watchList = (tenantId: string, installationId: string) =>
    listPlugins.forTenant(tenantId).watch(installationId, systemClock.now());
  return {
    plugins,
    installations,
    published,
    listPlugins,
    partners: createPartnersOfKinds({ installations, exchange, allowedOf, notes }),
    partnerChecks: createPartnerChecks({ exchange, allowedOf, published, watchList }),
  };
}
