import type { IdentityServiceDefinition, OrganisationPreference } from "../../proto/gen/identity/v1/identity.js";
import type { Call } from "../shared/grpc/context.js";
import { outgoing, type Client } from "../shared/grpc/client.js";

const maxTenants = 10_000;

export type Preference = Pick<OrganisationPreference, "agentScope" | "transactionPasswordRequired"> & {
  /** The organisation's. */
  name: string;
};

export interface PreferencesDeps {
  identity: Pick<Client<IdentityServiceDefinition>, "getOrganisationPreference">;
  /** How long an answer of identity is used, real time. */
  keepForMs?: number;
}

/** Preferences of tenants, asked of identity and kept shortly. */
export function createPreferences({ identity, keepForMs = 10_000 }: PreferencesDeps) {
  const kept = new Map<string, { preference: Preference; until: number }>();
  return {
    /** Refuses what identity refuses, such as TENANT_NOT_FOUND, and UNAVAILABLE. */
    async of(call: Call): Promise<Preference> {
      const known = kept.get(call.tenantId);
      if (known !== undefined && performance.now() < known.until) return known.preference;
      const { tenant } = await identity.getOrganisationPreference({}, outgoing(call));
      const { agentScope = "MANAGED", transactionPasswordRequired = false } = tenant?.preference ?? {};
      const preference = { agentScope, transactionPasswordRequired, name: tenant?.name ?? "" };
      if (kept.size >= maxTenants) kept.clear();
      kept.set(call.tenantId, { preference, until: performance.now() + keepForMs });
      return preference;
    },
  };
}

export type Preferences = ReturnType<typeof createPreferences>;
