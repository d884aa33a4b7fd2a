import type { AllowedOrigins } from "../../platform/partners/address.js";
import { runChecks } from "../../platform/certification/index.js";
import type { Check } from "../../platform/certification/order-checks.js";
import type { PinnedExchange } from "../../platform/partners/exchange.js";
import type { Installation } from "../../platform/plugins/installations.js";
import { pluginTypeOf } from "../../platform/plugins/types/index.js";
import type { PluginCheck } from "../../platform/plugins/test-runs.js";
import { certificationTargetOf, noTestSystem, testSystemOf } from "../../platform/plugins/test-system.js";
import { contactChecks } from "../decisions/clients/contact-checks.js";
import { identityPartnerChecks } from "../decisions/clients/identity-partner-checks.js";
import { checkPublishedList } from "../lists/clients/list-checks.js";
import type { PublishedLists } from "../lists/clients/published-lists.js";

export interface PartnerChecksDeps {
  published: Pick<PublishedLists, "get">;
  /** Before the checks of a list: it is looked after from now on. */
  watchList(tenantId: string, installationId: string): Promise<void>;
  exchange: Pick<PinnedExchange, "to">;
  allowedOf(tenantId: string): AllowedOrigins;
}

const checksOf: Readonly<Record<string, readonly Check[] | undefined>> = {
  "contact-http": contactChecks,
  "identity-http": identityPartnerChecks,
};

export type PartnerChecks = ReturnType<typeof createPartnerChecks>;

/** Checks of the partners that compliance calls for a tenant. */
export function createPartnerChecks({ exchange, allowedOf, published, watchList }: PartnerChecksDeps) {
  return {
    async of(installation: Installation, tenantId: string): Promise<PluginCheck[]> {
      if (pluginTypeOf(installation.type)?.kind === "SCREENING_LIST") {
        await watchList(tenantId, installation.installationId);
        return checkPublishedList(installation, tenantId, published);
      }
      const checks = checksOf[installation.type];
      if (checks === undefined) throw new Error(`this version knows no plugin ${installation.type}`);
      // Asking about contacts that are nobody's costs nobody anything.
      const at = installation.type === "identity-http" ? testSystemOf(installation, tenantId) : installation;
      if (at === undefined) return [noTestSystem("has people checked")];
      return runChecks(checks, certificationTargetOf(at, tenantId, exchange.to(allowedOf(tenantId))));
    },
  };
}
