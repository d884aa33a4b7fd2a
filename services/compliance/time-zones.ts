import type { IdentityServiceDefinition } from "../../proto/gen/identity/v1/identity.js";
import type { Call } from "../shared/grpc/context.js";
import { outgoing, type Client } from "../shared/grpc/client.js";

const maxTenants = 10_000;

export interface TimeZonesDeps {
  identity: Pick<Client<IdentityServiceDefinition>, "getOrganisationPreference">;
  /** How long an answer of identity is used, real time. */
  keepForMs?: number;
}

/** IANA time zones of tenants, asked of identity and kept shortly. UTC where a tenant has named none. */
export function createTimeZones({ identity, keepForMs = 10_000 }: TimeZonesDeps) {
  const kept = new Map<string, { timeZone: string; until: number }>();
  return {
    /** Refuses what identity refuses, such as TENANT_NOT_FOUND, and UNAVAILABLE. */
    async of(call: Call): Promise<string> {
      const known = kept.get(call.tenantId);
      if (known !== undefined && performance.now() < known.until) return known.timeZone;
      const { tenant } = await identity.getOrganisationPreference({}, outgoing(call));
      const timeZone = tenant?.preference?.timeZone || "UTC";
      if (kept.size >= maxTenants) kept.clear();
      kept.set(call.tenantId, { timeZone, until: performance.now() + keepForMs });
      return timeZone;
    },
  };
}

export type TimeZones = ReturnType<typeof createTimeZones>;
