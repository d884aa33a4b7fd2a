import type { BusinessClock, BusinessTime } from "../../../platform/preferences/business-clock.js";
import type { Preferences } from "../clients/preferences.js";

/** What decisions of a tenant go by beside its policy. */
export interface Terms extends BusinessTime {
  requiredDetails: readonly string[];
}

export type TermsOfTenants = ReturnType<typeof createTerms>;

/** Asked before a transaction begins: both come from identity, and are kept for a second. */
export function createTerms({ times, preferences }: { times: BusinessClock; preferences: Preferences }) {
  return {
    async forTenant(tenantId: string, interactionId: string): Promise<Terms> {
      const [time, { requiredDetails }] = await Promise.all([
        times.forTenant(tenantId, interactionId),
        preferences.of({ tenantId, interactionId }),
      ]);
      return { ...time, requiredDetails };
    },
  };
}
