import type { LedgerServiceDefinition } from "../../../proto/gen/ledger/v1/ledger.js";
import type { Client } from "../../kernel/grpc/client.js";
import type { Clock } from "../../kernel/time/clock.js";
import type { Opened } from "../../kernel/startup/start-service.js";
import { createPartnerNames } from "../../platform/plugins/partner-accounts.js";
import { openPlugins, type OpenPluginsDeps } from "../../platform/plugins/open-plugins.js";
import type { BusinessClock } from "../../platform/preferences/business-clock.js";
import { partnerOf, type RemittanceConfig } from "../config.js";
import type { RemittanceStore } from "../store/index.js";
import { createFileBanks } from "./bank-files/index.js";
import { createHttpConnector } from "./http-connector.js";
import { createLedgerAccounts } from "./ledger-accounts.js";
import { connectorByPartner, createInstalledConnectors } from "./installed-connectors.js";
import type { PayoutConnector } from "./payout-connector.js";
import type { PartiesOf } from "./originators.js";
import { createPayeePartners } from "./payee-partners.js";
import { createPayoutPartners } from "./payout-partners.js";
import { createRateSources } from "./rate-sources.js";

export interface OpenPayoutPartnersDeps extends OpenPluginsDeps {
  /** In place of the operator's partner's HTTP API. */
  connector?: PayoutConnector;
  /** Whether the operator's partner serves a tenant, in place of what the config says. */
  hasDefault?: (tenantId: string) => boolean;
  /** How long a bank's file has not been written to before it is taken for whole, ms. */
  fileRestMs?: number;
}

interface OpenedParts {
  store: RemittanceStore;
  clock: Clock;
  times: BusinessClock;
  ledger: Pick<Client<LedgerServiceDefinition>, "createAccounts">;
  partiesOf: PartiesOf;
}

/** Who pays out and says rates: tenants' own partners, and the operator's for the others. */
export function openPayoutPartners(
  opened: Opened<RemittanceConfig>,
  deps: OpenPayoutPartnersDeps,
  { store, clock, times, ledger, partiesOf }: OpenedParts,
) {
  const { config, log } = opened;
  const operator = partnerOf(config);
  const { callbackBaseUrl } = operator;
  const own = openPlugins(opened, deps);
  const { plugins, notes, openPartners, exchange, allowedOf } = own;
  const timeZoneOf = async (tenantId: string) => (await times.forTenant(tenantId)).timeZone;
  const files = { root: config.PLUGIN_FILES_DIR, restMs: deps.fileRestMs };
  const fileBanks = createFileBanks({ ...files, store, clock, timeZoneOf, log, notes });
  const installed = createInstalledConnectors({ openPartners, fileBanks });
  const hasDefault = deps.hasDefault ?? ((tenantId: string) => operator.accessOf(tenantId) !== undefined);
  const contractOf = (tenantId: string) => operator.accessOf(tenantId)?.contract ?? 1;
  return {
    plugins,
    installations: own.installationsOf("PAYOUT", "FX_RATES", "PAYEE_CHECK"),
    exchange,
    allowedOf,
    fileBanks,
    callbackBaseUrl,
    installed,
    hasDefault,
    accounts: createLedgerAccounts(ledger, createPartnerNames(installed.installations)),
    connector: connectorByPartner(deps.connector ?? createHttpConnector({ ...operator, contractOf }), installed),
    partners: createPayoutPartners({
      installed,
      hasDefault,
      partiesOf,
      defaultContract: contractOf,
      callbackUrlOf: callbackUrlsBelow(callbackBaseUrl),
    }),
    sources: createRateSources(own),
    payeePartners: createPayeePartners(openPartners),
  };
}

/** Where the operator's partner calls back, or a tenant's own; an empty address asks for none. */
function callbackUrlsBelow(baseUrl: string) {
  return (tenantId: string, installationId?: string): string | undefined => {
    if (baseUrl === "") return undefined;
    return `${baseUrl}/callbacks/${installationId === undefined ? `payouts/${tenantId}` : `plugins/${installationId}`}`;
  };
}
