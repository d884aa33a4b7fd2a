import { systemClock } from "../../kernel/time/clock.js";
import type { Opened } from "../../kernel/startup/start-service.js";
import { createHttpNotifications, preferInstalled, type Notifications } from "../../platform/messages/notifications.js";
import { openInstalledMessages } from "../../platform/messages/open-installed.js";
import { openPlugins, type OpenPluginsDeps } from "../../platform/plugins/open-plugins.js";
import { endpointsOf, type ComplianceConfig } from "../config.js";
import { createPartnersOfKinds, partnerKinds } from "../common/clients/installed-partners.js";
import {
  createHttpContactVerification,
  preferInstalledContacts,
  type ContactVerification,
} from "../decisions/clients/contact-verification.js";
import { createPublishedLists } from "../lists/clients/published-lists.js";
import { createListPluginStore } from "../lists/store/list-plugins.js";
import { createPartnerChecks } from "./partner-checks.js";

export interface CompliancePartnersDeps extends OpenPluginsDeps {
  /**
   * HTTP connectors as the config says, when absent. What a tenant has
   * installed comes first all the same.
   */
  notifications?: Notifications;
  contactVerification?: ContactVerification;
}

/** What calls tenants' own partners, and what is asked of them; closed with the service. */
export function openCompliancePartners(opened: Opened<ComplianceConfig>, deps: CompliancePartnersDeps) {
  const { config, db, log, onClose } = opened;
  const own = openPlugins(opened, deps);
  const { exchange, allowedOf } = own;
  const published = createPublishedLists(own);
  onClose(() => published.close());
  const listPlugins = createListPluginStore(db);
  const watchList = (tenantId: string, installationId: string) =>
    listPlugins.forTenant(tenantId).watch(installationId, systemClock.now());
  const partners = createPartnersOfKinds(own.openPartners);
  return {
    plugins: own.plugins,
    installations: own.installationsOf(...partnerKinds),
    published,
    listPlugins,
    partners,
    partnerChecks: createPartnerChecks({ exchange, allowedOf, published, watchList }),
    notifications: preferInstalled(
      openInstalledMessages({ ...own, log, onClose }).messages,
      deps.notifications ?? createHttpNotifications(endpointsOf(config, "NOTIFICATION")),
    ),
    contactVerification: preferInstalledContacts(
      partners,
      deps.contactVerification ?? createHttpContactVerification(endpointsOf(config, "CONTACT_VERIFICATION")),
    ),
  };
}
