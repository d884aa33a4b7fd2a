const maxTenants = 10_000;

/**
 * Answers about tenants, each kept from the question on, real time. A failed one is not kept. The
 * question is shared by all who come meanwhile, so nobody's signal or deadline may end it.
 */
export function cachePerTenant<T>(
  ask: (tenantId: string, interactionId: string) => Promise<T>,
  keepForMs: number,
): (tenantId: string, interactionId: string) => Promise<T> {
  const cached = new Map<string, { answer: Promise<T>; until: number }>();
  return (tenantId, interactionId) => {
    const requestedAt = performance.now();
    const known = cached.get(tenantId);
    if (known !== undefined && requestedAt < known.until) return known.answer;
    if (cached.size >= maxTenants) cached.clear();
    const entry = { answer: ask(tenantId, interactionId), until: requestedAt + keepForMs };
    cached.set(tenantId, entry);
    entry.answer.catch(() => {
      if (cached.get(tenantId) === entry) cached.delete(tenantId);
    });
    return entry.answer;
  };
}
