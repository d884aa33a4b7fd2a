import type { IdentityServiceDefinition, Tenant } from "../../proto/gen/identity/v1/identity.js";
import { outgoing, type Client, type OutgoingContext } from "./grpc/client.js";

const maxTenants = 10_000;

/** How long anybody goes by what identity said of a tenant, from when it was asked; real time. */
export const preferenceKeptForMs = 1_000;
/**
 * Identity holds the answer to a change for so long: whatever was asked before the change is gone
 * by then, everywhere.
 */
export const preferenceHeldForMs = preferenceKeptForMs + 100;

export interface PreferencesDeps<Preference> {
  identity: Pick<Client<IdentityServiceDefinition>, "getOrganisationPreference">;
  /** What the service goes by of it; undefined for a tenant that has set nothing. */
  read: (tenant: Tenant | undefined) => Preference;
  /** How long an answer of identity is used, real time. Never longer than preferenceKeptForMs. */
  keepForMs?: number;
}

export interface Preferences<Preference> {
  /** Refuses what identity refuses, such as TENANT_NOT_FOUND, and UNAVAILABLE. */
  of(call: OutgoingContext): Promise<Preference>;
}

/** Preferences of tenants, asked of identity and kept for a second from the question on. */
export function createPreferences<Preference>(deps: PreferencesDeps<Preference>): Preferences<Preference> {
  const { identity, read, keepForMs = preferenceKeptForMs } = deps;
  const kept = new Map<string, { preference: Promise<Preference>; until: number }>();

  // The question is shared by all who come meanwhile, so nobody's signal or deadline ends it.
  async function ask(tenantId: string, interactionId: string): Promise<Preference> {
    const { tenant } = await identity.getOrganisationPreference({}, outgoing({ tenantId, interactionId }));
    return read(tenant);
  }

  return {
    async of({ tenantId, interactionId }) {
      const askedAt = performance.now();
      const known = kept.get(tenantId);
      if (known !== undefined && askedAt < known.until) return known.preference;
      if (kept.size >= maxTenants) kept.clear();
      const entry = { preference: ask(tenantId, interactionId), until: askedAt + keepForMs };
      kept.set(tenantId, entry);
      try {
        return await entry.preference;
      } catch (error) {
        if (kept.get(tenantId) === entry) kept.delete(tenantId);
        throw error;
      }
    },
  };
}
