import type { WalletLimit } from "../domain/wallet-limit.js";
import type { WalletStore } from "./index.js";

const maxCached = 10_000;
// Few tenants limit single wallets; one that limits many is asked about each.
const maxAtOnce = 100;

export type WalletLimitsCache = ReturnType<typeof createWalletLimitsCache>;

/**
 * Limits of a tenant's wallets in a currency, read once a second; what this process changes holds
 * at once.
 */
export function createWalletLimitsCache({ store, keepForMs = 1_000 }: { store: WalletStore; keepForMs?: number }) {
  const cache = new Map<string, { limits: Promise<readonly WalletLimit[]>; until: number }>();

  function read(tenantId: string, currency: string): Promise<readonly WalletLimit[]> {
    const key = `${tenantId} ${currency}`;
    const known = cache.get(key);
    if (known !== undefined && performance.now() < known.until) return known.limits;
    if (cache.size >= maxCached) cache.clear();
    const limits = store.forTenant(tenantId).limitsIn(currency, maxAtOnce + 1);
    const entry = { limits, until: performance.now() + keepForMs };
    cache.set(key, entry);
    limits.catch(() => {
      if (cache.get(key) === entry) cache.delete(key);
    });
    return limits;
  }

  return {
    /** The account's own and the tenant's. */
    async of(tenantId: string, accountId: string, currency: string): Promise<WalletLimit[]> {
      const all = await read(tenantId, currency);
      if (all.length > maxAtOnce) return store.forTenant(tenantId).limitsFor(accountId, currency);
      return all.filter((one) => one.accountId === "" || one.accountId === accountId);
    },
    forget: (tenantId: string, currency: string): void => void cache.delete(`${tenantId} ${currency}`),
  };
}
