import type { ScreeningPolicy } from "../domain/policy.js";
import type { ScreeningPolicyStore } from "./screening-policies.js";

const maxCached = 1_000;
const defaultMaxAgeMs = 2_000;

export type ScreeningPolicyVersions = ReturnType<typeof createScreeningPolicyVersions>;

/**
 * The policy that a replica screens by, asked of the database when it was last asked longer
 * than `maxAgeMs` ago (2 s), so that a transaction's check costs no round trip. Who is
 * screened by the version before meanwhile has its basis, and the re-screening that a
 * publication leaves finds them by it.
 */
export function createScreeningPolicyVersions(
  store: ScreeningPolicyStore,
  { maxAgeMs = defaultMaxAgeMs, now = () => performance.now() } = {},
) {
  const cached = new Map<string, { requestedAt: number; policy: Promise<ScreeningPolicy> }>();

  return {
    /** Those who ask at once wait for the same answer; a failed one is asked for anew. */
    current(tenantId: string): Promise<ScreeningPolicy> {
      const known = cached.get(tenantId);
      if (known !== undefined && now() - known.requestedAt < maxAgeMs) return known.policy;
      const policy = store.forTenant(tenantId).current();
      const requested = { requestedAt: now(), policy };
      cached.delete(tenantId);
      if (cached.size >= maxCached) cached.delete(cached.keys().next().value as string);
      cached.set(tenantId, requested);
      policy.catch(() => cached.get(tenantId) === requested && cached.delete(tenantId));
      return policy;
    },
    /** Whoever has published asks anew at once. */
    forget: (tenantId: string): boolean => cached.delete(tenantId),
  };
}
