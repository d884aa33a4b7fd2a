import type { Connection } from "mongoose";
import { isDiskFull } from "../../kernel/mongo/disk-space.js";
import { createHeldTenants } from "../../kernel/mongo/held-tenants.js";
import { perTenant } from "../../kernel/mongo/per-tenant.js";
import { acrossTenants } from "../../kernel/mongo/tenant-collection.js";
import { inTransaction } from "../../kernel/mongo/transaction.js";
import { accrualStore } from "./accrual.js";
import { applicationStore } from "./applications.js";
import { dividendStore } from "./dividends.js";
import { holdingStore } from "./holdings.js";
import { productStore } from "./products.js";
import { collections, type SliceRow, type TenantRow } from "./collections.js";
import type { Session } from "./types.js";

export type { Session } from "./types.js";
export type InvestmentStore = ReturnType<typeof createInvestmentStore>;
export type TenantStore = ReturnType<InvestmentStore["forTenant"]>;

/** The only place that knows how the database of investments looks. */
export function createInvestmentStore(db: Connection) {
  const tenants = acrossTenants<TenantRow>(db, collections.tenants, "the day's work of all tenants");
  const held = createHeldTenants(db, collections.tenants);
  const slices = acrossTenants<SliceRow>(db, collections.slices, "how far the day's work of all tenants is");
  const stores = [
    productStore(db),
    applicationStore(db),
    holdingStore(db),
    accrualStore(db),
    dividendStore(db),
  ] as const;
  const [products, applications, holdings, accruals, dividends] = stores;

  return {
    /** One transaction. `readBack` tells what it had written when its commit is unknown. */
    transaction: <T>(work: (session: Session) => Promise<T>, readBack: () => Promise<T | undefined>): Promise<T> =>
      inTransaction(db, work, { readBack }),

    /**
     * Tenants that may have work of a new day and are not held; the longest due first, and none
     * while the disk is full.
     */
    async tenantsDue(now: Date, limit: number): Promise<string[]> {
      if (isDiskFull(db)) return [];
      const rows = await tenants.find(
        { ...(await held.otherTenants()), nextRunAt: { $lte: now } },
        { sort: { nextRunAt: 1 }, limit },
      );
      return rows.map(({ tenantId }) => tenantId);
    },

    /**
     * The last day that is done, of the slice that is furthest behind; "" where one has done none,
     * undefined where there are none.
     */
    async oldestDayDone(): Promise<string | undefined> {
      return (await slices.find({}, { sort: { doneOn: 1 }, limit: 1 }))[0]?.doneOn;
    },

    forTenant: perTenant((tenantId: string) => ({
      ...products(tenantId),
      ...applications(tenantId),
      ...holdings(tenantId),
      ...accruals(tenantId),
      ...dividends(tenantId),
    })),
  };
}
