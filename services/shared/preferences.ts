import type { IdentityServiceDefinition, Tenant } from "../../proto/gen/identity/v1/identity.js";
import { outgoing, type Client, type OutgoingContext } from "./grpc/client.js";

const maxTenants = 10_000;

export interface PreferencesDeps<Preference> {
  identity: Pick<Client<IdentityServiceDefinition>, "getOrganisationPreference">;
  /** What the service goes by of it; undefined for a tenant that has set nothing. */
  read: (tenant: Tenant | undefined) => Preference;
  /** How long an answer of identity is used, real time. */
  keepForMs?: number;
}

export interface Preferences<Preference> {
  /** Refuses what identity refuses, such as TENANT_NOT_FOUND, and UNAVAILABLE. */
  of(call: OutgoingContext): Promise<Preference>;
}

/** Preferences of tenants, asked of identity and kept shortly. */
export function createPreferences<Preference>(deps: PreferencesDeps<Preference>): Preferences<Preference> {
  const { identity, read, keepForMs = 10_000 } = deps;
  const kept = new Map<string, { preference: Preference; until: number }>();
  return {
    async of(call) {
      const known = kept.get(call.tenantId);
      if (known !== undefined && performance.now() < known.until) return known.preference;
      const { tenant } = await identity.getOrganisationPreference({}, outgoing(call));
      const preference = read(tenant);
      if (kept.size >= maxTenants) kept.clear();
      kept.set(call.tenantId, { preference, until: performance.now() + keepForMs });
      return preference;
    },
  };
}
