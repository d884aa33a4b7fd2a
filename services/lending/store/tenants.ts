import type { TenantCollection } from "../../shared/mongo/tenant-collection.js";
import type { Session } from "./rows.js";

export interface TenantRow {
  _id: string;
  tenantId: string;
  /** Of the bank's list of credits. */
  creditCursor: string;
  /** The last day whose accrual is done. */
  accruedThrough?: string;
}

export function createTenantStore(tenantId: string, tenants: TenantCollection<TenantRow>) {
  return {
    /** Written with a tenant's loans, so that the daily work knows where to look. */
    async noteTenant(session: Session): Promise<void> {
      const change = { $setOnInsert: { creditCursor: "" } };
      await tenants.updateOne({ _id: tenantId }, change, { upsert: true, session });
    },
    findTenant: (): Promise<TenantRow | null> => tenants.findOne({ _id: tenantId }),
    /** True when nobody moved it meanwhile. */
    async moveCreditCursor(from: string, to: string): Promise<boolean> {
      const moved = await tenants.updateOne({ _id: tenantId, creditCursor: from }, { $set: { creditCursor: to } });
      return moved.matchedCount === 1;
    },
    async noteAccrued(date: string): Promise<void> {
      await tenants.updateOne({ _id: tenantId }, { $set: { accruedThrough: date } });
    },
  };
}
