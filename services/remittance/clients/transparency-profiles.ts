import type { ComplianceServiceDefinition } from "../../../proto/gen/compliance/v1/compliance.js";
import { cachePerTenant } from "../../kernel/caching/cache-per-tenant.js";
import { outgoing, type Client, type OutgoingContext } from "../../kernel/grpc/client.js";
import { preferenceCacheMs } from "../../platform/preferences/preferences.js";
import type { TransparencyProfiles } from "../domain/transparency.js";
import { profilesFromWire } from "../wire/compliance.js";

export interface TransparencyProfilesDeps {
  compliance: Pick<Client<ComplianceServiceDefinition>, "getTransparencyProfiles">;
  /** How long an answer of compliance is used, real time. */
  keepForMs?: number | undefined;
}

export type KnownTransparencyProfiles = ReturnType<typeof createTransparencyProfiles>;

/**
 * What the transparency policies of tenants ask, asked of compliance and kept for a second from the
 * question on. Refuses UNAVAILABLE while compliance is away.
 */
export function createTransparencyProfiles({ compliance, keepForMs = preferenceCacheMs }: TransparencyProfilesDeps) {
  const known = cachePerTenant(
    async (tenantId, interactionId): Promise<TransparencyProfiles> =>
      profilesFromWire(await compliance.getTransparencyProfiles({}, outgoing({ tenantId, interactionId }))),
    keepForMs,
  );
  return {
    /** `atLeast` is a version of the policy that there is: an older answer is asked for anew. */
    of: ({ tenantId, interactionId }: OutgoingContext, atLeast = 0): Promise<TransparencyProfiles> =>
      known(tenantId, interactionId, atLeast === 0 ? undefined : (answer) => answer.policyVersion >= atLeast),
  };
}
