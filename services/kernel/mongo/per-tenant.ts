import { createBoundedCache } from "../caching/bounded-cache.js";

// Tenants that are busy now are kept, some kilobytes each.
const maxAtHand = 200;

/**
 * What works for one tenant, made once and kept while the tenant is busy: making it costs as much
 * as a read does, and most calls want a part of it only. It must keep nothing itself.
 */
export function perTenant<T>(make: (tenantId: string) => T): (tenantId: string) => T {
  const made = createBoundedCache<T>(maxAtHand);
  return (tenantId) => {
    const known = made.get(tenantId);
    if (known !== undefined) return known;
    const fresh = make(tenantId);
    made.set(tenantId, fresh);
    return fresh;
  };
}
