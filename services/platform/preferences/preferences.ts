import type { IdentityServiceDefinition, Tenant } from "../../../proto/gen/identity/v1/identity.js";
import { outgoing, type Client, type OutgoingContext } from "../../kernel/grpc/client.js";
import { cachePerTenant } from "../../kernel/caching/cache-per-tenant.js";

/** How long anybody goes by what identity said of a tenant, from when it was asked; real time. */
export const preferenceCacheMs = 1_000;
/**
 * Identity holds the answer to a change for so long: whatever was asked before the change is gone
 * by then, everywhere.
 */
export const preferenceHeldForMs = preferenceCacheMs + 100;

export interface PreferencesDeps<Preference> {
  identity: Pick<Client<IdentityServiceDefinition>, "getOrganisationPreference">;
  /** What the service goes by of it; undefined for a tenant that has set nothing. */
  read: (tenant: Tenant | undefined) => Preference;
  /** How long an answer of identity is used, real time. Never longer than preferenceKeptForMs. */
  keepForMs?: number | undefined;
}

export interface Preferences<Preference> {
  /** Refuses what identity refuses, such as TENANT_NOT_FOUND, and UNAVAILABLE. */
  of(call: OutgoingContext): Promise<Preference>;
}

/** Preferences of tenants, asked of identity and kept for a second from the question on. */
export function createPreferences<Preference>(deps: PreferencesDeps<Preference>): Preferences<Preference> {
  const { identity, read, keepForMs = preferenceCacheMs } = deps;
  const answer = cachePerTenant(async (tenantId, interactionId) => {
    const { tenant } = await identity.getOrganisationPreference({}, outgoing({ tenantId, interactionId }));
    return read(tenant);
  }, keepForMs);
  return { of: ({ tenantId, interactionId }) => answer(tenantId, interactionId) };
}
