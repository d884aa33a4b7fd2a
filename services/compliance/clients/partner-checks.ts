import type { AllowedOrigins } from "../../shared/partner/address.js";
import { runChecks } from "../../shared/partner/certification/index.js";
import type { PinnedExchange } from "../../shared/partner/exchange.js";
import { httpAccessOf } from "../../shared/plugins/http-access.js";
import type { Installation } from "../../shared/plugins/installations.js";
import { pluginTypeOf } from "../../shared/plugins/types/index.js";
import type { PluginCheck } from "../../shared/plugins/test-runs.js";
import { contactChecks } from "./contact-checks.js";

import { checkPublishedList } from "./list-checks.js";
import type { PublishedLists } from "./published-lists.js";

export interface PartnerChecksDeps {
  published: Pick<PublishedLists, "get">;
  /** Before the checks of a list: it is looked after from now on. */
  watchList(tenantId: string, installationId: string): Promise<void>;
  exchange: Pick<PinnedExchange, "to">;
  allowedOf(tenantId: string): AllowedOrigins;
}

export type PartnerChecks = ReturnType<typeof createPartnerChecks>;

/** Checks of the partners that compliance calls for a tenant. */
export function createPartnerChecks({ exchange, allowedOf, published, watchList }: PartnerChecksDeps) {
  return {
    async of(installation: Installation, tenantId: string): Promise<PluginCheck[]> {
      if (pluginTypeOf(installation.type)?.kind === "SCREENING_LIST") {
        await watchList(tenantId, installation.installationId);
        return checkPublishedList(installation, tenantId, published);
      }
      if (installation.type !== "contact-http") throw new Error(`this version knows no plugin ${installation.type}`);
      const { access, timeoutMs } = httpAccessOf(installation);
      return runChecks(contactChecks, {
        url: `${new URL(access.url).origin}${access.pathPrefix ?? ""}`,
        apiKey: access.apiKey,
        account: access.account ?? tenantId,
        timeoutMs,
        exchange: exchange.to(allowedOf(tenantId)),
      });
    },
  };
}
