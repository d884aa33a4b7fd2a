import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import type { Client, OutgoingContext } from "../../kernel/grpc/client.js";
import { languageOf } from "../../platform/messages/words.js";
import { createPreferences } from "../../platform/preferences/preferences.js";
import { isSandbox, liveIdOf } from "../../platform/sandbox/sandbox.js";
import { hostsOf, type Hosts } from "../domain/hosts.js";

export interface Organisation {
  name: string;
  /** ISO 639. */
  language: string;
  /** Where its messages may lead. */
  hosts: Hosts;
}

export type Organisations = ReturnType<typeof createOrganisations>;

/** Whose messages they are, asked of identity and kept for a second. */
export function createOrganisations(identity: Pick<Client<IdentityServiceDefinition>, "getOrganisationPreference">) {
  const tenants = createPreferences({
    identity,
    read: (tenant) => ({
      name: tenant?.name ?? "",
      language: languageOf(tenant?.preference?.locale ?? ""),
      hosts: tenant?.hosts ?? [],
      corsOrigins: tenant?.preference?.corsOrigins ?? [],
    }),
  });
  return {
    /** Refuses TENANT_NOT_FOUND, and UNAVAILABLE. */
    async of(call: OutgoingContext): Promise<Organisation> {
      const own = await tenants.of(call);
      // A sandbox has no host of its own: it is reached below its tenant's.
      const { hosts } = isSandbox(call.tenantId)
        ? await tenants.of({ ...call, tenantId: liveIdOf(call.tenantId) })
        : own;
      return { name: own.name, language: own.language, hosts: hostsOf({ hosts, corsOrigins: own.corsOrigins }) };
    },
  };
}
