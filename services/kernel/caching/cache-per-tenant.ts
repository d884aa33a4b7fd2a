const maxTenants = 10_000;

/**
 * Answers about tenants, each kept from the question on, real time. A failed one is not kept. The
 * question is shared by all who come meanwhile, so nobody's signal or deadline may end it. One that
 * is not `isRight` is asked for anew, once.
 */
export function cachePerTenant<T>(
  ask: (tenantId: string, interactionId: string) => Promise<T>,
  keepForMs: number,
): (tenantId: string, interactionId: string, isRight?: (answer: T) => boolean) => Promise<T> {
  const cached = new Map<string, { answer: Promise<T>; until: number }>();

  function askNow(tenantId: string, interactionId: string): Promise<T> {
    if (cached.size >= maxTenants) cached.clear();
    const entry = { answer: ask(tenantId, interactionId), until: performance.now() + keepForMs };
    cached.set(tenantId, entry);
    entry.answer.catch(() => {
      if (cached.get(tenantId) === entry) cached.delete(tenantId);
    });
    return entry.answer;
  }

  return (tenantId, interactionId, isRight) => {
    const known = cached.get(tenantId);
    if (known === undefined || performance.now() >= known.until) return askNow(tenantId, interactionId);
    if (isRight === undefined) return known.answer;
    return known.answer.then((answer) => {
      if (isRight(answer)) return answer;
      const latest = cached.get(tenantId);
      // Whoever noticed it first has asked for all.
      return latest === undefined || latest === known ? askNow(tenantId, interactionId) : latest.answer;
    });
  };
}
