import type { Connection } from "mongoose";
import { perTenant } from "../../kernel/mongo/per-tenant.js";
import type { FieldCipher } from "../credentials/sealing.js";
import type { AcrossTenantsStore } from "./across-tenants.js";
import { apiTokenPart } from "./api-tokens.js";
import { approvalPart, approvalWords } from "./approvals.js";
import { auditPart } from "./audit.js";
import { openCollections } from "./collections.js";
import { contactPart } from "./contacts.js";
import { erasurePart } from "./erasure.js";
import { factorResetPart } from "./factor-resets.js";
import { factorPart } from "./factors.js";
import { knownPlacePart } from "./known-places.js";
import { passwordResetPart } from "./password-resets.js";
import { peoplePart } from "./people.js";
import { pluginCallPart } from "./plugin-calls.js";
import { pluginPart } from "./plugins.js";
import { preferencePart } from "./preferences.js";
import { registrationPart } from "./registrations.js";
import { revocationPart } from "./revocations.js";
import { sentCodePart } from "./sent-codes.js";
import { sessionPart } from "./sessions.js";
import { tenantPart } from "./tenants.js";
import { transferPartyPart } from "./transfer-parties.js";

export type { CustomerKey } from "./people-filters.js";

export type IdentityStore = ReturnType<typeof createIdentityStore>;
export type TenantStore = ReturnType<IdentityStore["forTenant"]>;

/** Identity's database. Everything a tenant owns is reached through `forTenant`. */
export function createIdentityStore(db: Connection, across: AcrossTenantsStore, cipher: FieldCipher) {
  const all = openCollections(db);
  const ofTenant = (tenantId: string) => ({
    ...tenantPart(all.tenants.forTenant(tenantId), all.hosts.forTenant(tenantId), across, tenantId),
    ...preferencePart(all.tenants.forTenant(tenantId), all.preferenceChanges.forTenant(tenantId)),
    ...peoplePart(all.users.forTenant(tenantId), cipher, tenantId),
    ...sessionPart(all.sessions.forTenant(tenantId)),
    ...revocationPart(all.revocations.forTenant(tenantId)),
    ...passwordResetPart(all.passwordResets.forTenant(tenantId)),
    ...knownPlacePart(all.knownPlaces.forTenant(tenantId)),
    ...apiTokenPart(all.apiTokens.forTenant(tenantId)),
    ...factorPart(all.users.forTenant(tenantId)),
    ...sentCodePart(all.sentCodes.forTenant(tenantId)),
    ...factorResetPart(all.factorResets.forTenant(tenantId)),
    ...contactPart(all.contactChanges.forTenant(tenantId), cipher, tenantId),
    ...registrationPart(all.registrations.forTenant(tenantId), cipher, tenantId),
    ...approvalPart(all.approvals.forTenant(tenantId), cipher, tenantId),
    ...transferPartyPart(all.transferParties.forTenant(tenantId), cipher, tenantId),
    ...erasurePart(all.erasures.forTenant(tenantId), all.personalAnswers.forTenant(tenantId)),
    ...pluginPart(all.plugins.forTenant(tenantId), all.tenants.forTenant(tenantId), cipher, tenantId),
    ...pluginCallPart({
      calls: all.pluginCalls.forTenant(tenantId),
      minutes: all.pluginMinutes.forTenant(tenantId),
      health: all.pluginHealth.forTenant(tenantId),
    }),
    ...auditPart(all.audit.forTenant(tenantId)),
  });
  const words = approvalWords((tenantId) => all.approvals.forTenant(tenantId));
  return { across, approvalWords: words, forTenant: perTenant(ofTenant) };
}
