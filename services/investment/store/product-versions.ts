import type { ProductVersion } from "../domain/product.js";
import type { InvestmentStore } from "./index.js";

const maxCached = 2_000;

export type ProductVersions = ReturnType<typeof createProductVersions>;

/** Caches versions of products, which never change. */
export function createProductVersions(store: InvestmentStore) {
  const cached = new Map<string, ProductVersion>();
  return {
    async of(tenantId: string, productId: string, version: number): Promise<ProductVersion> {
      const id = `${tenantId} ${productId} ${version}`;
      const known = cached.get(id);
      if (known !== undefined) return known;
      const found = await store.forTenant(tenantId).findVersion(productId, version);
      if (found === undefined) throw new Error(`product ${productId} has no version ${version}`);
      if (cached.size >= maxCached) cached.clear();
      cached.set(id, found);
      return found;
    },
  };
}
