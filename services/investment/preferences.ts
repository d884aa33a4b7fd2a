import { outgoing, type OutgoingContext } from "../shared/grpc/client.js";
import type { Identity } from "./neighbours.js";

const maxTenants = 10_000;

/** What investment goes by of an organisation's preference. */
export interface Preference {
  /** MANAGED or TENANT. */
  agentScope: string;
  /** What sums are shown in. */
  baseCurrency: string;
}

export interface PreferencesDeps {
  identity: Pick<Identity, "getOrganisationPreference">;
  /** How long an answer of identity is used, real time. */
  keepForMs?: number;
}

export type Preferences = ReturnType<typeof createPreferences>;

/** Preferences of tenants, asked of identity and kept shortly. */
export function createPreferences({ identity, keepForMs = 10_000 }: PreferencesDeps) {
  const kept = new Map<string, { preference: Preference; until: number }>();
  return {
    /** Refuses what identity refuses, such as TENANT_NOT_FOUND, and UNAVAILABLE. */
    async of(call: OutgoingContext): Promise<Preference> {
      const known = kept.get(call.tenantId);
      if (known !== undefined && performance.now() < known.until) return known.preference;
      const { tenant } = await identity.getOrganisationPreference({}, outgoing(call));
      const { agentScope, baseCurrency } = tenant?.preference ?? {};
      const preference = { agentScope: agentScope || "MANAGED", baseCurrency: baseCurrency || "USD" };
      if (kept.size >= maxTenants) kept.clear();
      kept.set(call.tenantId, { preference, until: performance.now() + keepForMs });
      return preference;
    },
  };
}
