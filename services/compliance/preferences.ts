import type { IdentityServiceDefinition } from "../../proto/gen/identity/v1/identity.js";
import { outgoing, type Client, type OutgoingContext } from "../shared/grpc/client.js";

const maxTenants = 10_000;

/** What compliance goes by of an organisation's preference. */
export interface Preference {
  /** IANA name; UTC where the tenant has named none. */
  timeZone: string;
  /** MANAGED or TENANT. */
  agentScope: string;
  /** The agent configuration: contacts that the platform does not verify itself. */
  doNotForwardEmail: boolean;
  doNotForwardPhone: boolean;
  name: string;
  /** The first of the tenant's hosts, for links. */
  host: string;
  /** Its partners are the sandbox's. */
  isSandbox: boolean;
}

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
    async of(call: OutgoingContext): Promise<Preference> {
      const known = kept.get(call.tenantId);
      if (known !== undefined && performance.now() < known.until) return known.preference;
      const { tenant } = await identity.getOrganisationPreference({}, outgoing(call));
      const { timeZone, agentScope, doNotForwardEmailVerification, doNotForwardPhoneVerification } =
        tenant?.preference ?? {};
      const preference: Preference = {
        timeZone: timeZone || "UTC",
        agentScope: agentScope || "MANAGED",
        doNotForwardEmail: doNotForwardEmailVerification ?? false,
        doNotForwardPhone: doNotForwardPhoneVerification ?? false,
        name: tenant?.name ?? "",
        host: tenant?.hosts[0] ?? "",
        isSandbox: (tenant?.sandboxOf ?? "") !== "",
      };
      if (kept.size >= maxTenants) kept.clear();
      kept.set(call.tenantId, { preference, until: performance.now() + keepForMs });
      return preference;
    },
  };
}

export type Preferences = ReturnType<typeof createPreferences>;
