import { complianceAccess } from "./roles/compliance.js";
import { lendingAccess } from "./roles/lending.js";
import { investmentAccess } from "./roles/investment.js";
import { walletAccess } from "./roles/wallet.js";
import { identityAccess } from "./roles/identity.js";
import { remittanceAccess } from "./roles/remittance.js";
import { eventsAccess } from "./roles/events.js";
import { pluginsAccess } from "./roles/plugins.js";
import { platformAccess } from "./roles/platform.js";
import type { AccessRow } from "./roles/access-row.js";

/** By operationId. An operation that is not here fails the test. */
export const accessTable: Readonly<Record<string, AccessRow>> = {
  ...complianceAccess,
  ...lendingAccess,
  ...investmentAccess,
  ...walletAccess,
  ...identityAccess,
  ...remittanceAccess,
  ...eventsAccess,
  ...pluginsAccess,
  ...platformAccess,
};
